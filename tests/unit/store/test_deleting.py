"""Deleting a run leaves no text behind."""

from __future__ import annotations

from pathlib import Path

from ragviz.records import Passage, Verdict
from ragviz.store import open_store
from tests.contracts.store_laws import VIEW, claim, judgement, manifest, note, plain, result

SECRET = "Xylophonkonfidenz"


def test_no_word_of_a_deleted_run_is_left_in_any_file(tmp_path: Path) -> None:
    """Question, answer, passage, tag, claim, rationale, note, result and cache: not in the database, its index or its log."""
    store = open_store(tmp_path / "s.sqlite")
    store.create_run(manifest())
    store.create_run(manifest("other"))
    store.add_traces("other", [plain("b")])
    secret = plain(
        "a",
        question=f"{SECRET} 1?",
        response=f"{SECRET} 2.",
        passages=(Passage(id="p", text=f"{SECRET} 3", rank=1, source=f"{SECRET} 4"),),
        tags={"who": f"{SECRET} 5"},
    )
    store.add_traces("run", [secret])
    store.add_claims("run", [claim("a", text=f"{SECRET} 6")])
    said = judgement("a", rationale=f"{SECRET} 7")
    store.add_judgements("run", [said], claim_set="rules")
    store.judgement_cache.put_many({"0" * 32: said}, run_id="run")
    store.annotate("run", note("a", reason=f"{SECRET} 8"))
    store.put_results(VIEW, [result("a", worst_claim=f"{SECRET} 9")])
    assert any(_holds(path) for path in tmp_path.iterdir())

    store.delete_run("run")

    assert [path.name for path in tmp_path.iterdir() if _holds(path)] == []
    assert [t.id for t in store.traces("other")] == ["b"]
    assert said.verdict is Verdict.ENTAILED
    store.close()


def _holds(path: Path) -> bool:
    raw = path.read_bytes().lower()
    # The word index cuts words into shared beginnings and rests.
    return SECRET.lower().encode() in raw or SECRET.lower().encode()[4:] in raw
