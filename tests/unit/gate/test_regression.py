"""A failure kept as a test: the files it writes are those that the gate reads."""

from __future__ import annotations

from pathlib import Path

import pytest

from ragviz.cli.main import main
from ragviz.errors import InputError, StoreError
from ragviz.gate.regression import CASES, RULES, keep
from ragviz.gate.rules import MustPass, read_rules
from ragviz.loaders import read, write_native
from ragviz.records import Grounding, ImportedClaim, ImportedVerdict, Passage, Side, Table, Trace, Verdict


def a_trace(trace_id: str = "case-1", question: str = "How long?", said: str = "90 days", verdict: Verdict = Verdict.CONTRADICTED) -> Trace:
    """An answer that says 90 days where the terms say 30, with its verdict."""
    passages = (Passage(id="terms", text="An unopened item can be sent back within 30 days of delivery.", rank=1),)
    response = f"An unopened item can be sent back within {said} of delivery."
    told = ImportedVerdict(table=Table.RESPONSE_X_PASSAGES, premise_id="terms", verdict=verdict, label=verdict.value)
    return Trace(
        id=trace_id, question=question, response=response, passages=passages, claims=(ImportedClaim(side=Side.RESPONSE, text=response, verdicts=(told,)),)
    )


def rules_of(folder: Path) -> tuple[MustPass, ...]:
    """What the gate would read."""
    return read_rules((folder / RULES).read_text(encoding="utf-8"), filename=RULES).must_pass


class TestKeep:
    def test_case_and_rule_are_what_the_gate_reads(self, tmp_path: Path) -> None:
        """One case, one rule."""
        kept = keep(tmp_path / "new", a_trace(), claim="30 days", verdict=Grounding.SUPPORTED)

        assert (kept.n_cases, kept.n_rules, kept.new_case, kept.new_rule) == (1, 1, True, True)
        assert next(iter(read(kept.folder / CASES))).id == "case-1"  # type: ignore[union-attr]
        assert rules_of(kept.folder) == (MustPass(case="case-1", claim="30 days", verdict=Grounding.SUPPORTED),)

    def test_twice_changes_nothing_and_another_claim_adds_a_rule(self, tmp_path: Path) -> None:
        """One case, two rules."""
        keep(tmp_path, a_trace(), claim="30 days", verdict=Grounding.SUPPORTED)

        assert keep(tmp_path, a_trace(), claim="30 days", verdict=Grounding.SUPPORTED)[1:] == (False, False, 1, 1)
        assert keep(tmp_path, a_trace(), claim="unopened", verdict=Grounding.SUPPORTED)[1:] == (False, True, 1, 2)
        assert keep(tmp_path, a_trace("case-2"), claim="c1", verdict=Grounding.CONTRADICTED)[1:] == (True, True, 2, 3)

    @pytest.mark.parametrize("words", ['say "x"', "back\\slash", "tab\tline\nfeed", "emoji 😀 \x7f", "'''", "é\u202e]]", "# no comment"])
    def test_any_words_survive_the_file(self, tmp_path: Path, words: str) -> None:
        """TOML reads back what was meant."""
        keep(tmp_path, a_trace(f"id {words}"), claim=words, verdict=Grounding.NOT_SUPPORTED)

        assert rules_of(tmp_path) == (MustPass(case=f"id {words}", claim=words, verdict=Grounding.NOT_SUPPORTED),)

    def test_a_hand_written_rules_file_is_kept(self, tmp_path: Path) -> None:
        """Its limits and comments stay; the rule goes to the end, also without a last line feed."""
        (tmp_path / RULES).write_text("# ours\n[each]\nfaithfulness = 0.9", encoding="utf-8")

        keep(tmp_path, a_trace(), claim="30 days", verdict=Grounding.SUPPORTED)

        text = (tmp_path / RULES).read_text(encoding="utf-8")
        assert text.startswith("# ours\n[each]\nfaithfulness = 0.9\n\n[[must_pass]]\n")
        assert len(rules_of(tmp_path)) == 1

    def test_what_cannot_be_kept_is_a_sentence(self, tmp_path: Path) -> None:
        """No words; another case of that name; a damaged file; a folder that is none. Nothing is written then."""
        keep(tmp_path, a_trace(), claim="30 days", verdict=Grounding.SUPPORTED)
        before = (tmp_path / RULES).read_text(encoding="utf-8")

        with pytest.raises(InputError, match="needs words"):
            keep(tmp_path, a_trace(), claim="  ", verdict=Grounding.SUPPORTED)
        with pytest.raises(InputError, match="already called"):
            keep(tmp_path, a_trace(question="What else?"), claim="x", verdict=Grounding.SUPPORTED)
        (tmp_path / RULES).write_text("[[must_pass", encoding="utf-8")
        with pytest.raises(InputError, match="not TOML"):
            keep(tmp_path, a_trace(), claim="x", verdict=Grounding.SUPPORTED)
        (tmp_path / "file").write_text("", encoding="utf-8")
        with pytest.raises(StoreError, match="cannot be written"):
            keep(tmp_path / "file", a_trace(), claim="x", verdict=Grounding.SUPPORTED)
        assert before.count("[[must_pass]]") == 1


def test_the_gate_fails_the_old_answer_and_passes_a_good_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The kept case as candidate: no claim of 30 days, exit 1. An answer of 30 days: exit 0."""
    kept = keep(tmp_path, a_trace(), claim="30 days", verdict=Grounding.SUPPORTED)
    good = tmp_path / "good.jsonl"
    good.write_bytes(b"".join(write_native([a_trace(said="30 days", verdict=Verdict.ENTAILED)])))
    against = ["--against", str(kept.folder / CASES), "--rules", str(kept.folder / RULES), "--judge", "imported"]

    assert main(["gate", str(kept.folder / CASES), *against]) == 1
    assert "makes no such claim" in capsys.readouterr().out
    assert main(["gate", str(good), *against]) == 0
