"""What the premise limits and the claim states without limit: "in mice", "planned", "only for members", "critics claim that"."""

from __future__ import annotations

from typing import NamedTuple

from ragviz.consistency.align import Pairing
from ragviz.consistency.analysis import Analysis
from ragviz.consistency.gathered import Gathered
from ragviz.consistency.lexicon import Phrase, qualifiers, reporting
from ragviz.records import ClashKind
from ragviz.text.word_table import WordTable

ALIGNED = 0.6
REACH = 8
"""A qualifier counts when a word shared with the claim stands within so many tokens of it."""
_CAN = frozenset({"can", "allowed", "permitted", "possible", "entitled", "able", "option", "free", "kann", "können", "darf", "dürfen", "möglich", "erlaubt", "peut", "peuvent", "puede", "pueden"})
"""What gives a "may" of permission back."""
_WHOLE_SENTENCE = frozenset({"restriction", "condition", "model organism", "small sample", "preliminary"})
"""Families that limit the whole sentence; the others limit the word behind them."""
_FORMAL = frozenset({"otherwise", "stated", "agreed", "noted", "specified", "indicated", "marked", "mentioned", "explicitly", "expressly", "advised", "instructed", "it", "is", "we", "you", "has", "been"})
_ONLY = frozenset({"only", "nur", "seulement", "uniquement"})
_THAT = frozenset({"that", "dass", "que", "qu'il", "qu'elle"})


def _beginning(words: str) -> tuple[Phrase, ...]:
    """Phrases that may begin with one or two words, longest first."""
    first, _, second = words.partition(" ")
    return tuple([phrase for phrase in qualifiers().get(first, ()) if len(phrase.words) == 1 or phrase.words[1] == second])


_BEGINNING = WordTable(_beginning, limit=8_192)
"""Hundreds of phrases begin with "in" or "for": the second word tells most of them apart."""


class Qualifier(NamedTuple):
    """One qualifying phrase, tokens first..last."""

    first: int
    last: int
    family: str


def find_qualifiers(text: Analysis) -> list[Qualifier]:
    """Qualifying phrases in order, longest match first. Kept with the analysis."""
    if text.qualifiers is None:
        table = qualifiers()
        found: list[Qualifier] = []
        end = 0
        lowers = text.lowers
        for i, word in enumerate(lowers) if not table.keys().isdisjoint(lowers) else ():
            if i < end or word not in table:
                continue
            for phrase in _BEGINNING[" ".join(lowers[i : i + 2])] if not text.value[i] else ():
                n = len(phrase.words)
                if tuple(lowers[i : i + n]) == phrase.words:
                    found.append(Qualifier(i, i + n - 1, phrase.family))
                    end = i + n
                    break
        text.qualifiers = found
    return text.qualifiers


def check_qualifiers(pair: Pairing, out: Gathered) -> None:
    """Add the premise's qualifiers that the claim leaves out, and reported speech that the claim takes for a fact."""
    limits = find_qualifiers(pair.premise)
    if limits:
        ours = {q.family for q in find_qualifiers(pair.claim)}
        if not _CAN.isdisjoint(pair.claim.lowers):
            ours.add("possibility")
        sentence, share = _best_sentence(pair)
        if share >= ALIGNED and not is_aside(pair.claim, pair.premise):
            for limit in limits:
                if limit.family not in ours and pair.premise.sentence[pair.premise.clause[limit.first]] == sentence and _touches(pair, limit):
                    out.word_drop(ClashKind.QUALIFIER, None, (limit.first, limit.last))
    _check_reported(pair, out)


def is_aside(claim: Analysis, text: Analysis) -> bool:
    """True for "the Moving Service takes two weeks" of "unless you book the Moving Service, which takes two weeks"."""
    at = next((j for j in range(1, len(text.lowers)) if text.lowers[j] == "which" and text.commas[j - 1]), None)
    if at is None or at + 1 >= len(text.lowers) or claim.cues:
        return False
    end = next((j for j in range(at, len(text.lowers)) if text.sentence[text.clause[j]] != text.sentence[text.clause[at]]), len(text.lowers))
    said = text.lowers[at + 1 : end]
    n = next((k for k in range(len(claim.lowers)) if claim.lowers[k] == said[0]), 0)
    if not n:
        return False
    noun, rest = claim.lowers[:n], claim.lowers[n:]
    return rest == said[: len(rest)] and text.lowers[max(0, at - n) : at] == noun


def _best_sentence(pair: Pairing) -> tuple[int, float]:
    """The sentence of the premise whose own words cover most of the claim, and the share."""
    premise, keys = pair.premise, pair.claim.all_keys
    words: dict[int, set[str]] = {}
    for clause, own in enumerate(premise.clause_keys):
        words.setdefault(premise.sentence[clause], set()).update(own)
    names = keys & pair.name_keys
    best, share = 0, 0.0
    for sentence, said in words.items():
        found = len(keys & said)
        # A sentence that speaks of "it" lacks the claim's names.
        total = len(keys) - 0.5 * len(names - said)
        if total and found / total > share:
            best, share = sentence, found / total
    return best, share


def _touches(pair: Pairing, limit: Qualifier) -> bool:
    """True when the phrase limits what the claim repeats, and the claim does not repeat the phrase."""
    if _repeated(pair, limit) or (pair.premise.lowers[limit.first] == "unless" and _is_formal(pair.premise, limit.last + 1)):
        return False
    premise, claim = pair.premise, pair.claim.index
    if limit.family in _WHOLE_SENTENCE:
        low, high = max(0, limit.first - REACH), min(len(premise.lowers), limit.last + 1 + REACH)
        return any(premise.content[j] and premise.keys[j] in claim for j in range(low, high) if not limit.first <= j <= limit.last)
    behind = limit.last + 1
    if limit.family == "possibility" and tuple(premise.lowers[behind : behind + 3 : 2]) == ("be", "to"):
        behind += 3  # "may be asked to show": it is the showing that may be
    for j in range(behind, min(len(premise.lowers), behind + 3)):
        if premise.content[j]:
            return premise.keys[j] in claim
    return any(premise.content[j] and premise.keys[j] in claim for j in range(max(0, limit.first - 2), limit.first)) and limit.family in {"plan", "allegation"}


def _is_formal(text: Analysis, i: int) -> bool:
    """True for "unless otherwise stated", which limits nothing that can be named."""
    return "otherwise" in text.lowers[i : i + 4] and all(word in _FORMAL for word in text.lowers[i : i + 2])


def _repeated(pair: Pairing, limit: Qualifier) -> bool:
    """True when the claim has the phrase's own words of content ("mice")."""
    premise = pair.premise
    own = [premise.keys[j] for j in range(limit.first, limit.last + 1) if premise.content[j]]
    if not own and premise.lowers[limit.first] in _ONLY:
        # "Only in the online shop": what it is only for, and the claim says so.
        own = [
            premise.keys[j]
            for j in range(limit.last + 1, min(len(premise.lowers), limit.last + 1 + REACH))
            if (premise.content[j] or premise.detail[j]) and premise.clause[j] == premise.clause[limit.last]
        ]
    return bool(own) and all(k in pair.claim.index for k in own)


def _check_reported(pair: Pairing, out: Gathered) -> None:
    """A dam does not leak because "critics claim that the dam leaks"."""
    theirs = _reports(pair.premise)
    if theirs and reporting().isdisjoint(pair.claim.lowers):
        verb = next((i for i in theirs if _told(pair, i)), None)
        if verb is not None:
            out.word_drop(ClashKind.QUALIFIER, None, (verb, verb))


def _reports(text: Analysis) -> list[int]:
    """Tokens of reporting verbs; kept with the analysis."""
    if text.reports is None:
        verbs = reporting()
        text.reports = []
        for i, word in enumerate(text.lowers) if not verbs.isdisjoint(text.lowers) else ():
            if word in verbs and not text.is_name[i]:
                nxt = text.lowers[i + 1] if i + 1 < len(text.lowers) else ""
                if nxt in _THAT or nxt in {"the", "it", "to", "a"} or text.commas[i]:
                    text.reports.append(i)
    return text.reports


def _told(pair: Pairing, verb: int) -> bool:
    """True when most of what the claim repeats stands behind the reporting verb, in its sentence."""
    premise = pair.premise
    sentence = premise.sentence[premise.clause[verb]]
    behind = {premise.keys[j] for j in range(verb + 1, len(premise.lowers)) if premise.content[j] and premise.sentence[premise.clause[j]] == sentence}
    keys = pair.claim.all_keys
    return bool(keys) and len(keys & behind) / len(keys) >= ALIGNED
