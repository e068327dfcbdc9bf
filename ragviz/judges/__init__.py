"""What gives verdicts on pairs (``judges``) and what rates relevance (``raters``)."""

from ragviz.contracts import Judge, Rater, Registry
from ragviz.judges.cascade import make_cascade
from ragviz.judges.facts import FactsJudge
from ragviz.judges.hosted import make_anthropic
from ragviz.judges.hosted_raters import AnthropicPassages, AnthropicRelevance
from ragviz.judges.imported import ImportedJudge
from ragviz.judges.local import LocalJudge
from ragviz.judges.nli import NliJudge
from ragviz.judges.provenance import fingerprint, provenance_of
from ragviz.judges.relevance import DirectRelevance, ReferenceSimilarity

judges: Registry[Judge] = Registry("judge", group="ragviz.judges")
judges.add("local")(LocalJudge)
judges.add("facts")(FactsJudge)
judges.add("imported")(ImportedJudge)
judges.add("nli")(NliJudge)
judges.add("anthropic")(make_anthropic)
judges.add("cascade")(make_cascade)

raters: Registry[Rater] = Registry("rater", group="ragviz.raters")
raters.add("direct_relevance")(DirectRelevance)
raters.add("reference_similarity")(ReferenceSimilarity)
raters.add("anthropic_relevance")(AnthropicRelevance)
raters.add("anthropic_passages")(AnthropicPassages)

__all__ = ["fingerprint", "judges", "provenance_of", "raters"]
