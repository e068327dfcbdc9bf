"""
CPU that DeepEval's faithfulness takes an answer, without a reason, when whoever it asks answers at once; the last line is JSON.

Arguments: the address of a server that speaks the OpenAI wire format, and how many answers.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from peer_clock import tell, timed
from peer_traces import rows


async def measure(url: str, n: int) -> dict[str, float]:
    from deepeval.metrics import FaithfulnessMetric
    from deepeval.models import GPTModel
    from deepeval.test_case import LLMTestCase

    model = GPTModel(model="gpt-4o", api_key="test", base_url=f"{url}/v1")

    async def ask(case: Any) -> float:
        metric = FaithfulnessMetric(model=model, include_reason=False, async_mode=True)
        return float(await metric.a_measure(case, _show_indicator=False))

    return await timed(
        ask, [LLMTestCase(input=row["question"], actual_output=row["response"], retrieval_context=[p["text"] for p in row["passages"]]) for row in rows(n)]
    )


if __name__ == "__main__":
    tell("deepeval.metrics", measure, about=__doc__)
