"""Retrieval: numbers equal to the metrics, a worked example, and an honest page without labels."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import msgspec
from streamlit.testing.v1 import AppTest

from ragviz.pipeline import import_files
from ragviz.store import Store
from tests.app.five import five_cases, shown
from tests.browser.scenario import a_rich_case
from tests.stored import fill

Open = Callable[..., AppTest]


def test_empty_store(app_store: Store, no_samples: None, open_at: Open) -> None:
    """A sentence and a way out."""
    app = open_at("retrieval")

    assert not app.exception
    assert "No traces yet" in shown(app)


def test_means_of_the_five_cases(app_store: Store, open_at: Open) -> None:
    """Three of five questions find their passage: recall 0.6 at k = 5, precision 3 / 25."""
    five_cases(app_store)

    app = open_at("retrieval")

    assert not app.exception
    assert "5 questions with labels" in shown(app)
    assert ["**Recall@k**", "**0.600**"] in [[a.value, b.value] for a, b in zip(app.markdown, app.markdown[1:], strict=False)]
    assert "**0.120**" in shown(app)
    assert "2 questions with something missing in the first 5" in shown(app)


def test_contract_and_worked_example(app_store: Store, open_at: Open) -> None:
    """Recall of a trace that misses its passage: 0 / 1, from the user's own data."""
    five_cases(app_store)

    app = open_at("retrieval", m="recall", example="lucky_guess")

    assert "Worked example, lucky_guess" in [t.value for t in app.text]
    assert "R@5 \\= 0 / 1 \\= 0\\.000" in shown(app) or "R@5 = 0 / 1 = 0\\.000" in shown(app)


def test_without_labels_nothing_is_zero(app_store: Store, open_at: Open) -> None:
    """The page says that nothing is labelled and how labels can come."""
    case = a_rich_case()
    trace = msgspec.structs.replace(
        case.trace, relevant_ids=None, relevance_grades=None, relevant_texts=None,
        passages=tuple(msgspec.structs.replace(p, relevance=None) for p in case.trace.passages or ()),
    )
    fill(app_store, msgspec.structs.replace(case, trace=trace))

    app = open_at("retrieval")

    assert not app.exception
    assert "No relevance labels in this run" in shown(app)
    assert "0.000" not in shown(app)


def test_slices_against_the_other_questions(app_store: Store, open_at: Open, tmp_path: Path) -> None:
    """Four questions on a find their passage at rank 1, three on b never do: recall 1 against 0, worst first."""
    rows = [
        {
            "id": f"{topic}{n}",
            "question": f"{topic} {n}?",
            "response": "Yes.",
            "passages": [{"id": "right" if topic == "a" else "wrong", "text": "Yes."}],
            "relevant_ids": ["right"],
            "tags": {"topic": topic},
        }
        for topic, size in (("a", 4), ("b", 3))
        for n in range(size)
    ]
    path = tmp_path / "two.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    import_files(app_store, [path])

    app = open_at("retrieval")
    table = next(d.value for d in app.dataframe if "slice" in d.value)

    assert not app.exception
    assert table[["slice", "questions", "recall@5", "the others"]].to_numpy().tolist() == [["topic: b", 3, "0.000", "1.000"], ["topic: a", 4, "1.000", "0.000"]]
