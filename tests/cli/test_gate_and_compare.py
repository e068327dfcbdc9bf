"""`ragviz gate` and `ragviz compare` on the tutorial's candidates."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from ragviz.cli.main import main
from tests.cli.test_commands import FIVE, as_json, check_one_clear_sentence, ragviz


@pytest.fixture
def rows(shared: Path) -> list[dict[str, object]]:
    """The candidate that passes."""
    return json.loads((shared / "tutorial" / "candidate_pass.json").read_text(encoding="utf-8"))  # type: ignore[no-any-return]


def gate(candidate: Path, folder: Path, *more: str) -> tuple[int, str, str]:
    """Exit code and what was said."""
    done = ragviz("gate", candidate, "--against", FIVE, "-k", "2", "--judge", "facts", *more, cwd=folder)
    return done.returncode, done.stdout, done.stderr


class TestGate:
    def test_the_good_candidate_passes(self, shared: Path, tmp_path: Path) -> None:
        """Exit 0."""
        assert gate(shared / "tutorial" / "candidate_pass.json", tmp_path)[0] == 0

    def test_the_bad_one_fails_with_case_metric_value_and_limit(self, shared: Path, tmp_path: Path) -> None:
        """Exit 1; JUnit and Markdown say the same."""
        code, out, _ = gate(shared / "tutorial" / "candidate_fail.json", tmp_path, "--junit", "gate.xml", "--markdown", "gate.md")

        assert code == 1
        assert any(all(part in line for part in ("extra_claim", "faithfulness", "0.500", "0.95")) for line in out.splitlines())
        suites = ET.fromstring((tmp_path / "gate.xml").read_bytes())
        assert sum(int(s.get("failures", "0")) for s in suites) == out.count(" is below ")
        assert "✕ Fail" in (tmp_path / "gate.md").read_text(encoding="utf-8")

    @pytest.mark.parametrize("fault", ["missing", "duplicate", "unknown"])
    def test_each_case_must_be_answered_exactly_once(self, rows: list[dict[str, object]], tmp_path: Path, fault: str) -> None:
        """Exit 2, and the case is named."""
        changed = {"missing": rows[1:], "duplicate": [*rows, rows[0]], "unknown": [*rows, {**rows[0], "name": "stranger"}]}[fault]
        (tmp_path / "candidate.json").write_text(json.dumps(changed), encoding="utf-8")
        code, _, err = gate(tmp_path / "candidate.json", tmp_path)

        assert code == 2
        assert ("stranger" if fault == "unknown" else "good_return") in err

    def test_an_empty_candidate_is_one_fault(self, tmp_path: Path) -> None:
        """The known cases, which may hold the passages that it names, are none."""
        (tmp_path / "empty.jsonl").write_bytes(b"")

        assert gate(tmp_path / "empty.jsonl", tmp_path) == (2, "", "Error: empty.jsonl: the file is empty.\nFix: check the export that wrote it.\n")

    def test_the_candidate_cannot_bring_its_own_truth(self, rows: list[dict[str, object]], tmp_path: Path) -> None:
        """A wrong answer with a matching "reference" and labels still fails."""
        forged = [{**row, "expected_claims": row["response_claims"], "relevant_documents": row["retrieved"], "reference": row["response"]} for row in rows]
        forged[3] |= {
            "response_claims": [["return_window", "90 days"]],
            "expected_claims": [["return_window", "90 days"]],
            "retrieved": ["returns_mirror", "packaging"],
            "relevant_documents": ["returns_mirror"],
        }
        (tmp_path / "candidate.json").write_text(json.dumps(forged), encoding="utf-8")

        assert gate(tmp_path / "candidate.json", tmp_path)[0] == 1

    def test_rules_from_toml(self, shared: Path, tmp_path: Path) -> None:
        """Must-pass claims and averages; a rule that names nothing known is refused."""
        (tmp_path / "good.toml").write_text(
            '[mean]\nfaithfulness = 0.9\n[[must_pass]]\ncase = "good_return"\nclaim = "30 days"\nverdict = "supported"\n', encoding="utf-8"
        )
        (tmp_path / "typo.toml").write_text("[each]\nfaithfulnes = 0.9\n", encoding="utf-8")
        candidate = shared / "tutorial" / "candidate_pass.json"

        assert gate(candidate, tmp_path, "--rules", "good.toml")[0] == 0
        assert gate(candidate, tmp_path, "--rules", "typo.toml")[0] == 2

    def test_known_failures_must_stay_detected(self, rows: list[dict[str, object]], shared: Path, tmp_path: Path) -> None:
        """With --expect-failures the good candidate fails: nothing is detected in it."""
        assert gate(shared / "tutorial" / "candidate_pass.json", tmp_path, "--expect-failures")[0] == 1


    def test_what_needs_labels_that_nobody_has_is_not_gated_and_named(self, tmp_path: Path) -> None:
        """
        A file as from Ragas has no relevance labels, one of a log no references either: the default rules ask the rest, say what they left
        out, and still find a fault.
        """
        case = {
            "id": "q1",
            "user_input": "How long?",
            "response": "It takes 30 days.",
            "retrieved_contexts": ["It takes 30 days."],
            "reference": "It takes 30 days.",
        }
        bare = {name: value for name, value in case.items() if name != "reference"}
        for name, rows in {
            "ragas": [case],
            "log": [bare],
            "wrong": [bare | {"response": "It takes 90 days."}],
            "forged": [case | {"response": "It takes 90 days.", "retrieved_contexts": None}],
        }.items():
            (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")

        ragas, log = (ragviz("gate", f"{name}.jsonl", "--against", f"{name}.jsonl", "--judge", "local", cwd=tmp_path) for name in ("ragas", "log"))

        assert (ragas.returncode, log.returncode) == (0, 0)
        assert "Not gated: recall_at_5 (no known case has relevance labels)." in ragas.stdout
        assert "Not gated: correctness (no known case has an expected answer); recall_at_5 (no known case has relevance labels)." in log.stdout
        assert "Relevance is asked from 0.5 only" in log.stdout
        assert "Relevance is asked" not in ragviz("gate", FIVE, "--against", FIVE, "--judge", "facts", cwd=tmp_path).stdout
        assert json.loads(ragviz("gate", "log.jsonl", "--against", "log.jsonl", "--json", cwd=tmp_path).stdout)["not_gated"].keys() == {
            "correctness",
            "recall_at_5",
        }
        assert ragviz("gate", "wrong.jsonl", "--against", "log.jsonl", "--judge", "local", cwd=tmp_path).returncode == 1
        assert ragviz("gate", "forged.jsonl", "--against", "log.jsonl", "--judge", "local", cwd=tmp_path).returncode == 1

    def test_what_a_rule_asks_is_never_left_out(self, tmp_path: Path) -> None:
        """A metric that a rules file names and no case has fails, and the way out is said."""
        case = {"id": "q1", "user_input": "How long?", "response": "It takes 30 days.", "retrieved_contexts": ["It takes 30 days."]}
        (tmp_path / "cases.jsonl").write_text(
            json.dumps(case) + "\n" + json.dumps({**case, "id": "q2", "user_input": "How many days?"}) + "\n", encoding="utf-8"
        )
        (tmp_path / "gate.toml").write_text("[each]\nfaithfulness = 0.9\nrecall_at_5 = 0.9\n", encoding="utf-8")

        done = ragviz("gate", "cases.jsonl", "--against", "cases.jsonl", "--judge", "local", "--rules", "gate.toml", cwd=tmp_path)

        assert done.returncode == 1
        assert "recall_at_5 has no value in any case" in done.stdout
        assert 'missing = "skip"' in done.stdout
        assert "faithfulness has no value" not in done.stdout

    def test_the_example_rules_gate_a_log_without_labels(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        """What `ragviz gate --example` prints, as it is: it passes good answers with a refusal among them, and fails a contradicted one."""
        good = [
            {"id": f"q{n}", "user_input": f"How long does {thing} take?", "response": f"It takes {n} days.", "retrieved_contexts": [f"{thing} takes {n} days."]}
            for n, thing in enumerate(("Delivery", "A refund", "Repair", "A reply", "An upgrade"), start=3)
        ]
        good[4]["response"] = "I could not find this in the documents."
        (tmp_path / "good.jsonl").write_text("".join(json.dumps(row) + "\n" for row in good), encoding="utf-8")
        (tmp_path / "bad.jsonl").write_text(
            "".join(json.dumps(row) + "\n" for row in [good[0] | {"response": "It takes 90 days."}, *good[1:]]), encoding="utf-8"
        )
        with pytest.raises(SystemExit) as ended:
            main(["gate", "--example"])
        (tmp_path / "gate.toml").write_text(capsys.readouterr().out, encoding="utf-8")
        assert ended.value.code == 0

        done = {
            name: ragviz("gate", f"{name}.jsonl", "--against", "good.jsonl", "--judge", "local", "--rules", "gate.toml", cwd=tmp_path)
            for name in ("good", "bad")
        }

        assert {name: d.returncode for name, d in done.items()} == {"good": 0, "bad": 1}, done["good"].stdout
        assert "contradicted_rate" in done["bad"].stdout


class TestCompare:
    def test_a_run_against_itself_shows_nothing(self, tmp_path: Path) -> None:
        """No difference, no flip, no unfairness."""
        got = as_json(ragviz("compare", FIVE, FIVE, "--judge", "facts", "-k", "2", "--json", cwd=tmp_path))

        assert (got["trace_flips"], got["claim_flips"], got["unfair"]) == ([], [], [])
        assert {m["difference"] for m in got["metrics"] if m["n"]} == {0.0}  # type: ignore[attr-defined, index]

    def test_markdown_for_a_pull_request(self, tmp_path: Path) -> None:
        """A table of differences."""
        assert "| faithfulness | 0.700 | 0.700 |" in ragviz("compare", FIVE, FIVE, "--judge", "facts", "-k", "2", "--markdown", cwd=tmp_path).stdout

    def test_an_unknown_run_is_told(self, tmp_path: Path) -> None:
        """Neither file nor run."""
        check_one_clear_sentence(ragviz("compare", FIVE, "nothing", "--judge", "facts", cwd=tmp_path))
