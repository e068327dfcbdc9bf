from ragviz.ui.shell import require_app
from ragviz.ui.views import data

require_app("data")
data.render()
