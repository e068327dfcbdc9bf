from ragviz.ui.shell import require_app
from ragviz.ui.views import inspector

require_app("inspector")
inspector.render()
