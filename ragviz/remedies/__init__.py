"""What can be tried on an answer that failed: pure steps; asking, judging and storing are the pipeline's."""

from ragviz.contracts import HostedRemedy, Registry, Remedy
from ragviz.remedies.constrained import ConstrainedRemedy
from ragviz.remedies.gate import GateRemedy
from ragviz.remedies.refine import RefineRemedy
from ragviz.remedies.structured import StructuredRemedy
from ragviz.remedies.verify import VerifyRemedy

remedies: Registry[Remedy | HostedRemedy] = Registry("remedy", group="ragviz.remedies")
remedies.add("gate")(GateRemedy)
remedies.add("constrained")(ConstrainedRemedy)
remedies.add("structured")(StructuredRemedy)
remedies.add("verify")(VerifyRemedy)
remedies.add("refine")(RefineRemedy)

__all__ = ["remedies"]
