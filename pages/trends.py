from ragviz.ui.shell import require_app
from ragviz.ui.views import trends

require_app("trends")
trends.render()
