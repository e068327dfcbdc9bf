"""The claim extractors."""

from __future__ import annotations

from ragviz.claims.annotated import claims_from_file
from ragviz.claims.hosted import AnthropicExtractor
from ragviz.claims.rules import RulesExtractor
from ragviz.contracts import ClaimExtractor, Registry

__all__ = ["AnthropicExtractor", "claims_from_file", "extractors"]

extractors: Registry[ClaimExtractor] = Registry("claim extractor", group="ragviz.extractors")
extractors.add("rules")(RulesExtractor)
extractors.add("anthropic")(AnthropicExtractor)
