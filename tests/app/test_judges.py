"""Judges: empty, without labels, with thirty of them, the queue and its four keys, and where opinions part."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from msgspec.structs import replace
from streamlit.testing.v1 import AppTest

from ragviz.contracts import View
from ragviz.pipeline.labelling import CANNOT_SAY
from ragviz.records import Annotation, Grounding, JudgedTrace, Provenance
from ragviz.store import Store
from ragviz.store.labels import people_said
from tests.app.five import five_cases, shown
from tests.build import a_case, a_claim
from tests.stored import fill, renamed

Open = Callable[..., AppTest]
N_TRACES = 20


def a_run(store: Store, *, confident: bool = True) -> View:
    """Twenty traces t0, t1, … with claim a (entailed) and claim b (neutral): half of all claims are not supported."""
    case = a_case("ab", response_x_passages={"a": "E", "b": "N"})
    if confident:
        case = replace(case, judgements=tuple(replace(j, confidence=0.9 if j.key.claim_id == "a" else 0.7) for j in case.judgements))
    fill(store, *(renamed(case, f"t{i}") for i in range(N_TRACES)), name="run")
    return store.views("run")[0][0]


def label(store: Store, n: int, *, author: str = "Ada") -> None:
    """The first n traces: people agree on a; every fifth b is supported after all."""
    for i in range(n):
        for claim, said in (("a", Grounding.SUPPORTED), ("b", Grounding.SUPPORTED if i % 5 == 0 else Grounding.NOT_SUPPORTED)):
            at = datetime(2026, 1, 1, 12, i, tzinfo=UTC)
            store.annotate("run", Annotation(trace_id=f"t{i}", claim_id=claim, grounding=said, author=author, at=at))


def second_judge(store: Store) -> None:
    """Says the same, but in trace t3 it finds claim b supported."""
    other = Provenance(judge="other", judge_version="1", params_hash="0")
    case: JudgedTrace = a_case("ab", response_x_passages={"a": "E", "b": "N"})
    odd = a_case("ab", response_x_passages={"a": "E", "b": "E"})
    for i in range(N_TRACES):
        said = renamed(odd if i == 3 else case, f"t{i}").judgements
        store.add_judged("run", other, {f"t{i}": [replace(j, provenance=other) for j in said]}, claim_set="rules", scope=0)


@pytest.mark.usefixtures("no_samples")
def test_empty_store(app_store: Store, open_at: Open) -> None:
    """A sentence and a way out."""
    app = open_at("judges")

    assert not app.exception
    assert "No traces yet" in shown(app)


class TestAgreement:
    def test_without_labels(self, app_store: Store, open_at: Open) -> None:
        """The teaching cases: how many labels are missing stands where the numbers will be, and the judge's own rate is there."""
        five_cases(app_store)

        app = open_at("judges")

        assert not app.exception
        assert "more label" in shown(app)
        assert "No claim of this run is labelled yet" in shown(app)
        assert "hallucination, as judged" in shown(app)
        assert not app.get("plotly_chart")

    def test_with_labels(self, app_store: Store, open_at: Open) -> None:
        """
        32 labels on 16 traces: a agrees 16 times; of the 16 labels on b, 4 (t0, t5, t10, t15) are supported.

        Judge's rate 50 %; corrected 0.5 · 12/16 = 37.5 %; balanced accuracy (12/12 + 16/20) / 2 = 0.9; precision 12/16; observed agreement 28/32.
        """
        a_run(app_store)
        label(app_store, 16)

        app = open_at("judges")
        text = shown(app)

        assert not app.exception
        assert "**50.0\u00a0%** hallucination, as judged" in text
        assert "**37.5\u00a0%** hallucination, corrected" in text
        assert "**0.900** balanced accuracy" in text
        assert "precision 0.750 · recall 1.000" in text
        # observed 28/32, by chance (12 · 16 + 20 · 16) / 32² = 1/2
        assert "**0.750** Cohen's κ" in text
        assert "base rate 38" in text
        assert "**not calibrated by its makers, and not calibrated on labels**" in text
        assert len(app.get("plotly_chart")) == 2

    def test_a_judge_without_confidence_has_no_curve(self, app_store: Store, open_at: Open) -> None:
        """It is said, not drawn."""
        a_run(app_store, confident=False)
        label(app_store, 16)

        app = open_at("judges")

        assert not app.exception
        assert "gives no confidence" in shown(app)
        assert len(app.get("plotly_chart")) == 1

    def test_not_judged(self, app_store: Store, open_at: Open) -> None:
        """A run without verdicts has no judge to measure."""
        case = a_case("a")
        fill(app_store, replace(case, judgements=()), name="bare")

        app = open_at("judges", run="bare")

        assert not app.exception
        assert "No verdicts yet" in shown(app)


class TestQueue:
    def test_a_name_comes_first(self, app_store: Store, open_at: Open) -> None:
        """Nobody labels without one."""
        a_run(app_store)

        app = open_at("judges", tab="label")

        assert not app.exception
        assert "Who labels?" in shown(app)
        assert not [b for b in app.button if (b.key or "").startswith("say-")]

    def test_four_keys_store_at_once(self, app_store: Store, open_at: Open) -> None:
        """Each press is an annotation and brings the next claim; "cannot say" leaves the verdict alone and does not come back."""
        a_run(app_store)
        app = open_at("judges", tab="label", who="Ada")
        asked = []
        for key in "1234":
            button = next(b for b in app.button if (b.key or "").startswith(f"say-{key}-"))
            asked.append(button.key)
            app = button.click().run()
        notes = people_said(app_store, "run", "rules")

        assert not app.exception
        assert [n.grounding for n in notes] == [Grounding.SUPPORTED, Grounding.NOT_SUPPORTED, Grounding.CONTRADICTED, None]
        assert [n.reason for n in notes] == ["", "", "", CANNOT_SAY]
        assert len({(n.trace_id, n.claim_id) for n in notes}) == 4
        again = open_at("judges", tab="label", who="Ada")
        assert next(b.key for b in again.button if (b.key or "").startswith("say-1-")) == next(b.key for b in app.button if (b.key or "").startswith("say-1-"))

    def test_taking_back(self, app_store: Store, open_at: Open) -> None:
        """The last label is withdrawn, and its claim comes again some day."""
        a_run(app_store)
        app = open_at("judges", tab="label", who="Ada")
        app = next(b for b in app.button if (b.key or "").startswith("say-3-")).click().run()
        app = next(b for b in app.button if b.key == "undo-label").click().run()
        first, second = people_said(app_store, "run", "rules")

        assert not app.exception
        assert (first.trace_id, first.claim_id, None) == (second.trace_id, second.claim_id, second.grounding)
        assert next(b for b in app.button if b.key == "undo-label").disabled

    def test_blind_by_choice(self, app_store: Store, open_at: Open) -> None:
        """Hidden: neither words nor payload of the page hold the verdict; shown: one line says it."""
        a_run(app_store)
        hidden = open_at("judges", tab="label", who="Ada")
        open_ = open_at("judges", tab="label", who="Ada", verdict="shown")
        answer = json.loads(hidden.get("bidi_component")[0].proto.bytes)

        assert "confidence 0." not in shown(hidden)
        assert [c["v"] for c in answer["claims"]] == ["u"]
        assert "confidence 0." in shown(open_)

    def test_second_opinions(self, app_store: Store, open_at: Open) -> None:
        """Only what somebody else has labelled; where that is nothing, the page says so."""
        a_run(app_store)
        nothing = open_at("judges", tab="label", who="Bo", round="second")
        label(app_store, 1)
        app = open_at("judges", tab="label", who="Bo", round="second")

        assert "No claim waits for a second opinion" in shown(nothing)
        assert "2 claims left" in shown(app)

    def test_hostile_text_stays_text(self, app_store: Store, open_at: Open) -> None:
        """Question, claim, passage and author with markup: none of it reaches Markdown or HTML."""
        evil = "<img src=x onerror=alert(1)> **bold** :red[x] $y$"
        case = a_case("a", response_x_passages={"a": "N"}, question=evil)
        claim = a_claim("a", text=evil)
        passages = tuple(replace(p, text=evil, title=evil) for p in case.trace.passages or ())
        fill(app_store, replace(case, claims=(claim,), trace=replace(case.trace, passages=passages, response=evil)), name="run")

        app = open_at("judges", tab="label", who=evil)

        assert not app.exception
        assert sum(evil in t.value for t in app.text) >= 3
        assert "<img" not in shown(app) + "".join(h.proto.body for h in app.get("html"))


class TestDisagreements:
    def test_two_judges(self, app_store: Store, open_at: Open) -> None:
        """One claim of forty; the row opens it."""
        a_run(app_store)
        second_judge(app_store)

        app = open_at("judges", tab="differ", judge="test")
        table = app.dataframe[0].value

        assert not app.exception
        assert table["test"].tolist() == ["? not supported"]
        assert table["other"].tolist() == ["✓ supported"]
        assert table["claim"].tolist() == ["Claim b."]
        assert "40 claims judged by both" in shown(app)

    def test_judge_and_people(self, app_store: Store, open_at: Open) -> None:
        """Four labels on b say supported."""
        a_run(app_store)
        label(app_store, 16)

        app = open_at("judges", tab="differ", between="people")

        assert not app.exception
        assert app.dataframe[0].value["people"].tolist() == ["✓ supported"] * 4

    def test_two_people(self, app_store: Store, open_at: Open) -> None:
        """They differ on one of the two claims both have labelled."""
        a_run(app_store)
        label(app_store, 1)
        for claim in "ab":
            app_store.annotate(
                "run",
                Annotation(
                    trace_id="t0",
                    claim_id=claim,
                    grounding=Grounding.CONTRADICTED if claim == "b" else Grounding.SUPPORTED,
                    author="Bo",
                    at=datetime(2026, 1, 2, tzinfo=UTC),
                ),
            )

        app = open_at("judges", tab="differ", between="persons")

        assert not app.exception
        assert app.dataframe[0].value["one person"].tolist() == ["✓ supported · Ada"]
        assert app.dataframe[0].value["another"].tolist() == ["✕ contradicted · Bo"]
        assert "2 claims labelled twice" in shown(app)

    def test_nothing_differs(self, app_store: Store, open_at: Open) -> None:
        """One judge, no label."""
        a_run(app_store)

        for between, words in (("judges", "Only one judge"), ("people", "No claim is labelled"), ("persons", "No two people differ")):
            app = open_at("judges", tab="differ", between=between)
            assert not app.exception
            assert words in shown(app)


def test_odd_addresses(app_store: Store, open_at: Open) -> None:
    """Values that fit nothing give the defaults."""
    a_run(app_store)

    app = open_at("judges", tab="<b>", other="nobody", between="x", verdict="?", round="9")

    assert not app.exception
    assert "hallucination, as judged" in shown(app)
