from ragviz.ui.shell import require_app
from ragviz.ui.views import traces

require_app("traces")
traces.render()
