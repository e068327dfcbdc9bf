from ragviz.ui.shell import require_app
from ragviz.ui.views import judges

require_app("judges")
judges.render()
