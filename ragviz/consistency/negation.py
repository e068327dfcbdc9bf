"""Which words of a text are under a negation, and under how many."""

from __future__ import annotations

from collections.abc import Sequence

from ragviz.text.verbs import FINITE

_PLAIN = "not no never none nobody nothing nowhere neither nor without hardly barely scarcely cannot nicht nie niemals niemand nichts ohne weder kaum pas jamais aucun aucune rien sans"
_VERBS = (
    "fail fails failed failing refuse refuses refused refusing lack lacks lacked lacking avoid avoids avoided avoiding decline declines declined "
    "stop stopped stops cease ceased ceases unable incapable impossible unlikely prohibit prohibits prohibited forbid forbids forbidden "
    "prevent prevents prevented absent neglected neglect omit omits omitted omitting"
)
_GERMAN = ("kein", "keine", "keinen", "keinem", "keiner", "keines")
PLAIN = frozenset((*_PLAIN.split(), *_GERMAN))
NEGATING_VERBS = frozenset(_VERBS.split())
"""Words that negate what depends on them: "failed to open"."""
NEEDS_TO = frozenset({"fail", "fails", "failed", "failing", "refuse", "refuses", "refused", "refusing", "decline", "declines", "declined", "stop", "stopped", "stops", "cease", "ceased", "ceases", "neglected", "neglect", "unable", "incapable", "impossible", "unlikely"})
"""These negate only an infinitive or "of"/"from": "the price declined" says nothing of that sort."""
SHORT_SCOPE = frozenset(("no", "without", "instead", "rather", "other", "ohne", "sans", *_GERMAN, "lack", "lacks", "lacked", "lacking", "aucun", "aucune"))
_HARMLESS_NEXT = frozenset({"only", "just", "merely", "simply", "solely", "until", "necessarily", "nur", "seulement", "all", "every", "everyone", "everything", "always", "entirely", "completely", "fully", "alle", "alles", "immer", "tous", "toutes", "sooner", "doubt", "surprisingly", "bis", "each", "both", "unlike", "more", "less", "fewer", "later", "earlier", "many", "much", "often"})
_LIMITS = frozenset({"more", "less", "fewer", "later", "earlier", "longer", "higher", "lower"})
_ENDING = frozenset({"stop", "stopped", "stops", "cease", "ceased", "ceases"})
_DEGREES = frozenset({"barely", "hardly", "scarcely", "kaum"})
"""These reach the next word of content only."""
_BREAKS = frozenset({"but", "although", "though", "while", "whereas", "because", "sondern", "aber", "mais", "however"})
MAX_SCOPE = 14


class Cue:
    """One negating word with the tokens it reaches."""

    __slots__ = ("at", "end", "start")

    def __init__(self, at: int, start: int, end: int) -> None:
        self.at = at
        """Token of the negating word (its last word)."""
        self.start = start
        self.end = end
        """Tokens start..end (end not included) are negated."""


_LEAVE = frozenset({"leave", "leaves", "leaving"})
_DISTANCES = frozenset({"miles", "mile", "kilometres", "kilometers", "km", "metres", "meters", "m", "feet", "far", "minutes", "hours", "hour", "days", "years", "walk", "drive", "blocks"})
_MAY_BEGIN = PLAIN | _LEAVE | NEGATING_VERBS | {"instead", "rather", "other", "yet", "away", "free", "absence", "non"}


def is_negator(lower: str) -> bool:
    """True for words that negate, as a rule."""
    return lower in PLAIN or lower in NEGATING_VERBS or lower.endswith(("n't", "n’t"))


def may_negate(lower: str) -> bool:
    """True for words with which a negation may begin."""
    return lower in _MAY_BEGIN or lower.endswith(("n't", "n’t"))


def cues(lowers: Sequence[str], clause: Sequence[int], content: Sequence[bool], commas: Sequence[bool]) -> list[Cue]:
    """
    Negations in order, each with its scope.

    Args:
        lowers: Lower-cased tokens.
        clause: Clause number of each token.
        content: Whether a token carries content.
        commas: Whether a comma follows a token.

    "not only", "no more than", "not all", "not until", "No. 5", "whether or not" do not negate; "neither … nor" counts once.
    """
    found: list[Cue] = []
    n = len(lowers)
    neither = -1
    scopes = _Scopes(lowers, clause, content, commas)
    for i, word in enumerate(lowers):
        if not may_negate(word):
            continue
        at = _cue_at(lowers, i, n)
        if at < 0:
            continue
        if word == "neither":
            neither = clause[i]
        elif word == "nor" and neither == clause[i]:
            continue
        # "It covers neither teeth nor glasses": what it does not do stands in front.
        behind_verb = word == "neither" and i > 1 and clause[i - 1] == clause[i] and content[i - 1] and lowers[i - 1] in FINITE and lowers[i - 2] not in _DETERMINERS
        found.append(Cue(at, i - 1 if behind_verb else at + 1, scopes.end(i, at)))
    return found


_DETERMINERS = frozenset({"the", "a", "an", "this", "that", "these", "those"})


def _cue_at(lowers: Sequence[str], i: int, n: int) -> int:
    """Last token of the negating expression that begins at token ``i``; -1 for none."""
    word = lowers[i]
    nxt = lowers[i + 1] if i + 1 < n else ""
    if word in PLAIN or word.endswith(("n't", "n’t")):
        if nxt in _HARMLESS_NEXT and not (word == "no" and nxt in {"more", "less"} and (i + 2 >= n or lowers[i + 2] != "than")):
            return -1
        if word == "no" and (nxt == "longer" or nxt[:1].isdecimal()):
            return i + 1 if nxt == "longer" and not (i + 2 < n and lowers[i + 2] == "than") else -1
        if word in _DEGREES and nxt == "any":
            return -1  # "hardly any" says that there are few
        if word == "not" and i and lowers[i - 1] in {"or", "why", "if"}:
            return -1
        if word == "nothing" and i and lowers[i - 1] in _COSTING:
            return -1  # "it costs nothing" says what it costs
        if (word == "nothing" and nxt == "but") or (nxt == "to" and i + 2 < n and lowers[i + 2] == "mention"):
            return -1
        return i
    if word in NEGATING_VERBS:
        if word in NEEDS_TO:
            return i + 1 if nxt in {"to", "of", "from"} else i if word in _ENDING and nxt.endswith("ing") else -1
        return i
    if word in {"instead", "rather", "other"} and nxt in {"of", "than"}:
        return i + 1
    if word == "yet" and nxt == "to":
        return i + 1
    if word in {"away", "free"} and nxt in {"from", "of"}:
        return -1 if word == "away" and i and lowers[i - 1] in _DISTANCES else i + 1
    if word in _LEAVE and nxt == "out":
        return i + 1
    if word == "no" or (word == "absence" and nxt == "of"):
        return i + 1
    if word == "non" and nxt:
        return i
    return -1


_COSTING = frozenset({"cost", "costs", "costing"})


class _Scopes:
    """Where negations end."""

    __slots__ = ("clause", "commas", "content", "lowers")

    def __init__(self, lowers: Sequence[str], clause: Sequence[int], content: Sequence[bool], commas: Sequence[bool]) -> None:
        self.lowers, self.clause, self.content, self.commas = lowers, clause, content, commas

    def end(self, first: int, at: int) -> int:
        """First token behind the reach of the negation that stands at tokens first..at."""
        lowers, clause, n = self.lowers, self.clause, len(self.lowers)
        word = lowers[first]
        end = at + 1
        if word == "non":
            return min(n, end + 1)
        if word in _DEGREES:
            while end < n and not self.content[end] and clause[end] == clause[first]:
                end += 1
            return min(n, end + 1)
        subject = not any(self.content[j] for j in range(max(0, first - 4), first) if clause[j] == clause[first])
        short = word in SHORT_SCOPE and not (subject and word in {"no", "aucun", "aucune", *_GERMAN})
        while end < n and end - at <= MAX_SCOPE and clause[end] == clause[first]:
            now = lowers[end]
            if word == "away" and now in {"and", "or"} and end + 1 < n and lowers[end + 1] == "from":
                end += 2  # "away from children and from open flames"
                continue
            if now in _BREAKS or (now in {"and", "und", "et"} and (short or not subject)):
                break
            end += 1
            if short and self.commas[end - 1]:
                break
        return end


def parities(n: int, found: Sequence[Cue]) -> list[int]:
    """Per token: 1 where an odd number of negations reaches it, else 0."""
    out = [0] * n
    for cue in found:
        for i in range(cue.start, cue.end):
            out[i] ^= 1
    return out
