from ragviz.ui.shell import require_app
from ragviz.ui.views import compare

require_app("compare")
compare.render()
