"""Whether an answer answers or declines: what it is taken for, and a person's word on that."""

from __future__ import annotations

import streamlit as st

from ragviz.contracts import View
from ragviz.figures.highlight import reveal
from ragviz.grounding import ANSWERS, word_on_answer
from ragviz.metrics.counting import abstained
from ragviz.pipeline.answering import say_of_answer
from ragviz.records import Annotation, JudgedTrace, Side
from ragviz.ui import resources, troubles

MAX_NAME, MAX_REASON = 80, 500
KINDS = {True: "a refusal", False: "an answer"}
MEANS = {
    True: "It then counts as a refusal: its claims leave every figure, and stay stored.",
    False: "It then counts as an answer: the claims that are found in it are unjudged until you judge them.",
}


def draw(seen: View, case: JudgedTrace) -> None:
    """One quiet control, and who said what; nothing where there is no text of an answer to speak of."""
    if case.trace.is_unanswered or not case.trace.response.strip():
        return
    taken = bool(abstained(case))
    word = word_on_answer(case.annotations)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="cap-answer"):
        if word is not None:
            st.text(said(word, judged=any(c.side is Side.RESPONSE for c in case.claims)))
        # One of its own after each word: it closes, and the last reason is no longer in it.
        n_said = sum(n.claim_set == ANSWERS for n in case.annotations)
        with st.popover(f"This is {KINDS[not taken]}" if word is None else "Change", type="tertiary", key=f"answer-word-{n_said}"):
            _form(seen, case, says=not taken, word=word, key=f"{case.trace.id}-{n_said}")
    _earlier(case, word)


def said(word: Annotation, *, judged: bool = True) -> str:
    """Who says what of the answer, when and why; and what is to be known where it has no claims."""
    why = f": {reveal(word.reason)}" if word.reason else ""
    bare = "" if word.declines or judged else " No claim of it is known."
    return f"{KINDS[bool(word.declines)].capitalize()}, says {reveal(word.author)}, {word.at:%d %b %Y %H:%M}{why}.{bare}"


def _form(seen: View, case: JudgedTrace, *, says: bool, word: Annotation | None, key: str) -> None:
    with st.form("answer-form", border=False):
        st.caption(MEANS[says])
        st.text_input("Reason", key=f"answer-reason-{key}", max_chars=MAX_REASON)
        st.text_input("Your name", key="author-of-answer", max_chars=MAX_NAME, value=st.session_state.get("author") or "")
        with st.container(horizontal=True, gap="small"):
            # The trace is in their keys and arguments: whatever is clicked meanwhile, the word is on the answer that was on the screen.
            st.form_submit_button(f"This is {KINDS[says]}", key=f"answer-save-{key}", on_click=_save, args=(seen, case.trace.id, key, says))
            if word is not None:
                st.form_submit_button("Take my word back", key=f"answer-back-{key}", on_click=_save, args=(seen, case.trace.id, key, None))
    troubles.tell("answer")


@troubles.kept("answer")
def _save(seen: View, trace_id: str, key: str, declines: bool | None) -> None:
    """The press on one of the two; None takes the word back."""
    author = st.session_state["author-of-answer"].strip()
    if not author:
        troubles.keep("answer", "A word on an answer needs a name.", "Write who says so; it stands in the history.")
        return
    store = resources.store()
    reason = st.session_state[f"answer-reason-{key}"].strip()
    note = Annotation(trace_id=trace_id, claim_id="", grounding=None, declines=declines, author=author, reason=reason, at=store.now(), claim_set=ANSWERS)
    say_of_answer(store, seen, note)


def _earlier(case: JudgedTrace, word: Annotation | None) -> None:
    """Words before the one in force, newest first: nothing is ever overwritten."""
    notes = sorted((n for n in case.annotations if n.claim_set == ANSWERS and n is not word), key=lambda n: n.at, reverse=True)
    if notes:
        with st.expander(f"Earlier words on the answer: {len(notes)}", key="answer-earlier"):
            for note in notes:
                st.text(
                    f"{note.author} took the word back, {note.at:%d %b %Y %H:%M}{': ' + reveal(note.reason) if note.reason else ''}."
                    if note.declines is None
                    else said(note)
                )
