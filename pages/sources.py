from ragviz.ui.shell import require_app
from ragviz.ui.views import sources

require_app("sources")
sources.render()
