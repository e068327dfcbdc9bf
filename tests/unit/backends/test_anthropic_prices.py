"""What calls cost."""

from __future__ import annotations

import genai_prices
import pytest

from ragviz.backends.anthropic_client import DEFAULT_MODEL
from ragviz.backends.anthropic_prices import price


@pytest.mark.parametrize(("tokens_in", "tokens_out"), [(0, 0), (1, 1), (12_345, 678), (100_000, 100_000), (150_000, 20), (250_000, 5_000)])
@pytest.mark.parametrize("model", [DEFAULT_MODEL, "claude-haiku-4-5", "claude-sonnet-4-5"])
def test_prices_are_those_of_the_table(model: str, tokens_in: int, tokens_out: int) -> None:
    """Also where very long prompts cost more a token."""
    usage = genai_prices.Usage(input_tokens=tokens_in, output_tokens=tokens_out)
    expected = float(genai_prices.calc_price(usage, model_ref=model, provider_id="anthropic").total_price)

    assert price(model, tokens_in, tokens_out) == pytest.approx(expected, rel=1e-9)


def test_an_unknown_model_has_no_price() -> None:
    """Never 0."""
    assert price("no-such-model", 10, 10) is None
    assert price(DEFAULT_MODEL, None, 10) is None
