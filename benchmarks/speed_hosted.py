"""
CPU that a hosted judge costs per judged answer: ours, the SDK alone, Ragas and DeepEval, in one run, all asking one local server that answers at once.

    python benchmarks/speed_hosted.py [--answers 400] [--rounds 7] [--theirs 60]

The server runs in a process of its own, so what is counted is the client's: building prompts, the SDK, reading replies, locating quotes. Six claims and five
passages of 120 words an answer, 16 calls at a time; ours and the SDK take turns, the median of the rounds counts. They speak the Messages format; Ragas 0.4.3
(faithfulness, collections API) and DeepEval
(faithfulness, no reason) the OpenAI one, each from an environment of its own. Calls are counted by the server.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import statistics
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import peer_venvs
from peer_traces import rows

from ragviz.backends.anthropic_client import AnthropicClient, request
from ragviz.judges.hosted import AnthropicJudge
from ragviz.judges.hosted_prompt import SCHEMA, prompt, sheets
from ragviz.records import Pair, PairKey, Table
from ragviz.testing import MessagesServer, Scripted, message, structured, verdicts
from ragviz.testing.messages_server import prompt_of

CONCURRENCY = 16
OURS = verdicts([{"id": f"c{n}", "reasoning": "stated", "verdict": "not_supported", "evidence": [], "confidence": 0.9} for n in range(1, 7)])
N_CLAIMS = 6


def answer(asked: dict[str, Any]) -> Scripted:
    """What each client wants to hear: six claims, none supported."""
    text = prompt_of(asked)
    schema = json.dumps(asked.get("response_format", ""))
    if asked.get("model") == "gpt-test":
        given = json.loads(text[text.rindex("input: ") + 7 : text.rindex("\nOutput:")])
        if "statements" in given:
            return structured(asked, {"statements": [{"statement": s, "reason": "stated", "verdict": 0} for s in given["statements"]]})
        return structured(asked, {"statements": [part.strip() + "." for part in given["answer"].split(".") if part.strip()]})
    if asked.get("model", "").startswith("gpt-4o"):
        claims = [f"claim number {n}" for n in range(N_CLAIMS)]
        found = {"truths": claims, "claims": claims, "verdicts": [{"verdict": "no", "reason": "stated"}] * N_CLAIMS}
        wanted = next((name for name in found if f'"{name}"' in schema), None) or next(name for name in ("verdicts", "claims", "truths") if f'"{name}"' in text)
        return structured(asked, {wanted: found[wanted]})
    return message(OURS)


def serve(url: multiprocessing.Queue, counted: Any) -> None:
    def counting(asked: dict[str, Any]) -> Scripted:
        with counted.get_lock():
            counted.value += 1
        return answer(asked)

    with MessagesServer(counting) as server:
        url.put(server.url)
        time.sleep(3_600)


def answers(n: int) -> list[list[Pair]]:
    return [
        [Pair(key=PairKey(Table.RESPONSE_X_PASSAGES, row["id"], f"c{c}", p["id"]), premise=p["text"], hypothesis=claim["text"], question=row["question"])
         for c, claim in enumerate(row["claims"]) for p in row["passages"]] for row in rows(n)
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--answers", type=int, default=400)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--theirs", type=int, default=60, help="0: without them")
    args = parser.parse_args()
    url: multiprocessing.Queue = multiprocessing.Queue()
    counted = multiprocessing.Value("i", 0)
    server = multiprocessing.Process(target=serve, args=(url, counted), daemon=True)
    server.start()
    address = url.get()
    print(f"{'':34}{'answers':>8}{'CPU ms an answer':>18}{'calls an answer':>17}{'import, CPU s':>15}")
    ours = measure_ours(address, args.answers, args.rounds, counted)
    for name, script in (("ragas", "ragas_faithfulness.py"), ("deepeval", "deepeval_faithfulness.py")) if args.theirs else ():
        counted.value = 0
        found = peer_venvs.ask(name, script, address, str(args.theirs))
        if found is not None:
            show(
                f"{peer_venvs.version_of(name)} faithfulness",
                args.theirs,
                found["ms"],
                calls=counted.value / (args.theirs + 1),
                importing=found["import_s"],
                more=f"   {found['ms'] / ours:.0f}× ours",
            )
    server.terminate()


def show(name: str, n: int, ms: float, *, calls: float, importing: float | None, more: str = "") -> None:
    print(f"{name:34}{n:>8}{ms:>18.2f}{calls:>17.1f}{'' if importing is None else f'{importing:.2f}':>15}{more}", flush=True)


def measure_ours(address: str, n: int, rounds: int, counted: Any) -> float:
    """The whole judge, our client alone and the SDK as it comes with the same bodies, taking turns; returns the whole."""
    import anthropic

    client = AnthropicClient(api_key="test", base_url=address, max_concurrency=CONCURRENCY)
    judge, asked = AnthropicJudge(client=client), answers(n)
    prompts = [prompt(sheets(one)[0], token=lambda: "x") for one in asked]
    bodies = [request(one, SCHEMA, model="m") for one in prompts]
    sdk = anthropic.Anthropic(api_key="test", base_url=address)
    pairs = [pair for one in asked for pair in one]

    def as_it_comes() -> None:
        with ThreadPoolExecutor(CONCURRENCY) as pool:
            list(pool.map(lambda body: sdk.messages.create(**body), bodies))

    work = {"whole": lambda: judge.judge(pairs), "client": lambda: client.ask_many(prompts, SCHEMA), "sdk": as_it_comes}
    for run in work.values():
        run()  # imports, first connections
    took: dict[str, list[float]] = {name: [] for name in work}
    counted.value = 0
    for _ in range(rounds):
        for name, run in work.items():
            begin = time.process_time()
            run()
            took[name].append((time.process_time() - begin) / n * 1000)
    calls = counted.value / (n * rounds * len(work))
    whole, ours, bare = (statistics.median(took[name]) for name in work)
    show("ragviz, hosted judge", n, whole, calls=calls, importing=importing("import ragviz.judges.hosted, ragviz.backends.anthropic_client"),
         more=f"   {min(took['whole']):.2f} to {max(took['whole']):.2f}")
    show("of it the SDK with our transport", n, ours, calls=calls, importing=None)
    show(
        "the SDK as it comes, nothing else",
        n,
        bare,
        calls=calls,
        importing=importing("import anthropic"),
        more=f"   {min(took['sdk']):.2f} to {max(took['sdk']):.2f}",
    )
    return whole


def importing(code: str) -> float:
    done = subprocess.run(
        [sys.executable, "-c", f"import time; a = time.process_time(); {code}; print(time.process_time() - a)"],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).resolve().parent.parent,
    )
    return float(done.stdout)


if __name__ == "__main__":
    main()
