"""The judge's own noise from the command line: a moody service is asked again, a judge that computes is not."""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ragviz.backends.embedder import BackendState, Embedder
from ragviz.cli.main import main
from ragviz.loaders import write_native
from ragviz.records import Passage, Trace
from ragviz.testing import MessagesServer, Scripted, message, verdicts
from ragviz.testing.messages_server import prompt_of
from tests.cli.test_commands import FIVE, as_json, ragviz


def runs(folder: Path, *, n: int = 12) -> None:
    """Two runs of the same answers on the same passages, worded apart only by their last sentence, which claims nothing in either."""
    for name, more in (("old", "Thank you."), ("new", "Thank you very much.")):
        traces = [
            Trace(id=f"q{i}", question=f"How long for kind {i}?", response=f"Kind {i} can be kept for 30 days. {more}",
                  passages=(Passage(id="p", text=f"Kind {i} can be kept for 30 days.", rank=1),))
            for i in range(n)
        ]
        (folder / f"{name}.jsonl").write_bytes(b"".join(write_native(traces)))


@pytest.fixture
def moody(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[MessagesServer]:
    """A service that finds support in four answers of five; of one claim it says now this and now that, whatever else it is asked in between."""
    asked: Counter[str] = Counter()

    def answer(request: dict[str, Any]) -> Scripted:
        text = prompt_of(request)
        bodies = re.findall(r"BEGIN PASSAGE (P\d+)\]\n(.*?)\n\[", text)
        rows = []
        for label, claim in re.findall(r"^(c\d+): (.*)$", text, re.MULTILINE):
            asked[claim] += 1
            finds = "kept" in claim and hashlib.sha256(f"{claim} {asked[claim]} a".encode()).digest()[0] % 5
            quotes = [{"passage": p, "relation": "supports", "quote": body} for p, body in bodies] if finds else []
            rows.append({"id": label, "reasoning": "so", "verdict": "supported" if quotes else "not_supported", "evidence": quotes, "confidence": 0.9})
        return message(verdicts(rows))

    monkeypatch.setattr(Embedder, "available", lambda _: BackendState(ok=False, reason="not here", fix="install"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RAGVIZ_STORE", str(tmp_path / "store.sqlite"))
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-test")
    runs(tmp_path)
    with MessagesServer(answer) as found:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", found.url)
        yield found


def said(*args: str) -> tuple[int, str]:
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        code = main(list(args))
    return code, out.getvalue()


def test_a_moody_judge_is_asked_again_and_its_flips_are_no_regression(moody: MessagesServer, tmp_path: Path) -> None:
    """The same claims on the same passages fall only by the judge's mood. Twenty answers are asked about again: the baseline's twelve, then eight of the candidate's."""
    (tmp_path / "gate.toml").write_text('no_regression = ["faithfulness"]\n', encoding="utf-8")
    command = ("gate", "new.jsonl", "--against", "old.jsonl", "--baseline", "old.jsonl", "--judge", "anthropic", "--rules", "gate.toml", "--json")
    code, out = said(*command)
    before = len(moody.requests)
    noise = json.loads(out)["baseline"]["noise"]

    assert code == 0
    assert (noise["traces"], noise["claims"], 0 < noise["rate"] < 0.6) == (20, 20, True)
    assert said(*command, "--noise", "0")[0] in (0, 1)
    assert json.loads(said(*command, "--noise", "0")[1])["baseline"]["noise"]["source"].startswith("not measured")
    assert len(moody.requests) < 3 * before


@pytest.mark.parametrize("worse", [False, True], ids=["only its mood", "four wrong answers"])
def test_four_cases_are_asked_about_until_moods_can_be_told(moody: MessagesServer, tmp_path: Path, *, worse: bool) -> None:
    """So few that every fall counts, but for what the judge said again: five answers of each case make a fall of all four certain, and a mood none."""
    runs(tmp_path, n=4)
    if worse:
        text = (tmp_path / "new.jsonl").read_text(encoding="utf-8")
        (tmp_path / "new.jsonl").write_text(text.replace("can be kept for 30 days. Thank", "are made of wood. Thank"), encoding="utf-8")
    (tmp_path / "gate.toml").write_text('no_regression = ["faithfulness"]\n', encoding="utf-8")
    code, out = said("gate", "new.jsonl", "--against", "old.jsonl", "--baseline", "old.jsonl", "--judge", "anthropic", "--rules", "gate.toml", "--json")
    (line,) = json.loads(out)["lines"]

    assert json.loads(out)["baseline"]["noise"]["traces"] == 20
    assert code == int(worse)
    assert not worse or "so every fall counts that is beyond the judge's own noise" in line["reason"]


def test_compare_asks_again_only_when_told(moody: MessagesServer) -> None:
    """--noise 5: five traces, expected flips in words; nothing of it is stored."""
    for name in ("old", "new"):
        assert said("import", f"{name}.jsonl", "--run", name)[0] == 0
        assert said("judge", name, "--judge", "anthropic")[0] == 0
    before = len(moody.requests)
    without = said("compare", "old", "new", "--judge", "anthropic")[1]
    asked = len(moody.requests) - before
    first = said("compare", "old", "new", "--judge", "anthropic", "--noise", "5")[1]
    again = said("compare", "old", "new", "--judge", "anthropic", "--json")[1]

    assert asked == 0
    assert "not measured" in without
    assert re.search(r"Judge noise: \d+ of \d+ claims got another verdict, .* 5 traces judged again by anthropic", first)
    assert re.search(r"By that alone about \d+, up to \d+, would flip here", first)
    assert [m["difference"] for m in json.loads(again)["metrics"] if m["metric"] == "faithfulness"] == [
        m["difference"] for m in json.loads(said("compare", "old", "new", "--judge", "anthropic", "--json")[1])["metrics"] if m["metric"] == "faithfulness"
    ]


def test_a_judge_that_computes_has_none(tmp_path: Path) -> None:
    """And the reason is said."""
    got = as_json(ragviz("compare", FIVE, FIVE, "--judge", "facts", "--noise", "5", "--json", cwd=tmp_path))
    words = ragviz("compare", FIVE, FIVE, "--judge", "facts", cwd=tmp_path).stdout

    assert got["judge_noise"]["rate"] == 0.0  # type: ignore[index]
    assert "Judge noise 0: the judge facts computes its verdicts and gives the same one each time" in words


@pytest.mark.parametrize("form", [(), ("--markdown",), ("--html", "out.html"), ("--json",)], ids=["words", "markdown", "html", "json"])
def test_without_references_no_answer_is_said_to_have_stayed_correct(tmp_path: Path, form: tuple[str, ...]) -> None:
    """A dash and why, in every form; and what judging cost stands apart as a fact without p."""
    runs(tmp_path)
    done = ragviz("compare", "old.jsonl", "new.jsonl", *form, cwd=tmp_path)
    told = (tmp_path / "out.html").read_text(encoding="utf-8") if "--html" in form else done.stdout

    assert "no pair has a correctness in both runs" in told
    if "--json" in form:
        got = json.loads(told)
        judging = [m for m in got["metrics"] if m["metric"].startswith("judge_")]
        assert (got["answers"], [(m["p"], m["p_holm"]) for m in judging]) == ([], [(None, None)] * len(judging))
        assert got["judging_cost"].startswith("What judging cost: judge time per claim (ms) ")
        return
    assert "Answers that became incorrect or correct: –" in told
    assert "became incorrect," not in told
    assert told.count("What judging cost: ") == 1
    assert "judge_ms_per_claim" not in told
    assert "judge ms per claim" not in told


def test_slices_answers_and_flips_are_told(tmp_path: Path) -> None:
    """One good answer of the five now says 90 days: it became incorrect, and that is for the worse, with its reason."""
    whole = json.loads(FIVE.read_text(encoding="utf-8"))
    row = next(row for row in whole["TRACES"] if row["name"] == "good_return")
    row.update(response="90 days.", response_claims=[["return_window", "90 days"]])
    (tmp_path / "worse.json").write_text(json.dumps(whole), encoding="utf-8")
    words = ragviz("compare", FIVE, "worse.json", "--judge", "facts", "-k", "2", cwd=tmp_path).stdout
    markdown = ragviz("compare", FIVE, "worse.json", "--judge", "facts", "-k", "2", "--markdown", cwd=tmp_path).stdout
    unknown = ragviz("compare", FIVE, FIVE, "--judge", "facts", "--slices", "beauty", cwd=tmp_path)

    assert "1 answer became incorrect, 0 became correct" in words
    assert "good_return became incorrect: 1.00 → 0.00 (claims changed" in words
    assert "| good\\_return | became incorrect | 1.00 → 0.00 | claims changed" in markdown
    assert "1 for the worse" in words
    assert unknown.returncode == 2
