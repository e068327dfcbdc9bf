"""
CPU that Ragas' faithfulness takes an answer when whoever it asks answers at once; the last line is JSON.

Arguments: the address of a server that speaks the OpenAI wire format, and how many answers.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from peer_clock import tell, timed
from peer_traces import rows


async def measure(url: str, n: int) -> dict[str, float]:
    import openai
    from ragas.llms import llm_factory
    from ragas.metrics.collections import Faithfulness

    metric = Faithfulness(llm=llm_factory("gpt-test", provider="openai", client=openai.AsyncOpenAI(api_key="test", base_url=f"{url}/v1")))

    async def ask(sample: dict[str, object]) -> float:
        return float((await metric.ascore(**sample)).value)

    return await timed(
        ask, [{"user_input": row["question"], "response": row["response"], "retrieved_contexts": [p["text"] for p in row["passages"]]} for row in rows(n)]
    )


if __name__ == "__main__":
    tell("ragas.metrics.collections", measure, about=__doc__)
