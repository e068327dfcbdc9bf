"""``ragviz remedy``: plan, run, refuse; killed and started again it asks for nothing twice."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ragviz.cli.remedy_arguments import REMEDIES, SCORES
from ragviz.records import ScoreKind
from ragviz.remedies import remedies
from ragviz.store import open_store
from ragviz.testing import MessagesServer, Scripted
from ragviz.testing.remedy_replies import material, remedy_reply
from tests.cli.hosted import at_home, ragviz

REPO = Path(__file__).resolve().parents[2]
N = 12
ALONE = """
import sys
import ragviz.pipeline.remedy_asking as asking
from ragviz.backends.embedder import BackendState, Embedder
from ragviz.cli.main import main
Embedder.available = lambda self: BackendState(False, "no", "no")
asking.PARALLEL_CALLS = 2
sys.exit(main(sys.argv[1:]))
"""


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[MessagesServer]:
    """The service, and a store with a run "old" of twelve wrong answers; no embeddings."""
    at_home(monkeypatch, tmp_path)
    rows = [
        {"id": f"q{n}", "question": f"How long is rule {n}?", "response": f"Rule {n} is 99 metres long. It was written by Ann.",
         "passages": [{"id": "p", "text": f"Rule {n} is {n + 3} pages long.", "score": 0.1 * n}]}
        for n in range(N)
    ]
    (tmp_path / "old.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    with MessagesServer(remedy_reply) as found:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", found.url)
        ragviz("import", "old.jsonl", "--run", "old")
        yield found


def test_words_of_the_options_are_those_of_the_library() -> None:
    """The parser must stay light, so it repeats them."""
    assert set(REMEDIES) == set(remedies.names())
    assert set(SCORES) == set(ScoreKind)


def test_a_plan_spends_nothing(server: MessagesServer) -> None:
    """Calls from one round to all of them, money and minutes; no run is made."""
    code, out, _ = ragviz("remedy", "old", "--remedy", "refine", "--plan", "--json")
    planned = json.loads(out)

    assert code == 0
    assert (planned["calls"], planned["most_calls"]) == (N, 3 * N)
    assert planned["cost_usd"] > 0
    assert server.requests == []


def test_a_remedy_from_the_command_line_can_be_compared_and_gated(server: MessagesServer) -> None:
    """The object says what it took and what it changed; compare pairs every trace."""
    code, out, err = ragviz("remedy", "old", "--remedy", "structured", "--select", "all", "--name", "new", "--json")
    found = json.loads(out)
    _, compared, _ = ragviz("compare", "old", "new", "--json")

    assert (code, err) == (0, "")
    assert found["statuses"]["changed"] == N
    assert found["calls"] == len(server.requests) == N
    assert found["effect"]["metrics"][0]["after"] == 1.0
    assert len(json.loads(compared)["pairing"]["pairs"]) == N
    assert json.loads(compared)["unfair"] == []


RULES = """
missing = "skip"
no_regression = ["faithfulness"]
[mean]
faithfulness = 0.9
abstained = { max = 0.1 }
"""


def test_the_gate_reads_a_remedied_run(server: MessagesServer, tmp_path: Path) -> None:
    """Against the cases of the run it was made from: structured answers pass where the old ones fail; a remedy that silences every answer is no way through."""
    (tmp_path / "gate.toml").write_text(RULES, encoding="utf-8")
    ragviz("remedy", "old", "--remedy", "structured", "--select", "all", "--name", "good")
    ragviz("remedy", "old", "--remedy", "gate", "--threshold", "1000", "--name", "silent")
    found = {name: ragviz("gate", name, "--against", "old", "--rules", "gate.toml", "--baseline", "old") for name in ("old", "good", "silent")}

    assert {name: code for name, (code, _, _) in found.items()} == {"old": 1, "good": 0, "silent": 1}
    assert "faithfulness" in found["old"][1]
    assert "abstained" in found["silent"][1]


def test_two_pairs_have_no_interval(server: MessagesServer) -> None:
    """As in every comparison of two runs: below six independent pairs nothing is said of spread."""
    _, few, _ = ragviz("remedy", "old", "--remedy", "structured", "--select", "all", "--limit", "2", "--name", "two")
    _, out, _ = ragviz("remedy", "old", "--remedy", "structured", "--select", "all", "--name", "twelve", "--json")
    effect = json.loads(out)["effect"]["metrics"][0]

    assert "too few" in few
    assert (effect["n_pairs"], effect["ci95"] is not None) == (N, True)


@pytest.mark.parametrize(("args", "says"), [
    (("--remedy", "gate"), "no threshold"),
    (("--remedy", "verify", "--select", "nonsense"), "selects nothing"),
    (("--remedy", "verify", "--select", "verdict=nonsense"), "no verdict named"),
    (("--remedy", "verify", "--select", "trace=nonsense"), "no trace of 'old' is selected"),
    (("--remedy", "verify", "--select", "tag=x"), "names no value"),
    (("--remedy", "verify", "--judge", "nonsense"), "no judge named"),
])
def test_what_cannot_work_is_one_sentence(server: MessagesServer, args: tuple[str, ...], says: str) -> None:
    """Exit 2 and a fix."""
    code, _, err = ragviz("remedy", "old", *args)

    assert code == 2
    assert says in err
    assert "Fix: " in err


def test_the_budget_stops_and_says_what_was_spent(server: MessagesServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """As for judging: its own exit code, one sentence; the same command with more money goes on."""
    monkeypatch.setattr("ragviz.pipeline.remedy_asking.PARALLEL_CALLS", 1)
    code, _, err = ragviz("remedy", "old", "--remedy", "constrained", "--max-tokens", "400")
    n = len(server.requests)
    again, out, _ = ragviz("remedy", "old", "--remedy", "constrained", "--json")

    assert code == 1
    assert "the budget of 400 tokens is spent" in err
    assert "Spent so far by this call" in err
    assert (again, len(server.requests), json.loads(out)["calls"]) == (0, N, N - n)


@pytest.mark.parametrize(
    "option", [("--target", "2"), ("--rounds", "99"), ("--rounds", "1.5"), ("--passages", "0"), ("--max-usd", "0"), ("--threshold", "nan")]
)
def test_numbers_out_of_range_are_refused(server: MessagesServer, option: tuple[str, str]) -> None:
    """By the parser, exit 2."""
    with pytest.raises(SystemExit) as stopped:
        ragviz("remedy", "old", "--remedy", "gate", *option)

    assert stopped.value.code == 2


def test_without_a_key_the_offline_remedies_work(server: MessagesServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """verify and gate ask nobody; the others say what is missing."""
    monkeypatch.delenv("ANTHROPIC_API_KEY")

    code, out, _ = ragviz("remedy", "old", "--remedy", "verify")
    assert (code, "The judge that removed them also scored the result" in out) == (0, True)
    assert ragviz("remedy", "old", "--remedy", "gate", "--threshold", "0.5")[0] == 0
    code, _, err = ragviz("remedy", "old", "--remedy", "refine")
    assert (code, "no API key" in err) == (2, True)
    assert server.requests == []


@pytest.mark.slow
def test_killed_with_minus_nine_it_goes_on(server: MessagesServer, tmp_path: Path) -> None:
    """The process dies in the middle of the calls; started again, every question was answered once, and the run is whole."""
    slow, answered, lock = threading.Event(), [], threading.Lock()
    slow.set()

    def reply(request: dict[str, Any]) -> Scripted:
        if slow.is_set() and len(answered) >= 5:
            time.sleep(30 if slow.is_set() else 0)
        with lock:
            answered.append(material(request)["QUESTION"])
        return remedy_reply(request)

    server._answer = reply
    command = [sys.executable, "-c", ALONE, "remedy", "old", "--remedy", "constrained", "--json"]
    env = {**os.environ, "PYTHONPATH": str(REPO)}
    first = subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    until = time.monotonic() + 300
    while len(server.requests) < 7 and time.monotonic() < until:
        time.sleep(0.05)
    first.send_signal(signal.SIGKILL)
    first.wait(timeout=300)
    before = list(answered)
    slow.clear()
    server._answer = lambda request: (answered.append(material(request)["QUESTION"]), remedy_reply(request))[1]
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=600, check=False)
    found = json.loads(done.stdout)
    store = open_store(tmp_path / "store.sqlite")

    assert done.returncode == 0
    assert len(before) == 5
    assert answered[5:] == [q for q in dict.fromkeys(answered[5:]) if q not in before]
    assert found["repeated"] + found["already"] >= 5
    assert found["calls"] == N - 5
    assert [run.name for run in store.runs()] == ["old · constrained", "old"]
    assert store.trace_ids(found["run_id"]) == [f"q{n}" for n in range(N)]
    assert store.is_finished(found["run_id"])
    store.close()
