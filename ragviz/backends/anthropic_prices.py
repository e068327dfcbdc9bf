"""What a call costs, from the genai-prices table shipped with that package. Never asks the network."""

from __future__ import annotations

import importlib.util
from functools import lru_cache

PROPORTIONAL_TOKENS = 100_000
"""Up to here prices grow in proportion; some models charge more a token for very long prompts."""


def price(model: str, tokens_in: int | None, tokens_out: int | None) -> float | None:
    """US dollars; None when unknown."""
    if tokens_in is None or tokens_out is None or importlib.util.find_spec("genai_prices") is None:
        return None
    if max(tokens_in, tokens_out) > PROPORTIONAL_TOKENS:
        return _looked_up(model, tokens_in, tokens_out)
    rates = _rates(model)
    return None if rates is None else tokens_in * rates[0] + tokens_out * rates[1]


@lru_cache(maxsize=64)
def _rates(model: str) -> tuple[float, float] | None:
    """Dollars a token, in and out. Remembered, because looking a price up takes longer than building the call it is for."""
    per_in, per_out = _looked_up(model, PROPORTIONAL_TOKENS, 0), _looked_up(model, 0, PROPORTIONAL_TOKENS)
    return None if per_in is None or per_out is None else (per_in / PROPORTIONAL_TOKENS, per_out / PROPORTIONAL_TOKENS)


def _looked_up(model: str, tokens_in: int, tokens_out: int) -> float | None:
    import genai_prices  # noqa: PLC0415

    try:
        found = genai_prices.calc_price(genai_prices.Usage(input_tokens=tokens_in, output_tokens=tokens_out), model_ref=model, provider_id="anthropic")
    except LookupError:
        return None
    return float(found.total_price)
