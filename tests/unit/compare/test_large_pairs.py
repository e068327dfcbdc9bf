"""What large runs are compared by, against the plain ways of small ones: pairs, documents, differences by part."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragviz.compare import columns, parts
from ragviz.compare.columns import PairedScores, clusters_of, members_of, smallest_slice
from ragviz.compare.corpora import Gathered, Names, packed_corpora_differ
from ragviz.compare.fairness import corpora_differ
from ragviz.compare.packed_pairs import PackedPairs
from ragviz.compare.pairing import pair_traces
from ragviz.compare.parts import PartFigures, part_figures
from ragviz.records.ids import text_hash
from tests.build import a_trace

runs = st.lists(st.tuples(st.sampled_from("abcdefgh"), st.sampled_from(["Q", "R", "S", "T"])), max_size=8, unique_by=lambda row: row[0])


@given(runs, runs)
def test_pairs_of_any_runs_keep_the_rules(base: list[tuple[str, str]], candidate: list[tuple[str, str]]) -> None:
    """Within a question: equal ids first; what is left in file order where both sides have as many, else not at all. Nothing is paired twice."""
    found = pair_traces([a_trace(id=i, question=q) for i, q in base], [a_trace(id=i, question=q) for i, q in candidate])

    asked, answered = (defaultdict(list), defaultdict(list))
    for i, q in base:
        asked[q].append(i)
    for i, q in candidate:
        answered[q].append(i)
    wanted = {}
    for q, mine in asked.items():
        theirs = answered[q]
        same = [i for i in mine if i in theirs]
        left, right = [i for i in mine if i not in same], [i for i in theirs if i not in same]
        wanted |= {i: i for i in same} | (dict(zip(left, right, strict=True)) if len(left) == len(right) else {})
    assert found.pairs == tuple((i, wanted[i]) for i, _ in base if i in wanted)
    assert found.only_base == tuple(i for i, _ in base if i not in wanted)
    assert found.only_candidate == tuple(i for i, _ in candidate if i not in wanted.values())
    assert PackedPairs(found.pairs)[:] == found.pairs


def test_packed_pairs_read_like_a_tuple() -> None:
    """Whatever is in an id: nothing, signs of many bytes, a lone surrogate."""
    pairs = (("", "ü"), ("a\x00b", "\ud800"), ("c", "日本"))
    packed = PackedPairs(pairs)

    assert (tuple(packed), len(packed), packed[-1], packed[1:]) == (pairs, 3, pairs[2], pairs[1:])
    with pytest.raises(IndexError):
        packed[3]


texts = st.dictionaries(st.tuples(st.sampled_from(["d", "e", "f"]), st.sampled_from(["1", "2"])), st.frozensets(st.sampled_from("xyz"), min_size=1), max_size=6)


@given(texts, texts)
def test_packed_documents_differ_as_plain_ones_do(base: dict[tuple[str, str], frozenset[str]], candidate: dict[tuple[str, str], frozenset[str]]) -> None:
    """Whatever was seen under which names, and however often."""
    names, packed = Names(), []
    for run in (base, candidate):
        gathered = Gathered()
        for _ in range(2):
            for (doc, passage), seen in run.items():
                for text in seen:
                    gathered.add(names.code(doc, passage), text_hash(text))
            gathered.seen()
        packed.append(gathered.seen())
    plain = [{name: frozenset(map(text_hash, seen)) for name, seen in run.items()} for run in (base, candidate)]

    assert packed_corpora_differ(names, *packed) == corpora_differ(*plain)


def scores(n: int, n_values: int, *, repeated: bool) -> PairedScores:
    """Two metrics, one with gaps; three properties, one of which all pairs share."""
    rng = np.random.default_rng(n + n_values)
    values = {
        name: [np.where(rng.random(n) < gaps, np.nan, rng.integers(0, 5, n) / 4) for _ in range(2)]
        for name, gaps in (("faithfulness", 0.0), ("hallucination", 0.3))
    }
    properties = [{"kind": "all", "topic": str(rng.integers(n_values)), **({"rare": "yes"} if rng.random() < 0.2 else {})} for _ in range(n)]
    return PairedScores(
        base={name: b for name, (b, _) in values.items()}, candidate={name: c for name, (_, c) in values.items()},
        groups=rng.integers(0, n // 2, n) if repeated else np.arange(n), members=members_of(properties),
    )


@pytest.mark.parametrize("repeated", [False, True])
@pytest.mark.parametrize(("n", "n_values", "most"), [(60, 3, 100), (400, 6, 100), (600, 9, 4)])
def test_figures_worked_out_before_are_those_of_a_click(monkeypatch: pytest.MonkeyPatch, n: int, n_values: int, most: int, repeated: bool) -> None:
    """All pairs, every part and every slice: intervals, p-values and order to the last digit; also where only the largest slices count."""
    for module in (parts, columns):
        monkeypatch.setattr(module, "MOST_SLICES", most)
    whole = scores(n, n_values, repeated=repeated)
    found = figures(whole)

    assert found.metrics == whole.metrics
    assert found.differences() == whole.differences()
    assert found.sizes == {key: k for key, k in whole.sizes.items() if k >= smallest_slice(n)}
    for metric in whole.metrics:
        assert found.by_slice(metric) == whole.by_slice(metric)
    for part in found.sizes:
        assert found.of_part(whole.metrics, part) == whole.of_part(whole.metrics, part)


def figures(whole: PairedScores) -> PartFigures:
    kept = {key: at for key, at in whole.members.items() if len(at) >= smallest_slice(whole.n)}
    return part_figures(
        whole.n, whole.metrics, lambda metric: (whole.base[metric], whole.candidate[metric]), groups=clusters_of(whole.groups), members=kept,
    )
