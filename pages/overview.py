from ragviz.ui.shell import require_app
from ragviz.ui.views import overview

require_app("overview")
overview.render()
