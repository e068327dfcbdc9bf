from ragviz.ui.shell import require_app
from ragviz.ui.views import retrieval

require_app("retrieval")
retrieval.render()
