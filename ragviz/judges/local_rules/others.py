"""Words that stand in the evidence of another agent, count, rate or clause than in the claim, or with a limit that the claim denies."""

from __future__ import annotations

import re

from ragviz.evidence.windows import plain
from ragviz.judges.local_rules.scene import Scene
from ragviz.text.number_words import CARDINALS
from ragviz.text.polarity import negations
from ragviz.text.signs import Signs
from ragviz.text.tokens import STOP_WORDS, lower_words, stem, tokens
from ragviz.text.word_sets import word_set

_LIMITLESS = Signs(
    r"\bas (?:often|many times|much|many|long) as (?:you|they|one|he|she|we|i)\b|\bany number of\b|\bunlimited\b|\bwithout (?:any )?(?:limit|restriction|exception|condition)s?\b|"
    r"\bwithout (?:asking|permission|approval|consent|authori[sz]ation|prior notice|further notice)\b|\bin any case\b|\bat any time\b|\bwhenever\b|\bno matter\b|\bregardless\b|\bbeliebig|\bjederzeit\b|\bunbegrenzt|\bà tout moment\b|\billimité"
)
_AGENT = re.compile(r"\bby (?:the|an?|your|our|their|its|his|her) (\w+)\W*$", re.IGNORECASE)
_ANYBODY = re.compile(
    r"^\W*(?:yes,? |no,? )?(?:you|everyone|everybody|anyone|anybody|people|one|customers|users) (can|could|may|must|should|need|have|get|are|will)\b(?: (\w+))?",
    re.IGNORECASE,
)
_GENERIC = word_set("you yes no everyone everybody anyone anybody people customers customer users user one")
_SOMEBODY = Signs(r"\bby (?:another|any other|some other|a different) (?:person|one|member|employee|tenant|customer)|\bby (?:someone|somebody|anyone|anybody|everyone|everybody)\b")
_OTHERS = Signs(r"\b(?:other|another|others|someone|somebody|anyone|anybody|everyone|everybody|else|all|any|different|public|friend|third part\w+|representative|on (?:your|their|his|her) behalf)\b")
_CUT = re.compile(r"[,;:]\s")
_RATE = re.compile(
    r"(?<![\w.,])(\d[\d.,]*|one|two|three|four|five|six|seven|eight|nine|ten|twelve)(?: [a-z]+){1,3}? (?:per|an?|each|every) (second|minute|hour|day|week|month|quarter|year)\b",
    re.IGNORECASE,
)
_HAN_DIGITS = {digit: n for n, digit in enumerate("〇一二三四五六七八九")} | {"两": 2, "兩": 2}
_HAN_SCALES = {"十": 10, "百": 100, "千": 1000}
_HAN_NUMBER = "".join([*_HAN_DIGITS, *_HAN_SCALES])
_COUNTED = re.compile(rf"(\d+(?:[.,]\d+)*|[{_HAN_NUMBER}]+)\s?(?![{_HAN_NUMBER}])([\u3005-\u3007\u3040-\u30ff\u3400-\u9fff])")
_ALONE = re.compile(r"(?<!let )(?<!left )(?<!leave )(?<!stand-)\balone\b", re.IGNORECASE)
_BY_ONESELF = Signs(
    r"\balone\b|\bonly\b|\bsole\w*\b|\bsingle\w*\b|\b(?:him|her|it|one|your|my|them|our)sel(?:f|ves)\b|\bown\b|\bunaccompanied\b|\bunaided\b|\bwithout\b|\bno ?(?:one|body) else\b|\bsolo\b|\bexclusive\w*\b|\bentirely\b|\bjust\b"
)
_HAN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
_OPPOSITE = ("un", "in", "im", "ir", "non", "dis")


def goes_beyond(scene: Scene) -> bool:
    """The claim knows no limit ("as often as you like", "whenever you like"), and the evidence says nothing of the kind."""
    seen = scene.seen
    return _LIMITLESS.stand_in(seen.claim.text) and not _LIMITLESS.stand_in(scene.text)


def other_agent(scene: Scene) -> bool:
    """"Paid by the shop" where the evidence never speaks of a shop."""
    seen = scene.seen
    match = _AGENT.search(plain(seen.claim.text))
    if match is None or match[1].lower() in STOP_WORDS:
        return False
    agent = stem(match[1].lower())
    indexed = seen.premise.indexed
    return all(agent not in indexed.units[choice.unit].stems for choice in seen.chosen) and " by " in scene.text


def by_somebody_else(scene: Scene) -> bool:
    """"Can be collected by another person", "by anyone", where nothing near speaks of others."""
    return _SOMEBODY.stand_in(scene.seen.claim.text) and not any(_OTHERS.stand_in(text) for text, _ in scene.near)


def anybody(scene: Scene) -> bool:
    """"You can borrow one" where the evidence lets only some: "Business customers with a Q4 can borrow one"."""
    seen = scene.seen
    match = _ANYBODY.search(seen.claim.text)
    if match is None or match[2] is None:
        return False
    unit = seen.premise.indexed.units[seen.chosen[0].unit].span.of(seen.premise.indexed.text)
    shared = re.search(rf"^(.{{1,120}}?)\b{re.escape(match[1])} {re.escape(match[2])}\b", plain(unit), re.IGNORECASE)
    if shared is None or re.search(r"\b(?:you|if|when|once|after|before)\b", shared[1], re.IGNORECASE):
        return False
    ours = {t.stem for t in tokens(seen.claim.text)}
    before = [t for t in tokens(shared[1]) if t.lower not in STOP_WORDS]
    return any(t.lower not in _GENERIC and t.stem not in ours for t in before)


def opposite_clause(scene: Scene) -> bool:
    """The figure stands in the clause of the opposite: "opened: 30 days" from "unopened 30 days, opened 14 days"."""
    seen = scene.seen
    figures = [word.stem for word in seen.claim.words if word.is_figure]
    if not figures:
        return False
    wanted = {w.stem for w in seen.claim.words if not w.is_figure}
    words = {lower for lower in lower_words(plain(seen.claim.text)) if len(lower) > 3 and stem(lower) in wanted}
    text = scene.text
    said = text.lower()
    if plain(text) is text and not any(prefix + w in said for w in words for prefix in _OPPOSITE):
        return False
    for clause in _CUT.split(text):
        theirs = set(lower_words(plain(clause)))
        if not theirs.isdisjoint(figures):
            turned = {w for w in words if any(prefix + w in theirs for prefix in _OPPOSITE)}
            if turned and turned.isdisjoint(theirs):
                return True
    return False


def other_count(scene: Scene) -> bool:
    """A figure with its Japanese or Chinese counter ("60日") that the evidence does not have, where it has another one with that counter."""
    seen = scene.seen
    ours = set() if seen.claim.text.isascii() else _counts(seen.claim.text)
    if not ours:
        return False
    theirs = _counts(scene.text)
    return any(pair not in theirs and any(counter == pair[1] for _, counter in theirs) for pair in ours)


def _counts(text: str) -> set[tuple[str, str]]:
    """Figures, in digits, with their counters."""
    return {(_in_digits(figure), counter) for figure, counter in _COUNTED.findall(text)}


def _in_digits(figure: str) -> str:
    """二十五 as 25; digits as they stand."""
    if figure[0].isdecimal():
        return figure
    total = last = 0
    for sign in figure:
        if sign in _HAN_SCALES:
            total, last = total + (last or 1) * _HAN_SCALES[sign], 0
        else:
            last = last * 10 + _HAN_DIGITS[sign]
    return str(total + last)


def turned_in_han(scene: Scene) -> bool:
    """Japanese or Chinese that denies, where the sentence nearest to it does not, or the other way round."""
    seen = scene.seen
    if seen.claim.text.isascii() or _HAN.search(seen.claim.text) is None:
        return False
    return seen.claim.negated != bool(negations(scene.units[0].text))


def other_rate(scene: Scene) -> bool:
    """"30 exports per day" where the evidence has 30 of them per month."""
    seen = scene.seen
    ours = _rates(seen.claim.text)
    if not ours:
        return False
    theirs = _rates(scene.text)
    return any(rate not in theirs and any(figure == rate[0] for figure, _ in theirs) for rate in ours)


def _rates(text: str) -> set[tuple[str, str]]:
    """Figures, in digits, with the time they are for."""
    return {(str(CARDINALS.get(figure.lower(), figure)), unit.lower()) for figure, unit in _RATE.findall(text)}


def was_not_alone(scene: Scene) -> bool:
    """"Mira designed the app alone" of "Mira and Jonas designed the app": nothing near says that it was one only."""
    return _ALONE.search(scene.seen.claim.text) is not None and not any(_BY_ONESELF.stand_in(text) for text, _ in scene.near)
