"""From numbers to reasons: quadrants, root causes, kinds of fault."""

from ragviz.diagnosis.causes import Cause, CauseName, root_cause
from ragviz.diagnosis.claim_types import Distortion, HallucinationType, claim_type, claim_types, distortion
from ragviz.diagnosis.quadrants import Quadrant, Thresholds, quadrant, quadrant_of

__all__ = [
    "Cause", "CauseName", "Distortion", "HallucinationType", "Quadrant", "Thresholds", "claim_type", "claim_types", "distortion", "quadrant",
    "quadrant_of", "root_cause",
]
