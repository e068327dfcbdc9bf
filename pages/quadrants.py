from ragviz.ui.shell import require_app
from ragviz.ui.views import quadrants

require_app("quadrants")
quadrants.render()
