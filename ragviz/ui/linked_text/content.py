"""
A judged trace as the viewer wants it: text in pieces, claims, evidence, all as one compact JSON value.

Positions in lists stand for ids, and pieces are lists whose empty tail is left out, because a trace may have a thousand claims and
fifty long passages. The field names are those that the scripts of this folder read.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from ragviz.figures.highlight import Mark, reveal, segments
from ragviz.grounding.resolve import ClaimGrounding
from ragviz.records import Citation, Claim, Grounding, JudgedTrace, MatchTier, Passage, Side
from ragviz.records.ids import digest
from ragviz.text.markdown import Kind, stretches
from ragviz.text.sums import dollars
from ragviz.text.unmarked import unmarked
from ragviz.ui.linked_text.evidence_rows import ClashRow, EvidenceRow, TokenRow, clash_rows, evidence_rows, matrix_rows, passage_name
from ragviz.ui.linked_text.reference_rows import Denial, denial, reference_pieces

LETTER = {Grounding.SUPPORTED: "s", Grounding.NOT_SUPPORTED: "n", Grounding.CONTRADICTED: "c", Grounding.CONFLICTED: "x", Grounding.UNJUDGED: "u"}
LOOK = {Kind.SIGN: "S", Kind.STRONG: "B", Kind.CODE: "K"}
LOOKS = tuple(LOOK.values())
TIER_LETTER = {MatchTier.EXACT: "e", MatchTier.FOLDED: "f", MatchTier.FUZZY: "z"}

TEXT_BUDGET = 420_000
"""Characters of passages that are sent whole. Above it, stretches that hold no evidence are shortened, and say so."""
KEPT_AROUND = 400
"""Characters kept at each end of a stretch that is shortened."""


@dataclass(frozen=True)
class Frame:
    """What the page knows and the trace does not say: words for the viewer's own labels. All of it is data, never markup."""

    crumb: str = ""
    scores: Sequence[tuple[str, str, str, str]] = ()
    """Label, value, small print, and what the word means (for those who point at it); for the strip under the question."""
    reference_note: str = ""
    smaller: str = ""
    """What happens when fewer passages count as evidence."""
    citations: Mapping[str, Sequence[tuple[str, str, bool]]] = field(default_factory=dict)
    """Per claim id: marker, what is to be said of it, and whether that source was retrieved."""
    passage_flags: Mapping[str, str] = field(default_factory=dict)
    """Per passage id: a remark such as "older, unofficial"."""
    details: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Per claim id, words for the certificate: ``by`` (who overruled), ``near``, ``src``, ``why``, ``alarm``, ``who``."""
    confidences: Mapping[str, str] = field(default_factory=dict)
    """Per claim id: how sure the judge is, and what that is worth."""
    denied: Collection[str] = ()
    """Ids of claims that a passage supports and the reference denies."""
    judge: str = "the judge"
    """Whose word the evidence is: "local 1"."""
    no_claims: str = "Nothing in this answer can be checked."
    no_passages: str = "No passages came with this trace."
    mode: str = "full"
    """``full``, or ``snippet``: only the answer, for small places on other pages."""


def shown(text: str) -> str:
    """Text for the viewer: hidden characters become tokens that its scripts draw as such."""
    return reveal(text, before="\ue000", after="\ue001")


def build(case: JudgedTrace, grounded: Mapping[str, ClaimGrounding], citations: Sequence[Citation], frame: Frame) -> dict[str, Any]:
    """
    The content of one viewer.

    Args:
        case: The trace through its judge, with k.
        grounded: Groundings of the answer's claims against the passages.
        citations: Where the answer cites.
        frame: The page's own words.

    Returns:
        A JSON-able value with a ``signature`` that changes when anything else in it does.
    """
    claims = [c for c in case.claims if c.side is Side.RESPONSE]
    evidence = evidence_rows(case, claims, grounded)
    of_claim: defaultdict[int, list[int]] = defaultdict(list)
    for at, row in enumerate(evidence):
        of_claim[row.claim].append(at)
    clashes: list[list[ClashRow]] = []
    tokens: list[TokenRow] = []
    for index, claim in enumerate(claims):
        rows, marks = clash_rows(case, index, claim, grounded.get(claim.id))
        clashes.append(rows)
        tokens += marks
    denials = {i: denial(case, i, claim) for i, claim in enumerate(claims) if claim.id in frame.denied}
    tokens += [token for found in denials.values() for token in found.tokens]
    # A thousand claims share a few dozen of these sentences.
    sure = sorted(set(frame.confidences.values()))
    passages = case.trace.passages or ()
    full = frame.mode == "full"
    content: dict[str, Any] = {
        "mode": frame.mode, "judge": shown(frame.judge), "confs": [shown(words) for words in sure],
        "trace": shown(case.trace.id), "crumb": shown(frame.crumb), "question": shown(case.trace.question),
        "scores": [[label, value, shown(note), hint] for label, value, note, hint in frame.scores],
        "answer": answer_pieces(case.trace.response, claims, citations, tokens),
        "answerNote": answer_note(case, claims),
        "citations": [[shown(c.marker), bool(c.passage_ids)] for c in citations],
        "reference": [reference_pieces(case.trace.reference, tokens), frame.reference_note] if case.trace.reference else None,
        "claims": [
            _claim(case.trace.response, c, grounded.get(c.id), clashes[i], of_claim[i])
            | _denied(denials.get(i)) | _frame_words(c.id, frame, sure) for i, c in enumerate(claims)
        ],
        "evidence": [_evidence(row) for row in evidence],
        "tokens": [[t.claim, t.side] for t in tokens],
        "passages": passage_rows(passages, evidence, tokens, case.k, frame) if full else [],
        "passagesNote": _passages_note(case), "hasScores": any(p.score is not None for p in passages),
        "smaller": shown(frame.smaller), "noClaims": shown(frame.no_claims), "noPassages": frame.no_passages,
    }
    if full:
        for claim_row, line in zip(content["claims"], matrix_rows(case, claims, evidence), strict=True):
            claim_row["m"] = line
    content["signature"] = digest((msgspec.json.encode(content).decode(),), length=16)
    return content


def _claim(response: str, claim: Claim, found: ClaimGrounding | None, clashes: Sequence[ClashRow], evidence: Sequence[int]) -> dict[str, Any]:
    row: dict[str, Any] = {"id": claim.id, "v": LETTER[found.grounding if found else Grounding.UNJUDGED]}
    words = unmarked(claim.text)
    if words != "".join(s.of(response) for s in claim.spans):
        row["t"] = shown(words)
    if found and found.by == "human":
        row["h"] = 1
        row["j"] = LETTER[found.judged or Grounding.UNJUDGED]
    if evidence:
        row["e"] = list(evidence)
    if clashes:
        row["k"] = [[c.kind, shown(c.said), shown(c.found), shown(c.said_value), shown(c.found_value), c.passage, list(c.agreeing)] for c in clashes]
    return row


def _denied(found: Denial | None) -> dict[str, Any]:
    """``w``: where the reference says otherwise. Clashing details first, then its words."""
    if found is None:
        return {}
    return {"w": [[[kind, *map(shown, words)] for kind, *words in found.clashes], [shown(quote) for quote in found.quotes]]}


def _frame_words(claim_id: str, frame: Frame, sure: Sequence[str]) -> dict[str, Any]:
    """What the page has to say of a claim: its citations, and the words of its certificate."""
    cited = frame.citations.get(claim_id)
    row: dict[str, Any] = {"c": [[shown(marker), shown(words), int(known)] for marker, words, known in cited]} if cited else {}
    if claim_id in frame.confidences:
        row["conf"] = sure.index(frame.confidences[claim_id])
    return row | {name: shown(words) for name, words in frame.details.get(claim_id, {}).items() if words}


def _evidence(row: EvidenceRow) -> list[Any]:
    confidence = None if row.confidence is None else round(100 * row.confidence)
    return [row.claim, row.passage, row.span.start, row.span.end, row.side, TIER_LETTER[row.tier], confidence, *([1] if row.together else [])]


def answer_pieces(response: str, claims: Sequence[Claim], citations: Sequence[Citation], tokens: Sequence[TokenRow]) -> list[list[Any]]:
    """The answer as ``[text, claims, tokens, citation, look]``; numbers are places in the lists of the content, ``look`` is how Markdown would set it."""
    marks = [Mark(span, f"c{i}") for i, claim in enumerate(claims) for span in claim.spans]
    marks += [Mark(span, f"t{t}") for t, token in enumerate(tokens) for span in token.answer_spans]
    marks += [Mark(c.span, f"q{i}") for i, c in enumerate(citations)]
    marks += [Mark(span, LOOK[kind]) for span, kind in stretches(response)]
    pieces: list[list[Any]] = []
    for text, names in segments(response, marks):
        of = _sorted_names(name for name in names if name not in LOOKS)
        look = "".join(letter for letter in LOOKS if letter in names)
        pieces.append([shown(text), of["c"], of["t"], of["q"][0] if of["q"] else -1, look])
    for one_way in (pieces, pieces[::-1]):
        _without_signs_before(one_way)
    return [_trim(piece, [None, [], [], -1, ""]) for piece in pieces]


def _without_signs_before(pieces: Sequence[list[Any]]) -> None:
    """Markdown's signs at the edge of a detail belong to the text around it: of ``**999** million`` the mark holds "999", signs and " million"."""
    before: list[int] = []
    for piece in pieces:
        if LOOK[Kind.SIGN] in piece[4]:
            piece[2] = [t for t in piece[2] if t in before]
        before = piece[2]


def passage_rows(passages: Sequence[Passage], evidence: Sequence[EvidenceRow], tokens: Sequence[TokenRow], k: int | None, frame: Frame) -> list[dict[str, Any]]:
    """Passages with their text as ``[text, evidence, tokens]`` pieces."""
    marks: defaultdict[int, list[Mark]] = defaultdict(list)
    for e, row in enumerate(evidence):
        marks[row.passage].append(Mark(row.span, f"e{e}"))
    for t, token in enumerate(tokens):
        if token.passage_span is not None:
            marks[token.passage].append(Mark(token.passage_span, f"t{t}"))
    shorten = sum(len(p.text) for p in passages) > TEXT_BUDGET
    return [_passage(p, marks[i], shorten=shorten, out=k is not None and i >= k, flag=frame.passage_flags.get(p.id, "")) for i, p in enumerate(passages)]


def _passage(passage: Passage, marks: Sequence[Mark], *, shorten: bool, out: bool, flag: str) -> dict[str, Any]:
    pieces = []
    for text, names in segments(passage.text, marks):
        of = _sorted_names(names)
        visible = shown(_shortened(text) if shorten and not names else text)
        pieces.append(_trim([visible, of["e"], of["t"]], [None, [], []]))
    name = passage_name(passage)
    origin = [passage.source if passage.source != name else None, passage.authority, passage.effective_date or passage.revision]
    row = {"r": passage.rank, "n": shown(name), "s": shown(" · ".join(dict.fromkeys(o for o in origin if o))), "t": pieces,
           "sc": "" if passage.score is None else f"{passage.score:.2f}"}
    return row | ({"f": flag} if flag else {}) | ({"out": 1} if out else {})


def _shortened(text: str) -> str:
    """A long stretch without evidence, with its middle left out and counted."""
    left_out = len(text) - 2 * KEPT_AROUND
    return text if left_out < KEPT_AROUND else f"{text[:KEPT_AROUND]} [… {left_out:,} characters without evidence left out …] {text[-KEPT_AROUND:]}"


def _sorted_names(names: Iterable[str]) -> dict[str, list[int]]:
    out: dict[str, list[int]] = {"c": [], "t": [], "q": [], "e": []}
    for name in names:
        out[name[0]].append(int(name[1:]))
    return out


def _trim(piece: list[Any], empty: Sequence[Any]) -> list[Any]:
    while len(piece) > 1 and piece[-1] == empty[len(piece) - 1]:
        piece.pop()
    return piece


def answer_note(case: JudgedTrace, claims: Sequence[Claim]) -> str:
    """What producing the answer took: "6 claims · 812 ms · $0.0031"."""
    usage = case.trace.usage
    words = [f"{len(claims)} claim{'' if len(claims) == 1 else 's'}"]
    if usage and usage.latency_ms is not None:
        words.append(f"{usage.latency_ms:,.0f} ms" if usage.latency_ms < 10_000 else f"{usage.latency_ms / 1000:,.1f} s")
    if usage and usage.cost_usd is not None:
        words.append(dollars(usage.cost_usd))
    return " · ".join(words)


def _passages_note(case: JudgedTrace) -> str:
    n = len(case.trace.passages or ())
    if not n:
        return ""
    if case.k is None or case.k >= n:
        return f"{n}, as the model saw them"
    return f"first {case.k} of {n}, as the model saw them"
