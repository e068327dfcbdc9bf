"""
CPU that Ragas' faithfulness takes an answer when whoever it asks answers at once; the last line is JSON.

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
    import openai
    from ragas.llms import llm_factory
    from ragas.metrics.collections import Faithfulness

    client = openai.AsyncOpenAI(api_key="test", base_url=f"{url}/v1")
    metric = Faithfulness(llm=llm_factory("gpt-test", provider="openai", client=client))
    samples = [{"user_input": row["question"], "response": row["response"], "retrieved_contexts": [p["text"] for p in row["passages"]]} for row in rows(n)]
    first = await metric.ascore(**samples[0])
    slots = asyncio.Semaphore(CONCURRENCY)

    async def one(sample: dict[str, object]) -> float:
        async with slots:
            return float((await metric.ascore(**sample)).value)

    begin = time.process_time()
    values = await asyncio.gather(*(one(sample) for sample in samples))
    return {"ms": (time.process_time() - begin) / n * 1000, "n": n, "value": first.value, "scored": sum(not math.isnan(v) for v in values)}


def main() -> None:
    warnings.simplefilter("ignore")
    begin = time.process_time()
    import ragas.metrics.collections  # noqa: F401

    loading = time.process_time() - begin
    print(json.dumps(asyncio.run(measure(sys.argv[1], int(sys.argv[2]))) | {"import_s": loading}))


if __name__ == "__main__":
    main()
