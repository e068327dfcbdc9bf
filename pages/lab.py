from ragviz.ui.shell import require_app
from ragviz.ui.views import lab

require_app("lab")
lab.render()
