"""
CPU that DeepEval's faithfulness takes an answer, without a reason, when whoever it asks answers at once; the last line is JSON.

Arguments: the address of a server that speaks the OpenAI wire format, and how many answers.
"""

from __future__ import annotations

import asyncio
import json
import math
import sys
import time
import warnings

from peer_traces import rows

CONCURRENCY = 16


async def measure(url: str, n: int) -> dict[str, float]:
    from deepeval.metrics import FaithfulnessMetric
    from deepeval.models import GPTModel
    from deepeval.test_case import LLMTestCase

    model = GPTModel(model="gpt-4o", api_key="test", base_url=f"{url}/v1")
    cases = [LLMTestCase(input=row["question"], actual_output=row["response"], retrieval_context=[p["text"] for p in row["passages"]]) for row in rows(n)]
    slots = asyncio.Semaphore(CONCURRENCY)

    async def one(case: LLMTestCase) -> float:
        async with slots:
            metric = FaithfulnessMetric(model=model, include_reason=False, async_mode=True)
            return float(await metric.a_measure(case, _show_indicator=False))

    first = await one(cases[0])
    begin = time.process_time()
    values = await asyncio.gather(*(one(case) for case in cases))
    return {"ms": (time.process_time() - begin) / n * 1000, "n": n, "value": first, "scored": sum(not math.isnan(v) for v in values)}


def main() -> None:
    warnings.simplefilter("ignore")
    begin = time.process_time()
    import deepeval.metrics  # noqa: F401

    loading = time.process_time() - begin
    print(json.dumps(asyncio.run(measure(sys.argv[1], int(sys.argv[2]))) | {"import_s": loading}))


if __name__ == "__main__":
    main()
