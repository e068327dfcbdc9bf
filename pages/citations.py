from ragviz.ui.shell import require_app
from ragviz.ui.views import citations

require_app("citations")
citations.render()
