"""All, most, some, few, none of the same things."""

from __future__ import annotations

from ragviz.consistency.align import Pairing
from ragviz.consistency.analysis import MAX_PLACES, Analysis, Detail
from ragviz.consistency.gathered import Gathered
from ragviz.consistency.shares import ONLY, Quantifier, Share, quantifiers
from ragviz.records import ClashKind
from ragviz.text.bounds import Bound
from ragviz.text.quantity import Quantity, QuantityKind

_CLASH = {
    (Share.ALL, Share.NONE), (Share.ALL, Share.FEW), (Share.ALL, Share.NOT_ALL), (Share.MOST, Share.NONE), (Share.MOST, Share.FEW), (Share.MANY, Share.NONE),
    (Share.MANY, Share.FEW), (Share.SOME, Share.NONE), (Share.NONE, Share.ALL), (Share.NONE, Share.MOST), (Share.NONE, Share.MANY), (Share.NONE, Share.SOME),
    (Share.FEW, Share.ALL), (Share.FEW, Share.MOST), (Share.FEW, Share.MANY), (Share.NOT_ALL, Share.ALL), (Share.NONE, Share.FEW),
}
"""(premise, claim) that cannot both hold."""
_TOO_MUCH = {
    (Share.SOME, Share.ALL), (Share.SOME, Share.MOST), (Share.MOST, Share.ALL), (Share.MANY, Share.ALL), (Share.MANY, Share.MOST), (Share.SOME, Share.MANY),
    (Share.NOT_ALL, Share.MOST), (Share.FEW, Share.NONE),
}
"""(premise, claim) where the claim says more than the premise."""
ALIGNED = 0.5
ALL_ALIGNED = 0.6
"""Share of the claim's clause that the premise's must say for "only" in it to deny "all"."""
_WAYS = frozenset({"in", "with", "at", "on", "by", "via", "under", "after", "before"})
_EVERYTHING = frozenset(["all", "every", "everyone", "everybody", "everything", "alle", "allen", "aller", "jeder", "jede", "jedes", "tous", "toutes", "chaque", "todos", "todas", "cada"])
_NARROWS = frozenset(
    {"with", "without", "under", "over", "below", "above", "who", "whose", "aged", "from", "mit", "ohne", "unter", "über", "de", "sans", "con", "menores"}
)
_THRESHOLDS = frozenset({Bound.AT_LEAST, Bound.MORE, Bound.LESS, Bound.AT_MOST})
_BEFORE_LIMIT = frozenset({"of", "from", "over", "above", "under", "below", "with", "worth", "at", "up", "more", "less", "exceeding"})
_OR_MORE = frozenset({"more", "less", "fewer", "longer", "shorter", "older", "younger", "over", "above", "under", "larger", "smaller"})
_NEAR_LIMIT = 4


def check_quantifiers(pair: Pairing, out: Gathered) -> bool:
    """Add what the quantifiers say to ``out``. True when a clash was found: it explains a difference in negation too."""
    ours = quantifiers(pair.claim)
    theirs = quantifiers(pair.premise)
    clashed = False
    for a in ours:
        clause = pair.claim.clause[a.at]
        row = pair.row(pair.keys_of(clause))
        for b in theirs:
            where = pair.premise.clause[b.at]
            same_head = bool(a.head & b.head) or (not a.head and not b.head)
            if (
                not same_head
                and not a.head
                and a.share is Share.ALL
                and (b.share, a.share) in _TOO_MUCH
                and b.head & pair.claim.clause_keys[clause]
                and row[where] >= ALIGNED
            ):
                # "Patients always feel dizzy" of "some patients feel dizzy".
                out.word_drop(ClashKind.QUANTIFIER, (a.first, a.at), (b.first, b.at))
            if not same_head or row[where] < ALIGNED or pair.other_subject(clause, where):
                continue
            if (b.share, a.share) in _CLASH and not _otherwise_negated(pair, a, b):
                out.word_clash(ClashKind.QUANTIFIER, (a.first, a.at), (b.first, b.at))
                clashed = True
            elif (b.share, a.share) in _TOO_MUCH:
                out.word_drop(ClashKind.QUANTIFIER, (a.first, a.at), (b.first, b.at))
    _check_plain(pair, out, ours, theirs)
    return clashed or _check_everything(pair, out, ours, theirs)


def _says_what_only(pair: Pairing, only: int) -> bool:
    """True for "everyone must enter with a guide" beside "enter only with a guide": what is the only way or place is what the claim says of all."""
    premise = pair.premise
    behind = {premise.keys[j] for j in range(only + 1, len(premise.lowers)) if premise.content[j] and premise.clause[j] == premise.clause[only]}
    return only + 1 < len(premise.lowers) and premise.lowers[only + 1] in _WAYS and bool(behind) and behind <= pair.claim.all_keys


def _check_everything(pair: Pairing, out: Gathered, ours: list[Quantifier], theirs: list[Quantifier]) -> bool:
    """
    "All" or "most" of what the premise says of some: "only on the Enterprise plan", "one in five adults", "children under 6".

    True when a clash was found.
    """
    premise = pair.premise
    for a in ours:
        if a.share not in {Share.ALL, Share.MOST} or pair.claim.parity[a.at] or any(b.share is Share.ALL and b.head & a.head for b in theirs):
            continue
        clause = pair.claim.clause[a.at]
        keys = pair.keys_of(clause)
        where, score = pair.best(keys)
        if score < ALIGNED:
            continue
        for detail in premise.quantities:
            share = detail.record
            if (
                isinstance(share, Quantity)
                and share.kind is QuantityKind.PERCENT
                and share.value is not None
                and share.value < 50
                and a.head & frozenset(_words_behind(premise, detail.last))
                and detail.clause == where
            ):
                out.word_clash(ClashKind.QUANTIFIER, (a.first, a.at), (detail.first, detail.last))
                return True
        only = next(
            (
                i
                for i, w in enumerate(premise.lowers)
                if w in ONLY
                and premise.sentence[premise.clause[i]] == premise.sentence[where]
                and (i == 0 or premise.lowers[i - 1] not in {"not", "nicht", "non"})
            ),
            None,
        )
        if (
            only is not None
            and a.share is Share.ALL
            and score >= ALL_ALIGNED
            and pair.claim.lowers[a.at] in _EVERYTHING
            and a.at < len(pair.claim.lowers) - 1
            and (a.head & premise.all_keys or not a.head)
            and not _says_what_only(pair, only)
        ):
            out.word_clash(ClashKind.QUANTIFIER, (a.first, a.at), (only, only))
            return True
        if a.share is Share.ALL and a.head:
            said = {pair.claim.keys[j] for j in range(a.at) if pair.claim.content[j] and pair.claim.clause[j] == clause}
            alike = score >= ALL_ALIGNED or (len(said) > 1 and said <= premise.clause_keys[where])
            threshold = _beyond(pair, a) if alike and not pair.claim.quantities else None
            if threshold is not None:
                out.word_clash(ClashKind.QUANTIFIER, (a.first, a.at), threshold)
                return True
            limit = _restricted(pair, a)
            if limit is not None:
                out.word_drop(ClashKind.QUANTIFIER, (a.first, a.at), limit)
    return False


def _words_behind(text: Analysis, at: int) -> list[str]:
    return [text.keys[i] for i in range(at + 1, min(len(text.lowers), at + 4)) if text.content[i] and text.clause[i] == text.clause[at]]


def _beyond(pair: Pairing, a: Quantifier) -> tuple[int, int] | None:
    """The threshold of "free for orders of 60 EUR or more" where the claim says "for every order"; None where the things stand without one, too."""
    premise = pair.premise
    head = next((pair.claim.keys[j] for j in range(a.at + 1, min(len(pair.claim.keys), a.at + 3)) if pair.claim.content[j]), None)
    found: tuple[int, int] | None = None
    for i in premise.index.get(head, ())[:MAX_PLACES] if head is not None else ():
        limits = [d for d in premise.quantities if i < d.first <= i + _NEAR_LIMIT and d.clause == premise.clause[i] and _is_threshold(premise, d)]
        between = premise.lowers[i + 1 : limits[0].first] if limits else []
        if not limits or not between or between[0] not in _BEFORE_LIMIT or any(premise.content[j] for j in range(i + 1, limits[0].first)):
            return None
        last = _or_more(premise, limits[0])
        found = found or (i + 1, last)
    return found


def _is_threshold(text: Analysis, detail: Detail) -> bool:
    return isinstance(detail.record, Quantity) and (detail.record.bound in _THRESHOLDS or _or_more(text, detail) > detail.last)


def _or_more(text: Analysis, detail: Detail) -> int:
    """The last token of "4 nights or more", for the amount it begins with."""
    for i in range(detail.last + 1, min(len(text.lowers) - 1, detail.last + 3)):
        if text.lowers[i] == "or" and text.lowers[i + 1] in _OR_MORE:
            return i + 1
    return detail.last


def _restricted(pair: Pairing, a: Quantifier) -> tuple[int, int] | None:
    """What narrows the premise's word for the things the claim speaks of all of: "under 6" behind "children"; None where nothing does."""
    premise = pair.premise
    found: tuple[int, int] | None = None
    head = next((pair.claim.keys[j] for j in range(a.at + 1, min(len(pair.claim.keys), a.at + 6)) if pair.claim.content[j]), None)
    for key in (head,) if head is not None else ():
        for i in premise.index.get(key, ())[:MAX_PLACES]:
            nxt = premise.lowers[i + 1] if i + 1 < len(premise.lowers) and premise.clause[i + 1] == premise.clause[i] else ""
            if nxt not in _NARROWS:
                return None
            behind = next((j for j in range(i + 2, min(len(premise.lowers), i + 5)) if premise.content[j] or premise.detail[j]), None)
            if (
                behind is None
                or (not premise.detail[behind] and premise.keys[behind] in pair.claim.index)
                or (premise.detail[behind] and premise.lowers[behind] in pair.claim.lowers)
            ):
                return None
            found = (i + 1, min(i + 2, len(premise.lowers) - 1))
    return found


def _otherwise_negated(pair: Pairing, a: Quantifier, b: Quantifier) -> bool:
    """True where a second negation turns the statement back: "no member abstained", "all members voted" have different verbs anyway."""
    def other(text: Analysis, q: Quantifier) -> int:
        return sum(1 for cue in text.cues if cue.at != q.at and text.clause[cue.at] == text.clause[q.at] and cue.at - 1 != q.at) % 2

    return other(pair.claim, a) != other(pair.premise, b)


def _check_plain(pair: Pairing, out: Gathered, ours: list[Quantifier], theirs: list[Quantifier]) -> None:
    """A bare claim from "few members", and "only" that the premise does not say."""
    for b in theirs:
        if b.share not in {Share.FEW, Share.NOT_ALL} or ours:
            continue
        where = pair.premise.clause[b.at]
        for clause in range(pair.claim.n_clauses):
            if b.head & pair.claim.clause_keys[clause] and pair.row(pair.keys_of(clause))[where] >= ALIGNED:
                out.word_drop(ClashKind.QUANTIFIER, None, (b.first, b.at))
                break
    if ONLY.isdisjoint(pair.claim.lowers):
        return
    for i, word in enumerate(pair.claim.lowers):
        if word in ONLY and not any(w in ONLY for w in pair.premise.lowers):
            if i and pair.claim.lowers[i - 1] in {"not", "nicht", "non", "the", "an"}:
                continue
            where, score = pair.best(pair.keys_of(pair.claim.clause[i]))
            if score >= ALIGNED:
                first = pair.premise.first_of(where)
                out.word_drop(ClashKind.QUANTIFIER, (i, i), (first, first))
