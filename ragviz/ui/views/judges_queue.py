"""The label queue: one claim, its evidence, four keys. Every press is stored at once; what comes next follows from what is stored."""

from __future__ import annotations

from functools import partial

import streamlit as st

from ragviz.evidence.select import best_evidence
from ragviz.figures.highlight import reveal
from ragviz.figures.plot_text import counted, cut, visible
from ragviz.pipeline.label_rows import MAX_NAME
from ragviz.pipeline.labelling import CANNOT_SAY, ClaimRef, Doubt, Looked, cells, labels_of, queue, still_needed
from ragviz.pipeline.scoring import annotate
from ragviz.records import Annotation, Claim, Grounding, JudgedTrace, Passage
from ragviz.store.labels import people_said
from ragviz.text.tokens import content_tokens
from ragviz.text.unmarked import unmarked
from ragviz.ui import address, held_out, marks, resources, troubles, widgets
from ragviz.ui.linked_text import linked_text
from ragviz.ui.linked_text.content import Frame, build
from ragviz.ui.views.judges_seen import Surveyed

WHO, BLIND, ROUND = "who", "verdict", "round"
KEYS = (("1", Grounding.SUPPORTED), ("2", Grounding.NOT_SUPPORTED), ("3", Grounding.CONTRADICTED), ("4", None))
MOST_PASSAGES = 12
MOST_CHARS = 3_000
WHY = {Doubt.DISPUTED: "two judges differ on it", Doubt.UNSURE: "the judge is unsure of it", Doubt.NONE: "its kind needs labels"}


def _look() -> None:
    """The claim large, the nearest words with a bar. Constant text."""
    p = widgets.colours()
    st.html(f"""<style>
.st-key-asked-claim [data-testid="stText"] {{ font-size: 17px; line-height: 24px; font-weight: 600; }}
[class*="st-key-passage-"] {{ padding-bottom: 8px; border-bottom: 1px solid {p.line2}; }}
[class*="st-key-passage-"] [data-testid="stText"] {{ font-size: 14px; line-height: 20px; }}
[class*="st-key-passagename"] [data-testid="stText"] {{ font-size: 12.5px; font-weight: 650; color: {p.text2}; padding-bottom: 3px; }}
[class*="st-key-nearest-"] {{ border-left: 3px solid {p.accent}; background: {p.accent_tint}; padding: 4px 10px; border-radius: 0 4px 4px 0; margin-bottom: 5px; }}
</style>""")


def draw(seen: Surveyed) -> None:
    """This part of the page."""
    _look()
    author, blind, second = _controls()
    troubles.tell("label")
    if not author:
        widgets.note("**Who labels?** Write your name above once. It stands beside every label, and the link of this page remembers it.", key="who")
        return
    refs = queue(seen.survey.claims, seen.labels, author=author, second_opinion=second)
    if not refs:
        _done(second)
        return
    case = resources.judged_trace(seen.view, refs[0].trace_id)
    claim = next((c for c in case.claims if c.id == refs[0].claim_id), None) if case else None
    if case is None or claim is None:
        widgets.problem("The claim is no longer in this run.", "Reload the page.", key="label")
        return
    if held_out.is_closed(seen.view.run_id, case.trace):
        with st.container(border=True, key="box-held-out"):
            held_out.ask(seen.view.run_id, [(case.trace.id, case.trace.question)], place="Judges", key="queue")
        return
    left, right = st.columns([0.44, 0.56], gap="small")
    with left:
        _ask(seen, case, claim, author=author, blind=blind, n_open=len(refs), second=second)
    with right:
        _passages(case, claim)


def _controls() -> tuple[str, bool, bool]:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        author = address.search_box("Your name", WHO, limit=MAX_NAME, width=220)
        blind = (
            address.segments(
                "The judge's verdict", BLIND, ["hidden", "shown"], labels={"hidden": "Blind", "shown": "Show the verdict"}, default="hidden", keep_page=True
            )
            == "hidden"
        )
        second = (
            address.segments("Which claims", ROUND, ["new", "second"], labels={"new": "New claims", "second": "Second opinions"}, default="new", keep_page=True)
            == "second"
        )
    return author, blind, second


def _done(second: bool) -> None:
    if second:
        widgets.empty_state(
            "No claim waits for a second opinion", "You have labelled all that others have labelled, or nobody has labelled any yet.", key="done"
        )
    else:
        widgets.empty_state(
            "Every claim is labelled", "Agreement shows what that says of the judge.", widgets.Action(label="See the agreement", page="judges"), key="done"
        )


def _ask(seen: Surveyed, case: JudgedTrace, claim: Claim, *, author: str, blind: bool, n_open: int, second: bool) -> None:
    ref = ClaimRef(case.trace.id, claim.id)
    looked = seen.looked(ref)
    with st.container(border=True, key="box-ask", gap="small"):
        words, keys, verdict = st.container(gap="small"), st.container(gap="small"), st.container()
        # The keys first: whoever sees the next claim can press at once.
        with keys:
            _buttons(seen, ref, author)
        with words, st.container(key="cap-ask", gap=None):
            missing = still_needed(cells(seen.survey.claims, seen.labelled))
            why = WHY[looked.kind.doubt] if looked and not second else "somebody else has labelled it"
            st.caption(
                f"{counted(n_open, 'claim')} left"
                + (f" · {counted(missing, 'more label')} until the corrected rate is known" if missing else "")
                + f" · picked because {why}"
            )
        with words, st.container(key="asked-question", gap=None):
            st.caption("Question")
            st.text(cut(reveal(case.trace.question), MOST_CHARS))
        with words, st.container(key="asked-claim", gap=None):
            st.caption("Do the passages support this claim?")
            st.text(cut(reveal(unmarked(claim.text)), MOST_CHARS))
        if not blind and looked is not None:
            sure = _sure(seen, looked)
            second_word = f" · {widgets.md(seen.other.label)}: {marks.chip(looked.other)}" if seen.other and looked.other else ""
            verdict.caption(f"{widgets.md(seen.judge.label)}: {marks.chip(looked.grounding)}{sure}{second_word}")
    with st.container(border=True, key="box-answer", gap="xsmall"):
        st.caption("The answer it comes from")
        content = build(_alone(case, claim), {}, (), Frame(mode="snippet"))
        linked_text(content, selected=claim.id, on_select=lambda _claim: None, key=f"asked-{case.trace.id}-{claim.id}")
        widgets.link("Open in Inspector (shows the verdict)", "inspector", key="asked", trace=case.trace.id, claim=claim.id)


def _sure(seen: Surveyed, looked: Looked) -> str:
    if looked.confidence is None:
        return ""
    stands = resources.standing(seen.view.judge)
    mended = stands.of(looked.grounding, looked.confidence)
    return (
        f", confidence {looked.confidence:.2f} ({stands.worth(by_makers=seen.survey.calibrated_share or 0.0)})"
        if mended is None
        else f", confidence {mended:.2f} (told: {looked.confidence:.2f}; {stands.words})"
    )


def _alone(case: JudgedTrace, claim: Claim) -> JudgedTrace:
    """The trace with this claim only and without any verdict: blind."""
    return JudgedTrace(trace=case.trace, claims=(claim,), claim_set=claim.extractor)


def _buttons(seen: Surveyed, ref: ClaimRef, author: str) -> None:
    """Keys belong to their claim: a press that arrives late, after the next claim is drawn, labels nothing."""
    names = {key: f"{marks.chip(g)}" if g else "cannot say" for key, g in KEYS}
    with st.container(horizontal=True, gap="xsmall", key="label-keys"):
        for key, grounding in KEYS:
            st.button(
                names[key], key=f"say-{key}-{ref.trace_id}-{ref.claim_id}", shortcut=key, on_click=_say, args=(seen, ref, grounding, author), width="stretch"
            )
    last = seen.labels.last_of(author)
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="cap-undo"):
        st.button("Take back the last", key="undo-label", shortcut="U", type="tertiary", disabled=last is None, on_click=partial(_take_back, seen, author))
        if last is not None:
            st.caption(f"it was: {marks.chip(last.grounding) if last.grounding else CANNOT_SAY}", width="content")


def _say(seen: Surveyed, ref: ClaimRef, grounding: Grounding | None, author: str) -> None:
    # Asked of the store, not of what the page was drawn from: two quick presses are one label.
    said = labels_of(people_said(resources.store(), seen.view.run_id, seen.view.claim_set))
    if not said.has_spoken(ref, author):
        _store(seen, ref, grounding, author, reason="" if grounding else CANNOT_SAY)


def _take_back(seen: Surveyed, author: str) -> None:
    last = seen.labels.last_of(author)
    if last is not None:
        _store(seen, ClaimRef(last.trace_id, last.claim_id), None, author, reason="taken back")


@troubles.kept("label")
def _store(seen: Surveyed, ref: ClaimRef, grounding: Grounding | None, author: str, *, reason: str) -> None:
    store = resources.store()
    note = Annotation(
        trace_id=ref.trace_id, claim_id=ref.claim_id, grounding=grounding, author=author, reason=reason, at=store.now(), claim_set=seen.view.claim_set,
    )
    annotate(store, seen.view, note)


# ---------- the evidence ----------


def _passages(case: JudgedTrace, claim: Claim) -> None:
    """Passages by how near their words are to the claim's, whatever any judge says of them."""
    near = nearest(case, claim)
    n = len(case.trace.passages or ())
    with widgets.box("evidence", "Passages", f"{counted(n, 'passage')}, nearest words first" if n else "none came with this trace", height=620):
        for at, (passage, quote) in enumerate(near[:MOST_PASSAGES]):
            with st.container(key=f"passage-{at}", gap=None):
                name = passage.title or passage.doc_id or passage.id
                with st.container(key=f"passagename-{at}"):
                    st.text(cut(visible(f"#{passage.rank} · {name}"), 120))
                if quote and quote.strip() != passage.text.strip():
                    with st.container(key=f"nearest-{at}", gap=None):
                        st.text(cut(reveal(quote), MOST_CHARS))
                st.text(cut(reveal(passage.text), MOST_CHARS))
        if len(near) > MOST_PASSAGES or any(len(p.text) > MOST_CHARS for p, _ in near):
            st.caption("Long passages are cut, and only the nearest are listed; the Inspector shows all.")
            widgets.link("Open in Inspector (shows the verdict)", "inspector", key="cut", **_inspector(case, claim))


def _inspector(case: JudgedTrace, claim: Claim) -> dict[str, str]:
    return {"trace": case.trace.id, "claim": claim.id}


def nearest(case: JudgedTrace, claim: Claim) -> list[tuple[Passage, str]]:
    """Passages with the stretch that shares most with the claim; those that share nothing last, in rank order."""
    words = stems(claim.text)
    found = []
    for passage in case.trace.passages or ():
        spans = best_evidence(claim.text, passage.text, max_spans=1)
        found.append((passage, spans[0].quote if spans else ""))
    return sorted(found, key=lambda pair: (-len(words & stems(pair[0].text)), -len(words & stems(pair[1])), pair[0].rank))


def stems(text: str) -> set[str]:
    """Words that carry meaning, numbers among them."""
    return {token.stem for token in content_tokens(text)}
