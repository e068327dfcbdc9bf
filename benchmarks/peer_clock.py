"""What a foreign metric costs an answer when whoever it asks answers at once; runs in the foreign package's own environment. Standard library only."""

from __future__ import annotations

import argparse
import asyncio
import importlib
import json
import math
import time
import warnings
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeVar

CONCURRENCY = 16
Case = TypeVar("Case")


async def timed(ask: Callable[[Case], Awaitable[float]], cases: Sequence[Case]) -> dict[str, float]:
    """CPU ms an answer, so many at a time, after one that warms up; its value, and how many have one."""
    slots = asyncio.Semaphore(CONCURRENCY)

    async def one(case: Case) -> float:
        async with slots:
            return await ask(case)

    first = await one(cases[0])
    begin = time.process_time()
    values = await asyncio.gather(*(one(case) for case in cases))
    return {"ms": (time.process_time() - begin) / len(cases) * 1000, "n": len(cases), "value": first, "scored": sum(not math.isnan(v) for v in values)}


def tell(module: str, measure: Callable[[str, int], Awaitable[dict[str, Any]]], *, about: str) -> None:
    """
    Print what was measured as one line of JSON, with the CPU seconds that importing the package takes.

    Args:
        module: What to import.
        measure: Called with the two arguments of the program: the address of a server that speaks the OpenAI wire format, and how many answers.
        about: What --help says.
    """
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("url", metavar="URL")
    parser.add_argument("answers", type=int, metavar="N")
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    begin = time.process_time()
    importlib.import_module(module)
    loading = time.process_time() - begin

    async def run() -> dict[str, Any]:
        return await measure(args.url, args.answers)

    print(json.dumps(asyncio.run(run()) | {"import_s": loading}))
