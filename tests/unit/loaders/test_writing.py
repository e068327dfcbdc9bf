"""What is written reads back."""

from __future__ import annotations

import io
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragviz.loaders import read, write_native, write_parquet, write_ragas, write_ragchecker
from ragviz.records import Fact, ImportedClaim, ImportedScore, ImportedVerdict, Passage, Side, Table, Trace, Usage, Verdict

TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=40)




def traces() -> st.SearchStrategy[list[Trace]]:
    """Traces with unique ids and an origin, as every loaded trace has."""
    passage = st.builds(
        lambda n, t, s: Passage(id=f"p{n}", doc_id=f"p{n}", text=t, rank=n, score=s, facts=(Fact(attribute="a", value=t),)),
        st.just(1),
        TEXT,
        st.none() | st.floats(0, 1),
    )
    one = st.builds(
        lambda q, r, p, ref: Trace(
            id="t", question=q, response=r, passages=p, reference=ref, origin="x.jsonl:1", usage=Usage(latency_ms=1.5), relevant_ids=frozenset({"p1"})
        ),
        TEXT,
        TEXT,
        st.none() | st.tuples() | st.tuples(passage),
        st.none() | TEXT,
    )
    return st.lists(one, min_size=1, max_size=4).map(
        lambda ts: [Trace(**{f: getattr(t, f) for f in Trace.__struct_fields__} | {"id": f"t{n}"}) for n, t in enumerate(ts)]
    )


@settings(max_examples=60, deadline=None)
@given(written=traces())
def test_native_reads_back_equal(written: list[Trace]) -> None:
    """JSON Lines and Parquet give the same records."""
    parquet = io.BytesIO()
    write_parquet(written, parquet)

    assert list(read(io.BytesIO(b"".join(write_native(written))), filename="f", format="native")) == written
    assert list(read(parquet, filename="f")) == written


A_TRACE = Trace(
    id="q1",
    question="Why?",
    response="So it is.",
    reference="Because.",
    relevant_ids=frozenset({"d1"}),
    scores=(ImportedScore(name="faithfulness", value=0.5),),
    passages=(Passage(id="d1", doc_id="d1", text="x", rank=1), Passage(id="d2", doc_id="d2", text="y", rank=2)),
    claims=(
        ImportedClaim(
            side=Side.RESPONSE,
            text="it is so",
            verdicts=(
                ImportedVerdict(table=Table.RESPONSE_X_PASSAGES, premise_id="d1", verdict=Verdict.ENTAILED, label="Entailment"),
                ImportedVerdict(table=Table.RESPONSE_X_PASSAGES, premise_id="d2", verdict=Verdict.NEUTRAL, label="Neutral"),
                ImportedVerdict(table=Table.RESPONSE_X_REFERENCE, premise_id="reference", verdict=Verdict.CONTRADICTED, label="Contradiction"),
            ),
        ),
    ),
)


def test_ragas_samples_read_back() -> None:
    """Question, answer, passages, ids, reference, scores."""
    found = next(t for t in read(io.BytesIO(b"".join(write_ragas([A_TRACE]))), filename="f") if isinstance(t, Trace))

    assert (found.question, found.response, found.reference, found.relevant_ids, found.scores) == (
        A_TRACE.question,
        A_TRACE.response,
        A_TRACE.reference,
        A_TRACE.relevant_ids,
        A_TRACE.scores,
    )
    assert [(p.doc_id, p.text) for p in found.passages or ()] == [("d1", "x"), ("d2", "y")]


def test_ragchecker_results_read_back_with_verdicts() -> None:
    """Claims and every label, under the same table and passage."""
    found = next(t for t in read(io.BytesIO(b"".join(write_ragchecker([A_TRACE]))), filename="f") if isinstance(t, Trace))

    assert (found.id, found.question, found.response, found.reference, found.passages) == (
        A_TRACE.id,
        A_TRACE.question,
        A_TRACE.response,
        A_TRACE.reference,
        A_TRACE.passages,
    )
    assert found.claims == A_TRACE.claims


MAKER = {"library": "ragas 0.4.3", "metric": "Faithfulness", "provider": "anthropic", "model": "claude-test"}


def test_two_tools_scores_of_one_name_stay_apart() -> None:
    """The file's under its name, Ragas' with its maker behind it; a second one of the same maker is numbered."""
    scores = (
        ImportedScore(name="faithfulness", value=0.5),
        ImportedScore(name="faithfulness", value=0.25, made_with=MAKER),
        ImportedScore(name="faithfulness", value=0.75),
        ImportedScore(name="response", value=1.0),
    )
    (line,) = write_ragas([Trace(id="q1", question="Why?", response="So.", passages=None, scores=scores)])
    sample = json.loads(line)

    assert sample["faithfulness"] == 0.5
    assert sample["faithfulness (ragas 0.4.3, claude-test, provider anthropic)"] == 0.25
    assert sample["faithfulness 2"] == 0.75
    assert (sample["response"], sample["response 2"]) == ("So.", 1.0)


SCORES = [
    {"name": "faithfulness", "value": 0.5},
    {"name": "faithfulness", "value": 0.25, "made_with": MAKER},
    {"name": "tone", "value": None, "label": "rude", "reason": "it shouts"},
]
NAMED = {"faithfulness": {"value": 0.5}, "tone": {"label": "rude", "reason": "it shouts"}}


@pytest.mark.parametrize(
    "fields",
    [
        {"response": "So.", "passages": [{"id": "a", "text": "x", "rank": 1}]},
        {"answer": "So.", "passages": [{"doc_id": "a", "text": "x"}], "reference_answer": "Because."},
    ],
    ids=["our record", "friendlier names"],
)
@pytest.mark.parametrize("given", [SCORES, NAMED], ids=["list", "by name"])
def test_scores_of_a_json_line(fields: dict[str, object], given: object) -> None:
    """As a list or by name, in either spelling of the record: value, label, reason and maker are kept."""
    line = json.dumps({"id": "q1", "question": "Why?", "scores": given} | fields).encode() + b"\n"
    (trace,) = read(io.BytesIO(line), filename="f.jsonl")

    assert isinstance(trace, Trace)
    assert [(s.name, s.value, s.label, s.reason, dict(s.made_with)) for s in trace.scores] == [
        ("faithfulness", 0.5, None, "", {}), *([("faithfulness", 0.25, None, "", MAKER)] if given is SCORES else []), ("tone", None, "rude", "it shouts", {}),
    ]
