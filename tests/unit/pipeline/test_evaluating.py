"""The object of ``evaluate --json``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ragviz.cli.evaluating import words
from ragviz.errors import InputError
from ragviz.judges.local import LocalJudge
from ragviz.pipeline import evaluate, import_files, retrieval_curves, view_of
from ragviz.pipeline.checking import check_claim
from ragviz.records import Passage
from ragviz.reports.html import evaluation_html
from ragviz.reports.markdown import evaluation_markdown
from ragviz.store import open_store
from tests.unit.pipeline.fakes import WordJudge, a_file

pytestmark = pytest.mark.usefixtures("no_raters")


def test_the_object_has_the_promised_shape(tmp_path: Path) -> None:
    """Keys and their order; one claim with its certificate; a citation judged against its own source; an invented one."""
    path = a_file(tmp_path, 1, response="The sky is blue [1] [7].")
    found = json.loads(evaluate([path], judge=WordJudge(), k=2).to_json())

    assert list(found) == ["run", "k", "judge", "policy", "traces", "summary", "issues"]
    assert (found["run"], found["k"], found["judge"]["judge"], found["policy"]) == ("traces", 2, "words", "default")
    trace = found["traces"][0]
    assert list(trace) == ["id", "question", "quadrant", "cause", "scores", "claims", "cause_detail", "cause_evidence"]
    assert list(trace["scores"]["faithfulness"]) == ["value", "status", "support", "unjudged", "reason"]
    claim = trace["claims"][0]
    assert list(claim) == ["id", "text", "verdict", "confidence", "evidence", "citations", "hallucination_type", "calibrated", "reason"]
    assert list(found["summary"]["faithfulness"]) == ["macro", "micro", "n", "undefined", "coverage", "ci95"]
    assert {"precision_at_2", "recall_at_2", "ndcg_at_2"} <= set(trace["scores"])
    assert [(c["marker"], c["passage_id"]) for c in claim["citations"]] == [("[1]", "p1"), ("[7]", None)]
    assert claim["citations"][1]["verdict"] == "source_not_found"
    passages = {"p1": "The sky is blue.", "p2": "Grass is green."}
    assert all(passages[e["passage_id"]][e["start"] : e["end"]] == e["quote"] for e in claim["evidence"])


def test_a_claim_says_why_in_the_words_of_a_check(tmp_path: Path) -> None:
    """The same judge, claim and passages: the same reason, for people and machines alike."""
    found = evaluate([a_file(tmp_path, 1, response="The sky is blue. Grass is purple.")], judge=LocalJudge(embeddings=False))
    passages = (Passage(id="p1", text="The sky is blue.", rank=1), Passage(id="p2", text="Grass is green.", rank=2))

    assert len(found.traces[0].claims) == 2
    for claim in found.traces[0].claims:
        assert claim.reason
        assert claim.reason == check_claim(claim.text, passages, LocalJudge(embeddings=False)).reason


def test_scores_of_other_tools_stand_beside_ours(tmp_path: Path) -> None:
    """Mean, n and how many have no number, under their own key: the tool's faithfulness is not ours."""
    rows = [
        {"user_input": f"What is {n}?", "response": "The sky is blue.", "retrieved_contexts": ["The sky is blue."], "faithfulness": score, "tone": "friendly"}
        for n, score in enumerate((0.25, 0.75, None))
    ]
    (tmp_path / "f.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")

    found = evaluate([tmp_path / "f.jsonl"], judge=WordJudge())
    told = json.loads(found.to_json())

    theirs = told["imported_scores"]["faithfulness"]
    assert (theirs["mean"], theirs["n"], theirs["missing"]) == (0.5, 2, 1)
    assert {trace: one["value"] for trace, one in theirs["by_trace"].items()} == {"row-1": 0.25, "row-2": 0.75, "row-3": None}
    assert told["summary"]["faithfulness"]["macro"] == 1.0
    for shown in (words(found), evaluation_markdown(found), evaluation_html(found)):
        assert "theirs, not recomputed" in shown


def test_strict_k_names_the_traces_it_refuses(tmp_path: Path) -> None:
    """Two passages where three are required, and where one is repeated."""
    with pytest.raises(InputError, match=r"exactly 3 distinct passages.*q0 \(2\), q1 \(2\)"):
        evaluate([a_file(tmp_path, 2)], judge=WordJudge(), k=3, strict_k=True)
    assert evaluate([a_file(tmp_path, 2)], judge=WordJudge(), k=2, strict_k=True).traces
    with pytest.raises(InputError, match="needs -k"):
        evaluate([a_file(tmp_path, 2)], judge=WordJudge(), strict_k=True)


def test_an_unreadable_file_is_one_sentence(tmp_path: Path) -> None:
    """With its fix, and the file's name once."""
    path = tmp_path / "nothing.jsonl"
    path.write_text("")
    with pytest.raises(InputError) as caught:
        evaluate([path], judge=WordJudge())
    assert caught.value.message.count("nothing.jsonl") == 1


def test_curves_equal_the_metrics(tmp_path: Path) -> None:
    """P@k and the others at each k, as the metric of that k gives it."""
    path = tmp_path / "t.jsonl"
    rows = [
        {"id": "a", "question": "A?", "response": "A.", "passages": [{"id": p, "text": p} for p in "xyzx"], "relevant_ids": ["x", "z", "far"]},
        {"id": "b", "question": "B?", "response": "B.", "passages": [], "relevant_ids": ["x"]},
        {"id": "c", "question": "C?", "response": "C.", "passages": [{"id": "y", "text": "y", "relevance": 0}]},
        {"id": "d", "question": "D?", "response": "D.", "passages": [{"id": "y", "text": "y"}]},
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    store = open_store(":memory:")
    run_id = import_files(store, [path]).run_id
    curves = retrieval_curves(store, view_of(store, run_id, WordJudge()), ks=(1, 2, 3, 5, 20))

    ids = [store.trace_ids(run_id)[n] for n in curves.positions]
    assert (ids, curves.n_unlabelled) == (["a", "b", "c"], 1)
    assert (list(curves.padded), list(curves.duplicates)) == ([1, 3, 5, 10, 55], [0, 0, 0, 1, 1])
    for column, k in enumerate(curves.ks):
        traces = {t.id: t for t in evaluate([path], judge=WordJudge(), k=k).traces}
        for row, trace_id in enumerate(ids):
            for name in ("precision", "recall", "hit", "reciprocal_rank", "average_precision", "ndcg"):
                value = traces[trace_id].scores[f"{name}_at_{k}"].value
                assert curves.at(name, k)[row] == pytest.approx(curves.of(name)[row, column], nan_ok=True)
                expected = value if value is not None else float("nan")
                assert curves.of(name)[row, column] == pytest.approx(expected, nan_ok=True), (name, trace_id, k)


def test_the_five_cases_come_out_in_every_number(shared: Path) -> None:
    """From the file alone: six scores and the quadrant of each case, both pooled figures."""
    expected = json.loads((shared / "tutorial" / "expected.json").read_text())
    found = evaluate([shared / "tutorial" / "five_cases.json"], judge="facts", k=2, strict_k=True)

    assert expected["cases"] == {t.id: {name: t.scores[name].value for name in expected["cases"][t.id]} for t in found.traces}
    assert expected["quadrant"] == {t.id: t.quadrant for t in found.traces}
    assert expected["micro_unsupported_claim_rate"]["value"] == found.summary["hallucination"].micro
    assert expected["macro_correctness_f1"] == found.summary["correctness"].macro
