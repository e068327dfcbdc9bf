"""Run as a program: starts judging in batches against a server that never ends them, to be killed while it waits."""

from __future__ import annotations

import sys

from ragviz.backends.anthropic_client import AnthropicClient
from ragviz.judges.hosted import AnthropicJudge
from ragviz.pipeline.batching import judge_in_batches
from ragviz.store import open_store


def main() -> None:
    address, url, run_id = sys.argv[1:]
    judge = AnthropicJudge(client=AnthropicClient(api_key="test", base_url=url, max_retries=0))
    judge_in_batches(open_store(address), run_id, judge, first_wait_s=0.1, say=lambda words: print(words, flush=True))


if __name__ == "__main__":
    main()
