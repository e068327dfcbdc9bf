"""Every kind of rule through `ragviz gate`: it passes what it should, fails what it should, and names what failed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from msgspec import structs

from ragviz.backends.embedder import BackendState, Embedder
from ragviz.loaders import write_native
from ragviz.records import ImportedClaim, ImportedVerdict, Passage, Side, Table, Trace, Usage, Verdict
from tests.cli.test_commands import Done, check_one_clear_sentence, ragviz


@pytest.fixture(autouse=True)
def _no_embeddings(monkeypatch: pytest.MonkeyPatch) -> None:
    """No rule here is about relevance."""
    monkeypatch.setattr(Embedder, "available", lambda _: BackendState(ok=False, reason="not here", fix="install"))


FAULTS = (0, 1)
"""Of ten cases, those whose only claim is not in the passages."""


def a_case(n: int, *, faulty: bool = False, abstains: bool = False, latency_ms: float = 100.0, found: bool = True, **fields: Any) -> Trace:
    """Case n with one claim and its verdict; its topic is returns for even numbers."""
    text = f"An item of kind {n} can be sent back within {90 if faulty else 30} days."
    told = ImportedVerdict(table=Table.RESPONSE_X_PASSAGES, premise_id="terms", verdict=Verdict.NEUTRAL if faulty else Verdict.ENTAILED, label="x")
    passages = (Passage(id="terms", doc_id="terms" if found else "other", text=f"An item of kind {n} can be sent back within 30 days.", rank=1),)
    claims = () if abstains else (ImportedClaim(side=Side.RESPONSE, text=text, verdicts=(told,)),)
    values: dict[str, Any] = {
        "question": f"How long for kind {n}?",
        "response": "I do not know." if abstains else text,
        "passages": passages,
        "claims": claims,
        "tags": {"topic": "returns" if n % 2 == 0 else "delivery"},
        "relevant_ids": frozenset({"terms"}),
        "usage": Usage(latency_ms=latency_ms, cost_usd=latency_ms / 1e5),
    }
    return Trace(id=f"case-{n}", **(values | fields))


def cases(n: int = 10, *, faults: Sequence[int] = (), **fields: Any) -> list[Trace]:
    """``n`` cases, those numbered in ``faults`` with an unsupported claim."""
    return [a_case(i, faulty=i in faults, **fields) for i in range(n)]


def gate(folder: Path, candidate: list[Trace], rules: str, *more: str, baseline: list[Trace] | None = None, gold: list[Trace] | None = None) -> Done:
    """The gate with the verdicts of the files."""
    files = {"candidate.jsonl": candidate, "gold.jsonl": gold or candidate, "baseline.jsonl": baseline or []}
    for name, traces in files.items():
        (folder / name).write_bytes(b"".join(write_native(traces)))
    (folder / "gate.toml").write_text(rules, encoding="utf-8")
    against = ("--baseline", "baseline.jsonl") if baseline is not None else ()
    return ragviz("gate", "candidate.jsonl", "--against", "gold.jsonl", "--rules", "gate.toml", "--judge", "imported", "-k", "1", *against, *more, cwd=folder)


RULES = [
    ("[each]\nfaithfulness = 1.0", "case-0"),
    ("[mean]\nfaithfulness = 0.9", "mean"),
    ("[mean]\nfaithfulness = { min = 0.7, lower_bound = 0.7 }", "mean"),
    ("[mean]\nhallucination = { max = 0.1 }", "mean"),
    ("[mean]\nhallucination = { upper_bound = 0.3 }", "mean"),
    ("[slice.topic.returns]\nfaithfulness = 0.9", "topic=returns"),
    ('[[must_pass]]\ncase = "case-1"\nclaim = "kind 1"\nverdict = "supported"', "case-1"),
]


@pytest.mark.parametrize(("rule", "scope"), RULES, ids=[r.split("\n")[0] + r.split("\n")[1] for r, _ in RULES])
def test_claims_rules_pass_the_good_and_fail_the_bad(tmp_path: Path, rule: str, scope: str) -> None:
    """All claims supported: exit 0. Two of ten not: exit 1, with the scope."""
    assert gate(tmp_path, cases(), rule).returncode == 0
    failed = gate(tmp_path, cases(faults=FAULTS), rule)
    assert failed.returncode == 1
    assert any(line.startswith(scope) for line in failed.stdout.splitlines())


@pytest.mark.parametrize(
    ("rule", "bad"),
    [
        ("[mean]\nrecall_at_1 = 0.9", {"found": False}),
        ("[mean]\nlatency_ms = { max = 200 }", {"latency_ms": 500.0}),
        ("[each]\nlatency_ms = { max = 200 }", {"latency_ms": 500.0}),
        ("[mean]\ncost_usd = { max = 0.002 }", {"latency_ms": 500.0}),
        ("[mean]\nabstained = { max = 0.2 }", {"abstains": True}),
    ],
)
def test_rules_about_retrieval_refusals_time_and_money(tmp_path: Path, rule: str, bad: dict[str, Any]) -> None:
    """A limit on recall, abstention, latency and cost holds for the good and breaks for the bad."""
    assert gate(tmp_path, cases(), rule).returncode == 0
    failed = gate(tmp_path, cases(**bad), rule, gold=cases())
    assert (failed.returncode, failed.stderr) == (1, "")


def test_an_average_cannot_pay_for_a_claim_that_must_hold(tmp_path: Path) -> None:
    """Nine of ten are right, enough for the mean; the one that must pass is the tenth."""
    rules = '[mean]\nfaithfulness = 0.9\n[[must_pass]]\ncase = "case-0"\nclaim = "kind 0"\nverdict = "supported"'
    failed = gate(tmp_path, cases(faults=[0]), rules, "--json")

    assert failed.returncode == 1
    (line,) = json.loads(failed.stdout)["failures"]
    assert line["scope"] == "case-0"
    assert [(claim["text"], claim["verdict"]) for claim in line["claims"]] == [("An item of kind 0 can be sent back within 90 days.", "not supported")]


def test_a_line_names_the_claims_to_blame(tmp_path: Path) -> None:
    """With their text and verdict, in the terminal, Markdown and JUnit."""
    done = gate(tmp_path, cases(faults=[0]), "[each]\nfaithfulness = 1.0", "--markdown", "gate.md", "--junit", "gate.xml")

    assert "not supported: “An item of kind 0 can be sent back within 90 days.”" in done.stdout
    assert "An item of kind 0 can be sent back within 90 days" in (tmp_path / "gate.md").read_text(encoding="utf-8")
    assert "An item of kind 0 can be sent back within 90 days" in (tmp_path / "gate.xml").read_text(encoding="utf-8")


def test_quarantined_cases_block_nothing(tmp_path: Path) -> None:
    """Neither by themselves nor through a mean, a slice or the baseline; they are reported."""
    rules = 'quarantine = ["case-0"]\nno_regression = ["faithfulness"]\n[each]\nfaithfulness = 1.0\n[mean]\nfaithfulness = 1.0\n[slice.topic.returns]\nfaithfulness = 1.0'
    passed = gate(tmp_path, cases(faults=[0]), rules, baseline=cases())

    assert passed.returncode == 0
    assert "in quarantine" in passed.stdout


class TestBaseline:
    def test_nothing_changed(self, tmp_path: Path) -> None:
        """The same answers: exit 0; verdicts of a file have a noise that nobody can measure any more, and that is said."""
        done = gate(tmp_path, cases(faults=FAULTS), 'no_regression = ["faithfulness", "recall_at_1"]', baseline=cases(faults=FAULTS))

        assert done.returncode == 0
        assert "Judge noise not known: the verdicts came with the file" in done.stdout

    def test_a_fall_beyond_chance_fails(self, tmp_path: Path) -> None:
        """40 cases, 10 of them worse: exit 1 with before, fall, interval and p."""
        done = gate(tmp_path, cases(40, faults=range(10)), 'no_regression = ["faithfulness"]', baseline=cases(40))

        assert done.returncode == 1
        assert "1.000 before, −0.250 over 40 cases (95 % interval −0." in done.stdout
        assert "more than chance" in done.stdout

    def test_a_fall_that_chance_explains_passes(self, tmp_path: Path) -> None:
        """40 cases, three worse and one better; and a rise is no regression."""
        rules = 'no_regression = ["faithfulness"]'

        assert gate(tmp_path, cases(40, faults=[0, 1, 2]), rules, baseline=cases(40, faults=[3])).returncode == 0
        assert gate(tmp_path, cases(40), rules, baseline=cases(40, faults=range(20))).returncode == 0

    def test_too_few_cases_to_tell_chance(self, tmp_path: Path) -> None:
        """Of four cases no p-value gets below 0.05: a rule that could never fail would check nothing, so every fall counts."""
        done = gate(tmp_path, cases(4, faults=[0]), 'no_regression = ["faithfulness"]', baseline=cases(4))

        assert done.returncode == 1
        assert "too few to tell chance" in done.stdout

    def test_a_fall_in_one_slice_fails_that_slice(self, tmp_path: Path) -> None:
        """Returns lose what delivery wins: the mean stays, the slice does not."""
        before, after = cases(60, faults=range(1, 40, 2)), cases(60, faults=range(0, 40, 2))
        rules = 'no_regression = ["faithfulness"]\n[slice.topic.returns]\nno_regression = ["faithfulness"]'
        failures = json.loads(gate(tmp_path, after, rules, "--json", baseline=before).stdout)["failures"]

        assert [(line["scope"], line["metric"]) for line in failures] == [("topic=returns", "faithfulness")]

    @pytest.mark.parametrize("change", ["corpus", "questions"])
    def test_what_differs_beside_the_system_blocks_unless_allowed(self, tmp_path: Path, change: str) -> None:
        """Another text under the same document, a case the baseline lacks: exit 1 with the name; allowed by that name: exit 0."""
        candidate = cases(12)
        baseline = {
            "corpus": [a_case(i, passages=(Passage(id="terms", doc_id="terms", text="An older text.", rank=1),)) for i in range(12)],
            "questions": cases(11),
        }[change]
        refused = gate(tmp_path, candidate, 'no_regression = ["faithfulness"]', "--json", baseline=baseline, gold=candidate)
        found = json.loads(refused.stdout)
        allowed = gate(tmp_path, candidate, f'no_regression = ["faithfulness"]\nallow = ["{change}"]', baseline=baseline, gold=candidate)

        assert refused.returncode == 1
        assert [u["name"] for u in found["baseline"]["differences"]] == [change]
        assert [line["metric"] for line in found["failures"]] == [change]
        assert allowed.returncode == 0
        assert "allowed by name" in allowed.stdout

    def test_a_stored_run_can_be_the_baseline(self, tmp_path: Path) -> None:
        """By its name."""
        (tmp_path / "old.jsonl").write_bytes(b"".join(write_native(cases(10))))
        assert ragviz("import", "old.jsonl", "--run", "v6", cwd=tmp_path).returncode == 0
        done = gate(tmp_path, cases(10, faults=[0]), 'no_regression = ["faithfulness"]', "--baseline", "v6", "--json")

        assert json.loads(done.stdout)["baseline"]["name"] == "v6"
        assert json.loads(done.stdout)["baseline"]["pairs"] == 10

    def test_without_a_rules_file_nothing_may_get_worse(self, tmp_path: Path) -> None:
        """The default rules, and each of their metrics against the baseline; without an expected answer there is no correctness to fall."""
        gate(tmp_path, cases(), "[each]\nfaithfulness = 1", baseline=cases())
        bare = ragviz(
            "gate", "candidate.jsonl", "--against", "gold.jsonl", "--baseline", "baseline.jsonl", "--judge", "imported", "-k", "1", "--json", cwd=tmp_path
        )
        gate(tmp_path, cases(), "[each]\nfaithfulness = 1", baseline=cases(), gold=cases(reference="Within 30 days."))
        done = ragviz(
            "gate", "candidate.jsonl", "--against", "gold.jsonl", "--baseline", "baseline.jsonl", "--judge", "imported", "-k", "1", "--json", cwd=tmp_path
        )

        assert {line["metric"] for line in json.loads(done.stdout)["lines"] if line["scope"] == "both runs"} == {
            "faithfulness",
            "relevance",
            "correctness",
            "recall_at_1",
        }
        assert {line["metric"] for line in json.loads(bare.stdout)["lines"] if line["scope"] == "both runs"} == {"faithfulness", "relevance", "recall_at_1"}

    @pytest.mark.parametrize(
        ("rules", "with_baseline"),
        [
            ('no_regression = ["faithfulness"]', False),
            ("[mean]\nfaithfulness = 0.5", True),
            ('no_regression = ["beauty"]', True),
            ('no_regression = ["faithfulness"]\nallow = ["luck"]', True),
            ('[slice.topic.none]\nno_regression = ["faithfulness"]', True),
            ("[slice.topic.returns]", True),
        ],
    )
    def test_rules_that_check_nothing_are_refused(self, tmp_path: Path, rules: str, with_baseline: bool) -> None:
        """No baseline for the rule, no rule for the baseline, an unknown metric, difference or slice, an empty slice: exit 2."""
        check_one_clear_sentence(gate(tmp_path, cases(), rules, baseline=cases() if with_baseline else None))

    def test_a_baseline_of_other_cases_is_refused(self, tmp_path: Path) -> None:
        """Nothing in common, or one case twice."""
        strange = [a_case(i, question="?") for i in range(50, 55)]
        check_one_clear_sentence(gate(tmp_path, cases(), 'no_regression = ["faithfulness"]', baseline=strange))
        check_one_clear_sentence(gate(tmp_path, cases(), 'no_regression = ["faithfulness"]', baseline=[*cases(), a_case(0)]))


class TestKnownFailures:
    def test_each_must_still_be_detected(self, tmp_path: Path) -> None:
        """Both known failures fail a rule: exit 0. One that no rule catches any more: exit 1 with its name."""
        rules = "[each]\nfaithfulness = 1.0"

        assert gate(tmp_path, cases(2, faults=[0, 1]), rules, "--expect-failures").returncode == 0
        missed = gate(tmp_path, cases(2, faults=[0]), rules, "--expect-failures")
        assert (missed.returncode, "case-1" in missed.stdout, "no longer detected" in missed.stdout) == (1, True, True)

    def test_have_no_baseline(self, tmp_path: Path) -> None:
        """The two questions are apart."""
        check_one_clear_sentence(gate(tmp_path, cases(), 'no_regression = ["faithfulness"]', "--expect-failures", baseline=cases()))


def test_alike_failures_are_told_together(tmp_path: Path) -> None:
    """200 cases without a value: five lines, then how many more and some names; JSON and JUnit stay complete."""
    many = [a_case(i, relevant_ids=None) for i in range(200)]
    done = gate(tmp_path, many, "[each]\nrecall_at_1 = 1.0", "--markdown", "gate.md", "--junit", "gate.xml")
    full = json.loads(gate(tmp_path, many, "[each]\nrecall_at_1 = 1.0", "--json").stdout)

    assert len(done.stdout.splitlines()) < 12
    assert "and 195 more: case-5, case-6," in done.stdout
    assert len((tmp_path / "gate.md").read_text(encoding="utf-8").splitlines()) < 16
    assert len(full["failures"]) == 200
    assert sum(int(s.get("failures", "0")) for s in ET.fromstring((tmp_path / "gate.xml").read_bytes())) == 200



def test_exports_that_name_each_trace_anew_are_gated(tmp_path: Path) -> None:
    """Candidate and baseline ask the cases' questions under other ids: paired by question, the same lines as with the cases' ids, and it is said."""
    rules = "[each]\nfaithfulness = 1.0\n[mean]\nfaithfulness = 0.9\n"
    same = gate(tmp_path, cases(faults=FAULTS), rules, "--json")
    renamed = [a_case(n, faulty=n in FAULTS, tags={}) for n in reversed(range(10))]
    renamed = [structs.replace(t, id=f"span-{n}") for n, t in enumerate(renamed)]
    other = gate(tmp_path, renamed, rules, "--json", gold=cases())
    words = gate(tmp_path, renamed, 'no_regression = ["faithfulness"]\n' + rules, gold=cases(), baseline=renamed)

    assert json.loads(other.stdout)["lines"] == json.loads(same.stdout)["lines"]
    assert (json.loads(other.stdout)["paired"], "paired" in json.loads(same.stdout)) == ("paired by question: ids differ", False)
    assert words.stdout.count("paired by question: ids differ") == 2
