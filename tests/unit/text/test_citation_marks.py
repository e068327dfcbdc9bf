"""Citation styles and what they resolve to."""

from __future__ import annotations

import time
from collections.abc import Sequence

import pytest

from ragviz.records import Citation, Passage, Span, Trace
from ragviz.text.citation_marks import citation_marks, resolve_citations, trailing_sources


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("a [1].", [("1",)]),
        ("a [1, 3-5]", [("1", "3", "4", "5")]),
        ("a [1][2]", [("1",), ("2",)]),
        ("a [Source 1, Source 2]", [("1", "2")]),
        ("a (doc 2), (see passages 1 and 3)", [("2",), ("1", "3")]),
        ("a [^1] b [Quelle 2]", [("1",), ("2",)]),
        ("a [9](https://example.org/x_(y))", [("9",)]),
        ("a 【1†source】", [("1",)]),
        ("word¹ and done.²", [("1",), ("2",)]),
        ("5 m², 10², `a[1]`, in [2024], [x] [ ] (30 days)", []),
        ("a (Smith2020 pages 1-3, Doe2019 chunk 2)", [("Smith2020 pages 1-3", "Doe2019 chunk 2")]),
        ("a [kb-7] (kb-7) [kb-99] [kb-7; kb-8]", [("kb-7",), ("kb-7",), ("kb-99",), ("kb-7", "kb-8")]),
    ],
)
def test_styles(text: str, labels: list[tuple[str, ...]]) -> None:
    """Each style, with ranges spelled out; units, years, code and plain brackets are none."""
    assert labels == [m.labels for m in citation_marks(text, ["kb-7", "kb-8"])]


@pytest.mark.parametrize(
    ("text", "sources"),
    [
        ("It is so. Sources: [1], [2]", "Sources: [1], [2]"),
        ("It is so.\n\n**Sources**\n- [1] Returns\n- [2] Post", "**Sources**\n- [1] Returns\n- [2] Post"),
        ("Das gilt.\n\nQuellen:\n1. A\n2. B\n", "Quellen:\n1. A\n2. B"),
        ("So.\n\n[^1]: https://x.example\n[^2]: y", "[^1]: https://x.example\n[^2]: y"),
        ("Sources of error: many. We think so.", None),
        ("It is so [1].", None),
    ],
)
def test_trailing_sources(text: str, sources: str | None) -> None:
    """A list at the end says where, not what."""
    found = trailing_sources(text)

    assert sources == (found.of(text) if found else None)


def answered(response: str, passages: Sequence[Passage], citations: tuple[Citation, ...] | None = None) -> Trace:
    return Trace(id="t", question="?", response=response, passages=tuple(passages), citations=citations)


THREE = tuple(Passage(id=f"p{n}", text="x", rank=n, doc_id=f"d{n}", title="Guide" if n < 3 else "Post") for n in (1, 2, 3))


def test_numbers_are_ranks_and_names_are_passages() -> None:
    """[1, 9] of three passages leaves 9; a shared title names both its passages."""
    found = resolve_citations(answered("A [1, 9]. B [d2]. C (Guide). D [Post].", THREE))

    assert [c.passage_ids for c in found] == [("p1",), ("p2",), ("p1", "p2"), ("p3",)]
    assert [c.unresolved for c in found] == [("9",), (), (), ()]


def test_numbers_may_be_document_ids() -> None:
    """Where 17 exceeds the ranks and is a document id, numbers are document ids."""
    passages = [Passage(id=d, text="x", rank=n, doc_id=d) for n, d in enumerate(("17", "2", "1"), start=1)]

    assert [c.passage_ids for c in resolve_citations(answered("A [17]. B [1].", passages))] == [("17",), ("1",)]


def test_citations_of_the_file_are_kept() -> None:
    """What the file says is not parsed again."""
    given = (Citation(span=Span(0, 1), marker="A", passage_ids=("p3",)),)

    assert given == resolve_citations(answered("A [1].", THREE, given))


def test_ten_thousand_citations_are_linear() -> None:
    """A long answer with a mark in every sentence."""
    start = time.process_time()

    found = resolve_citations(answered("It is so [1]. " * 10_000, THREE))

    assert len(found) == 10_000
    assert time.process_time() - start < 5
