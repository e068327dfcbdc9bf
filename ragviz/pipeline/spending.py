"""What calls can cost at most, counted before they are sent: once a batch is under way, nothing stops it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from ragviz.backends.anthropic_batches import SHARE_OF_PRICE
from ragviz.backends.anthropic_prices import price

CHARS_PER_TOKEN = 3.0
"""Of ASCII text, on the safe side (English has about 4); any other character counts as a token of its own."""


class AtMost(NamedTuple):
    """An upper estimate: as many tokens as the prompts can have, and replies as long as they may be."""

    tokens: int
    usd: float | None
    """At the price of batches; None when the model's price is not known."""

    def plus(self, other: AtMost) -> AtMost:
        """Both together."""
        return AtMost(self.tokens + other.tokens, None if self.usd is None or other.usd is None else self.usd + other.usd)


NOTHING = AtMost(0, 0.0)


def at_most(bodies: Iterable[Mapping[str, Any]], *, model: str) -> AtMost:
    """What these calls can take in a batch; usually about a third of it is taken, since replies are shorter than they may be."""
    total = NOTHING
    for body in bodies:
        tokens_in, tokens_out = _tokens(body), int(body["max_tokens"])
        full = price(model, tokens_in, tokens_out)
        total = total.plus(AtMost(tokens_in + tokens_out, None if full is None else full * SHARE_OF_PRICE))
    return total


def _tokens(body: Mapping[str, Any]) -> int:
    text = json.dumps({name: value for name, value in body.items() if name != "max_tokens"}, ensure_ascii=False)
    n_ascii = len(text.encode("ascii", "ignore"))
    return round(n_ascii / CHARS_PER_TOKEN) + len(text) - n_ascii
