"""
CPU that the hosted judge costs per judged answer, beside what the SDK alone costs for the same calls.

The server runs in a process of its own and answers at once, so what is counted is ours: building the prompt, the SDK, reading the reply,
locating the quotes. Six claims and five passages of 120 words an answer, 16 calls at a time.
"""

from __future__ import annotations

import multiprocessing
import random
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from ragviz.backends.anthropic_client import AnthropicClient, request
from ragviz.judges.hosted import AnthropicJudge
from ragviz.judges.hosted_prompt import SCHEMA, prompt, sheets
from ragviz.records import Pair, PairKey, Table
from ragviz.testing import MessagesServer, message, verdicts

ANSWERS, CONCURRENCY = 400, 16
WORDS = ["the", "archive", "closes", "window", "order", "parcel", "delivery", "account", "button", "weight", "sensor", "river", "council", "meeting", "price", "month", "garden", "engine", "letter", "signal"]


def serve(url: multiprocessing.Queue) -> None:
    rows = [{"id": f"c{n}", "reasoning": "stated", "verdict": "not_supported", "evidence": [], "confidence": 0.9} for n in range(1, 7)]
    with MessagesServer(lambda _: message(verdicts(rows))) as server:
        url.put(server.url)
        time.sleep(600)


def answers() -> list[list[Pair]]:
    rng = random.Random(1)
    text = lambda n: " ".join(rng.choices(WORDS, k=n)).capitalize() + "."  # noqa: E731
    made = []
    for t in range(ANSWERS):
        passages = [text(120) for _ in range(5)]
        claims = [text(12) for _ in range(6)]
        made.append([Pair(key=PairKey(Table.RESPONSE_X_PASSAGES, f"t{t}", f"c{c}", f"p{p}"), premise=premise, hypothesis=claim, question="What?")
                     for c, claim in enumerate(claims) for p, premise in enumerate(passages)])
    return made


def main() -> None:
    url: multiprocessing.Queue = multiprocessing.Queue()
    server = multiprocessing.Process(target=serve, args=(url,), daemon=True)
    server.start()
    client = AnthropicClient(api_key="test", base_url=url.get(), max_concurrency=CONCURRENCY)
    judge = AnthropicJudge(client=client)
    asked = answers()
    judge.judge(asked[0])  # imports, first connection
    started, wall = time.process_time(), time.perf_counter()
    judge.judge([pair for answer in asked for pair in answer])
    ours, wall = (time.process_time() - started) / ANSWERS * 1000, (time.perf_counter() - wall) / ANSWERS * 1000
    bodies = [request(prompt(sheets(answer)[0], token=lambda: "x"), SCHEMA, model="m") for answer in asked]
    sdk = client.sdk()
    started = time.process_time()
    with ThreadPoolExecutor(CONCURRENCY) as pool:
        list(pool.map(lambda body: sdk.messages.create(**body), bodies))
    bare = (time.process_time() - started) / ANSWERS * 1000
    server.terminate()
    print(f"{ANSWERS} answers of 6 claims and 5 passages, {CONCURRENCY} calls at a time, 1 call an answer")
    print(f"whole judge      {ours:6.2f} ms CPU an answer ({wall:.2f} ms wall)")
    print(f"the SDK alone    {bare:6.2f} ms CPU an answer")
    print(f"added by ragviz  {ours - bare:6.2f} ms CPU an answer")


if __name__ == "__main__":
    main()
