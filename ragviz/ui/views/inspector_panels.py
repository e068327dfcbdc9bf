"""Under the viewer: ask a judge again, overrule as a person, and what was said before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial

import streamlit as st
from msgspec.structs import replace

from ragviz.contracts import View
from ragviz.figures.plot_text import counted
from ragviz.grounding import ClaimGrounding, groundings
from ragviz.pipeline.choices import JudgeChoice
from ragviz.pipeline.jobs import Handle, JobState, JobStatus
from ragviz.pipeline.rejudging import rejudge_claims
from ragviz.pipeline.scoring import annotate
from ragviz.records import Annotation, Grounding, JudgedTrace, Side, Table, Verdict
from ragviz.store import Store
from ragviz.ui import resources, selection, troubles, widgets
from ragviz.ui.marks import GROUNDING_LABEL, chip
from ragviz.ui.views import inspector_answer, inspector_history, inspector_keep

POLL_S = 0.5
WITHDRAW = "withdraw"
PASSAGES, EXPECTED = "the passages", "the expected answer"
CORRECT = Table.RESPONSE_X_REFERENCE
SEPARATOR = "\x1f"
"""Between the parts of a job's key; no id of a file holds it."""
_LAST_JOB = "_rv_rejudged"
ANEW = "rejudge_anew"
ALL_THE_SAME = "rejudge_all_the_same"
OTHER_JUDGES = (
    "No other judge is set up here: set ANTHROPIC_API_KEY, or run `ragviz judge RUN --judge nli:cross-encoder/nli-deberta-v3-base`."
)
MAX_NAME, MAX_REASON = 80, 500


def draw(seen: View, case: JudgedTrace, grounded: Mapping[str, ClaimGrounding], claim: str | None) -> None:
    """The panels for one trace; most of them speak of the selected claim."""
    left, right = st.columns([500, 652], gap="small")
    with left, st.container(border=True, key="box-rejudge", gap="small"):
        _rejudge(seen, case, claim)
        _overrule(seen, case, grounded, claim)
        inspector_answer.draw(seen, case)
    with right:
        inspector_history.draw(seen, case, grounded, claim)
        inspector_keep.draw(seen, case, grounded, claim)


# ---------- ask a judge again ----------


def _rejudge(seen: View, case: JudgedTrace, claim: str | None) -> None:
    claims = [c.id for c in case.claims if c.side is Side.RESPONSE]
    if not claims:
        st.caption("No claim of this answer to judge again, or to overrule.")
        return
    ready = [c.name for c in resources.judge_choices() if c.availability.ok]
    running = next((s for s in resources.jobs().active() if s.key.startswith(_prefix(seen, case))), None)
    which, how, go = st.columns([1.1, 1.3, 1.3], vertical_alignment="bottom", gap="xsmall")
    everything = f"all {len(claims)}"
    options = [claim, everything] if claim else [everything]
    with which:
        scope = st.segmented_control("Judge again", options, default=options[0], required=True, key=f"again-{case.trace.id}-{claim}")
    with how:
        judge = st.selectbox("With", ready, key="rejudge_with", persist_state="session")
    asked = claims if scope == everything or claim is None else [claim]
    repeats = would_repeat(next((c for c in resources.judge_choices() if c.name == judge), None), seen, case, asked)
    held_back = repeats and not st.session_state.get(ALL_THE_SAME, False)
    with go:
        label = f"Re-judge {asked[0]}" if len(asked) == 1 and claim else f"Re-judge {everything}"
        st.button(label, type="primary", key="rejudge", disabled=running is not None or not judge or held_back, width="stretch",
                  on_click=_start, args=(seen, case.trace.id, tuple(asked), judge or ""))
    _how(judge, len(asked) * len(case.trace.first_passages(case.k)), repeats=asked[0] if repeats and len(asked) == 1 else "these claims" if repeats else "")
    key = running.key if running else st.session_state.get(_LAST_JOB, "")
    if key.startswith(_prefix(seen, case)):
        # The timer runs only while there is something to wait for; the page decides that, outside the fragment.
        st.fragment(_watch, run_every=POLL_S if running else None)(key)


def would_repeat(choice: JudgeChoice | None, seen: View, case: JudgedTrace, asked: Sequence[str]) -> bool:
    """Whether that judge has answered for all passages of these claims already, as it is here, and would say the same again."""
    # At another cut-off the joined passages are another text.
    if choice is None or not choice.deterministic or not choice.fingerprint or case.k is not None:
        return False
    there = case if choice.fingerprint == seen.judge else resources.judged_trace(replace(seen, judge=choice.fingerprint), case.trace.id)
    told = (
        {(j.key.claim_id, j.key.premise_id) for j in there.judgements if j.key.table is Table.RESPONSE_X_PASSAGES and j.verdict is not Verdict.UNJUDGED}
        if there
        else set()
    )
    return all((claim_id, passage.id) in told for claim_id in asked for passage in case.trace.first_passages(None))


def _how(judge: str | None, n_pairs: int, *, repeats: str) -> None:
    """Past the cache or not, how much that is, and who cannot be asked; where the answer would only be repeated (``repeats``: of what), what would differ."""
    choices = resources.judge_choices()
    away = [f"{c.name} ({c.availability.reason})" for c in choices if not c.availability.ok]
    others = [c.name for c in choices if c.availability.ok and c.claim_set == "text" and c.name != judge]
    with st.container(key="cap-rejudge", gap=None):
        if repeats:
            differs = f"Another answer can come from {widgets.md(' or '.join(others))}, or from fewer passages (k)." if others else OTHER_JUDGES
            st.caption(f"{widgets.md(judge or '')} has judged {widgets.md(repeats)} on these passages, and would repeat that. {differs}")
            st.checkbox(
                "Ask all the same", key=ALL_THE_SAME, help="Past the cache. What was said before stays in the history; the new word is put on top and counts."
            )
        else:
            st.checkbox(
                "Ask anew, past the cache",
                value=True,
                key=ANEW,
                persist_state="session",
                help="What was said before stays in the history; the new word is put on top and counts.",
            )
        unavailable = f" Not here: {widgets.md(', '.join(away), limit=300)}." if away and not repeats else ""
        st.caption(f"{counted(n_pairs, 'pair')} of claim and passage.{unavailable}")


def _prefix(seen: View, case: JudgedTrace) -> str:
    return SEPARATOR.join(("rejudge", seen.run_id, case.trace.id, ""))


def _start(seen: View, trace_id: str, claims: Sequence[str], judge: str) -> None:
    key = SEPARATOR.join(("rejudge", seen.run_id, trace_id, judge, ",".join(claims)))
    resources.jobs().submit(
        key,
        partial(
            _work,
            seen=seen,
            trace_id=trace_id,
            claims=tuple(claims),
            judge=judge,
            api_key=resources.api_key(),
            store=resources.store(),
            anew=bool(st.session_state.get(ALL_THE_SAME) or st.session_state.get(ANEW, True)),
        ),
    )
    st.session_state[_LAST_JOB] = key
    st.session_state[_watching(key)] = True


def _work(handle: Handle, *, seen: View, trace_id: str, claims: Sequence[str], judge: str, api_key: str | None, store: Store, anew: bool) -> str:
    """Runs in the pool. Each claim's verdicts are stored before the next is asked, so a stop loses one claim."""
    handle.progress(0, len(claims))
    found = rejudge_claims(store, seen, trace_id, claims, judge, api_key=api_key, cancel=handle.cancel, anew=anew, on_progress=handle.progress)
    failed = sum(bool(one.said) and all(j.verdict is Verdict.UNJUDGED for j in one.said) for one in found)
    cached = sum(bool(one.said) and all(j.cost.cached for j in one.said) for one in found)
    alike = Counter(one.alike for one in found)
    what = claims[0] if len(claims) == 1 else f"{len(claims)} claims"
    if failed:
        return f"{judge} could not judge {failed} of {len(claims)}; what counted before still counts."
    return f"{judge} has judged {what}, {came_from(len(claims), cached)}{against_before(alike)}."


def came_from(n: int, cached: int) -> str:
    """Whether the answers are new: "asked anew", "answered from the cache", or how many of each."""
    if cached in (0, n):
        return "answered from the cache" if cached else "asked anew"
    return f"{n - cached} asked anew, {cached} answered from the cache"


def against_before(alike: Mapping[bool | None, int]) -> str:
    """How the answers stand to this judge's own earlier ones: ": the same answer as before"; "" where it never spoke before."""
    same, other = alike.get(True, 0), alike.get(False, 0)
    if same + other == 0:
        return ""
    if sum(alike.values()) == 1:
        return ": the same answer as before" if same else ": another answer than before"
    return f": {same} the same as before, {other} not"


def _watching(key: str) -> str:
    return f"_rv_watching:{key}"


def _watch(key: str) -> None:
    """One line about the work: how far it is, how to stop it, what came of it."""
    state = resources.jobs().state(key)
    if state is None:
        return
    if not state.status.is_over:
        st.session_state[_watching(key)] = True
        _waiting(state)
        return
    if st.session_state.pop(_watching(key), False):
        # Seen running before and over now: the whole page is drawn once more, with the new verdict and without the timer.
        selection.settle()
        st.rerun()
    _outcome(state)


def _waiting(state: JobState) -> None:
    judge, what = state.key.split(SEPARATOR)[-2:]
    said = what if "," not in what else f"{state.done + 1} of {state.total or '…'}"
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="cap-waiting"):
        st.markdown(f":material/hourglass_top: **{widgets.md(judge)}** is reading {widgets.md(said)} · {state.seconds:.1f} s")
        st.button("Cancel", key="cancel_rejudge", on_click=_cancel, args=(state.key,))
    st.caption("The verdict in force stays until the new one is stored.")


def _cancel(key: str) -> None:
    resources.jobs().cancel(key)


def _outcome(state: JobState) -> None:
    if state.status is JobStatus.FAILED:
        widgets.problem(state.message, state.fix, key="rejudge")
    elif state.status is JobStatus.CANCELLED:
        st.caption("Stopped. What was judged before the stop is stored.")
    else:
        st.caption(widgets.md(str(state.result)))


# ---------- a person's word ----------


def _overrule(seen: View, case: JudgedTrace, grounded: Mapping[str, ClaimGrounding], claim: str | None) -> None:
    if claim is None:
        if grounded:
            st.caption("Pick a claim to overrule its verdict.")
        return
    table, found = _against(case, grounded, claim)
    options = [g.value for g in Grounding if g is not Grounding.UNJUDGED and (table is not CORRECT or g is not Grounding.CONFLICTED)]
    if found is not None and found.by == "human":
        options.append(WITHDRAW)
    verdict_key, reason_key = "overrule_verdict" if table is not CORRECT else "overrule_expected", f"reason-{case.trace.id}-{claim}"
    with st.form("overrule", border=False, clear_on_submit=False):
        verdict, why, who, save = st.columns([1.35, 1.7, 1, 0.7], vertical_alignment="bottom", gap="xsmall")
        with verdict:
            st.selectbox(f"Overrule {claim} as", options, key=verdict_key, format_func=_option)
        with why:
            st.text_input("Reason", key=reason_key, max_chars=MAX_REASON)
        with who:
            st.text_input("Your name", key="author", max_chars=MAX_NAME, persist_state="session")
        with save:
            # The claim is in its key and in its arguments: whatever is clicked meanwhile, a word is on the claim that was on the screen.
            st.form_submit_button("Save", key=f"overrule-save-{case.trace.id}-{claim}", width="stretch", on_click=_save,
                                  args=(seen, case.trace.id, claim, table, (verdict_key, reason_key)))
    troubles.tell("overrule")


def _against(case: JudgedTrace, grounded: Mapping[str, ClaimGrounding], claim: str) -> tuple[Table, ClaimGrounding | None]:
    """Which verdict on the claim is spoken of: that on the passages, or, where there is an expected answer, that on it; and what counts there now."""
    if not case.trace.reference:
        return Table.RESPONSE_X_PASSAGES, grounded[claim]
    chosen = st.segmented_control("Verdict against", [PASSAGES, EXPECTED], default=PASSAGES, required=True, key=f"against-{case.trace.id}-{claim}",
                                  help="Against the passages: is it supported? Against the expected answer: is it right?")
    table = CORRECT if chosen == EXPECTED else Table.RESPONSE_X_PASSAGES
    found = grounded[claim] if table is not CORRECT else groundings(case, CORRECT).get(claim)
    if table is CORRECT:
        now = GROUNDING_LABEL[found.grounding] if found is not None else GROUNDING_LABEL[Grounding.UNJUDGED]
        whose = found.annotation.author if found is not None and found.by == "human" and found.annotation is not None else "the judge"
        st.caption(f"{widgets.md(claim)} is {now} by the expected answer, says {widgets.md(whose)}.")
    return table, found


def _option(value: str) -> str:
    return "take my word back" if value == WITHDRAW else f"{chip(value).split(' ')[0]} {GROUNDING_LABEL[Grounding(value)]}"


@troubles.kept("overrule")
def _save(seen: View, trace_id: str, claim: str, table: Table, typed: tuple[str, str]) -> None:
    """The press on Save. The first cause that is looked for in a large run reads its passages: seconds, once."""
    said, reason = (st.session_state[key] for key in typed)
    author = st.session_state["author"].strip()
    if not author:
        troubles.keep("overrule", "An overrule needs a name.", f"Write who says so beside the reason; it stands in the history. Nothing was said of {claim}.")
        return
    grounding = None if said == WITHDRAW else Grounding(said)
    store = resources.store()
    annotate(store, seen, Annotation(trace_id=trace_id, claim_id=claim, table=table, grounding=grounding, author=author, reason=reason.strip(),
                                     at=store.now(), claim_set=seen.claim_set))
