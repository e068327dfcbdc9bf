"""Kinds of claim that high overlap with the evidence must not carry. Each looks at one sentence; each is a rule about wording, none about a case."""

from __future__ import annotations

import re

from ragviz.consistency import Findings, Missing
from ragviz.consistency.analysis import analyse
from ragviz.evidence.windows import plain
from ragviz.judges.local_agents import did_another_deed
from ragviz.judges.local_clash import STATED
from ragviz.judges.local_codes import is_said_of_another_code
from ragviz.judges.local_doers import is_anothers
from ragviz.judges.local_figures import is_said_otherwise
from ragviz.judges.local_labels import stands_under_another
from ragviz.judges.local_limits import leaves_out_limit
from ragviz.judges.local_unbacked import adds_also, has_no_cause, lacks_backing
from ragviz.judges.local_view import Look
from ragviz.records import ClashKind, Span
from ragviz.text.number_words import CARDINALS
from ragviz.text.polarity import negations
from ragviz.text.signs import Signs
from ragviz.text.tokens import STOP_WORDS, lower_words, stem, tokens
from ragviz.text.word_sets import word_set

AMOUNTS = frozenset({ClashKind.NUMBER, ClashKind.UNIT, ClashKind.MONEY, ClashKind.PERCENT, ClashKind.DATE, ClashKind.DURATION})
_COPULAS = word_set("is are was were be been being")
_SHORT_CLAIM = 3
_SHORT_COVERAGE = 2 / 3
_FEW_WORDS = 7
_BLENDED = 0.4
_ONE_SENTENCE = 0.5
"""Share of a short claim's weight that one sentence must hold."""
_LONG_CLAIM = 12
"""Words of content from which a claim rests on more places than are compared."""
_PRONOUN_ONE = re.compile(r"\bone\b(?=\W*(?:$|(?:at|for|from|in|on|with|by|to|of (?:them|these|those)|and|or|if|when|that|which|too|there|free)\b|[.,;!?]))", re.IGNORECASE)
_LIMITLESS = Signs(
    r"\bas (?:often|many times|much|many|long) as (?:you|they|one|he|she|we|i)\b|\bany number of\b|\bunlimited\b|\bwithout (?:any )?(?:limit|restriction|exception|condition)s?\b|"
    r"\bin any case\b|\bat any time\b|\bwhenever\b|\bno matter\b|\bregardless\b|\bbeliebig|\bjederzeit\b|\bunbegrenzt|\bà tout moment\b|\billimité"
)
_AGENT = re.compile(r"\bby (?:the|an?|your|our|their|its|his|her) (\w+)\W*$", re.IGNORECASE)
_ANYBODY = re.compile(r"^\W*(?:yes,? |no,? )?(?:you|everyone|everybody|anyone|anybody|people|one|customers|users) (can|could|may|must|should|need|have|get|are|will)\b(?: (\w+))?", re.IGNORECASE)
_HARDLY_FIGURES = word_set("one first second third eins erste premier")
"""Words that count nothing as often as they count: "the third cousin", "from one generation to the next"."""
_GENERIC = word_set("you yes no everyone everybody anyone anybody people customers customer users user one")
_CUT = re.compile(r"[,;:]\s")
_BARE = re.compile(r"(?:about |at least |at most |more than |less than )?(\d[\d,.]*)")
_ONE = re.compile(r"1 (h|min|s|day|week|month|year)")
_MEASURED = re.compile(r"(\d[\d,.]*) ([^\W\d_]{2,})$")
_DIGITS = re.compile(r"\d[\d,.]*")
_RATE = re.compile(r"(?<![\w.,])(\d[\d.,]*|one|two|three|four|five|six|seven|eight|nine|ten|twelve)(?: [a-z]+){1,3}? (?:per|an?|each|every) (second|minute|hour|day|week|month|quarter|year)\b", re.IGNORECASE)
_COUNTED = re.compile(r"(\d+(?:[.,]\d+)*)\s?([\u3005-\u3007\u3040-\u30ff\u3400-\u9fff])")
_UNIVERSAL = word_set("all always every each any never everyone everybody everything whole entire completely fully")
_ALL_STATED = 0.6
_PRONOUNS = word_set("it they this these that he she both its their es sie er dies il elle ils elles ce cela")
_AUXILIARIES = word_set("can may must will should does do is are was were has have")
_ELLIPSIS = re.compile(rf"\W*(.{{2,120}}?) ({'|'.join(sorted(_AUXILIARIES))})[.!]?", re.IGNORECASE | re.DOTALL)
_OPPOSITE = ("un", "in", "im", "ir", "non", "dis")


def cannot_be_supported(seen: Look) -> bool:
    """True when the claim is of a kind whose words stand in the evidence without being said there."""
    found = seen.together
    if lacks_backing(seen) or (seen.chosen and adds_also(seen, surely=True)):
        return True
    if len(seen.claim.sentences) != 1:
        return False
    if found is not None and _COPULAS.isdisjoint(seen.claim.lowers) and any(clash.kind is ClashKind.ROLE for clash in found.weak):
        return True  # "Vale defeated Rexford" of "Rexford beat Vale": reworded, and who does it to whom exchanged
    if found is not None and (_lacks_detail(seen, found) or _lacks_restriction(found) or _blends(seen, found)):
        return True
    return bool(seen.chosen) and any(rule(seen) for rule in (_scattered, _goes_beyond, _other_agent, _anybody, _denied_it, stands_under_another, has_no_cause, _opposite_clause, _other_count, _other_rate, is_anothers, leaves_out_limit, is_said_of_another_code, did_another_deed))


def doubts(seen: Look) -> int:
    """Signs that a claim is not supported which are wrong almost as often as right: each lowers the probability (local_weighing.py), none decides."""
    found = seen.together
    if len(seen.claim.sentences) != 1 or not seen.chosen:
        return 0
    return int(found is not None and _lacks_topic(seen, found)) + int(_denied(seen)) + int(adds_also(seen, surely=False))


def _text(seen: Look) -> str:
    """The chosen units as one text."""
    indexed = seen.premise.indexed
    return " ".join(indexed.units[choice.unit].span.of(indexed.text) for choice in sorted(seen.chosen, key=lambda c: c.unit))


def _lacks_detail(seen: Look, found: Findings) -> bool:
    """An amount or date that the evidence does not give: "21 degrees" where it says 21 metres. "Borrow one" is no figure."""
    missing = [m for m in found.missing if m.kind in AMOUNTS and m.hypothesis_span.of(seen.claim.text).lower() not in _HARDLY_FIGURES]
    if not missing or len(seen.claim.distinct) > _LONG_CLAIM:
        return False
    if _PRONOUN_ONE.search(seen.claim.text):
        missing = [m for m in missing if not (m.kind is ClashKind.NUMBER and m.value == "1")]
    text = _text(seen)
    return any(not _stands_elsewhere(seen, m) and not _stands_bare(m, text, m.hypothesis_span.of(seen.claim.text)) and not is_said_otherwise(m, seen) for m in missing)


def _stands_bare(missing: Missing, text: str, said: str) -> bool:
    """True for a number without a unit whose digits stand in the evidence, of whatever: it is not lacking; and for "one hour" where it says "an hour"."""
    if missing.kind is ClashKind.NUMBER and said.isalpha() and re.search(rf"\b{re.escape(said)}\b", text, re.IGNORECASE):
        return True  # "the third" beside "the third chapter"
    bare = _BARE.fullmatch(missing.value)
    if bare is not None:
        return any(_figure(match) == _figure(bare[1]) for match in _DIGITS.findall(text))
    measured = _MEASURED.search(said)
    if measured is not None and measured[1] in _DIGITS.findall(text) and re.search(rf"(?<![^\W_]){measured[2].rstrip('s')}", text, re.IGNORECASE):
        return True  # "timeout = 30  # in seconds"
    one = _ONE.fullmatch(missing.value)
    return one is not None and re.search(rf"\ban? {one[1]}", text, re.IGNORECASE) is not None


def _figure(digits: str) -> str:
    """A figure without the commas of thousands and the noughts behind its point: "3.0" is 3."""
    bare = digits.replace(",", "").rstrip(".")
    return bare.rstrip("0").rstrip(".") if "." in bare else bare


def _stands_elsewhere(seen: Look, missing: Missing) -> bool:
    """True when the figure stands in a sentence that was not compared: a long claim rests on more of them than are shown."""
    figures = [t.stem for t in tokens(missing.hypothesis_span.of(seen.claim.text)) if any(c.isdigit() for c in t.stem)]
    compared = {choice.unit for choice in seen.chosen}
    return bool(figures) and all(any(unit not in compared for unit in seen.premise.indexed.postings.get(f, ())) for f in figures)


def _lacks_restriction(found: Findings) -> bool:
    """A restriction of the evidence that the claim leaves out though the rest stands there: "in mice", "reportedly", "some"."""
    if not found.dropped or found.clashes:
        return False
    # "Always" itself stands nowhere where the evidence says "unless".
    return found.coverage >= (_ALL_STATED if any(m.value in _UNIVERSAL for m in found.missing) else STATED)


def _lacks_topic(seen: Look, found: Findings) -> bool:
    """A claim of few words that misses one of them: "The museum is in Lyon" where it says nothing of a museum."""
    few = len(seen.claim.distinct) <= _SHORT_CLAIM and found.coverage < _SHORT_COVERAGE
    return few and all(agreement.kind not in AMOUNTS for agreement in found.agreements)


def _blends(seen: Look, found: Findings) -> bool:
    """The value belongs to another subject: "The successor comes in April" from "The stand comes in April. The successor has no date."."""
    words = seen.claim.distinct
    values = [a for a in found.agreements if a.kind in AMOUNTS] if len(seen.chosen) > 1 else []
    if not values or len(words) > _FEW_WORDS:
        return False
    inside = {t.stem for a in values for t in tokens(a.hypothesis_span.of(seen.claim.text))}
    others = [word for word in words if word.stem not in inside]
    if not others:
        return False
    total = sum(word.weight for word in others)
    indexed = seen.premise.indexed
    by_unit = dict(seen.findings)
    carried: set[Span] = set()
    for choice in seen.chosen:
        unit, known = indexed.units[choice.unit], by_unit.get(choice.unit)
        share = sum(word.weight for word in others if word.stem in unit.stems) / total if total else 1.0
        first = next((t.lower for t in tokens(unit.span.of(indexed.text))), "")
        if first in _PRONOUNS:
            return False
        if share >= _BLENDED or others[0].stem in unit.stems or not _has_subject(unit.span.of(indexed.text), seen):
            carried.update(a.hypothesis_span for a in (values if known is None else known.agreements))
    subject_stands = any(others[0].stem in indexed.units[choice.unit].stems for choice in seen.chosen)
    return subject_stands and any(a.hypothesis_span not in carried for a in values)


def _has_subject(text: str, seen: Look) -> bool:
    """True when a unit begins with something that the claim does not speak of, and holds no pronoun that may stand for what it speaks of."""
    words = tokens(plain(text))
    first = next((t for t in words if t.lower not in STOP_WORDS), None)
    return first is not None and all(first.stem != word.stem for word in seen.claim.words) and not any(t.lower in _PRONOUNS for t in words)


def _scattered(seen: Look) -> bool:
    """A claim of few words that no one sentence comes near: "Admins can delete it" from "Press Delete. Admins can invite."."""
    words, total = seen.claim.distinct, seen.claim.weight
    if len(seen.chosen) < 2 or not total or len(words) > _SHORT_CLAIM:
        return False
    indexed = seen.premise.indexed
    units = [indexed.units[choice.unit] for choice in seen.chosen]
    if any(next((t.lower for t in tokens(unit.span.of(indexed.text))), "") in _PRONOUNS for unit in units):
        return False
    return max(sum(word.weight for word in words if word.stem in unit.stems) for unit in units) < _ONE_SENTENCE * total


def _goes_beyond(seen: Look) -> bool:
    """The claim knows no limit ("as often as you like", "whenever you like"), and the evidence says nothing of the kind."""
    return _LIMITLESS.stand_in(seen.claim.text) and not _LIMITLESS.stand_in(_text(seen))


def _other_agent(seen: Look) -> bool:
    """"Paid by the shop" where the evidence never speaks of a shop."""
    match = _AGENT.search(plain(seen.claim.text))
    if match is None or match[1].lower() in STOP_WORDS:
        return False
    agent = stem(match[1].lower())
    indexed = seen.premise.indexed
    return all(agent not in indexed.units[choice.unit].stems for choice in seen.chosen) and " by " in _text(seen)


def _anybody(seen: Look) -> bool:
    """"You can borrow one" where the evidence lets only some: "Business customers with a Q4 can borrow one"."""
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


def _denied(seen: Look) -> bool:
    """The only unit that speaks of what the claim begins with denies: "Exchanges are not offered for sale items" of "Sale items can be exchanged"."""
    if seen.claim.negated or len(seen.claim.distinct) > _FEW_WORDS or (seen.together and any(a.kind in AMOUNTS for a in seen.together.agreements)):
        return False
    head = [word.stem for word in seen.claim.words[:2]]
    indexed = seen.premise.indexed
    speaking = [unit for unit in {*seen.near, *(c.unit for c in seen.chosen)} if all(s in indexed.units[unit].stems for s in head)]
    return bool(speaking) and all(_denies_some(indexed.units[unit].span.of(indexed.text), seen) for unit in speaking) and all(
        any(w.stem not in indexed.units[unit].stems for w in seen.claim.words) for unit in speaking
    )


def _denied_it(seen: Look) -> bool:
    """The same where the very words the claim begins with are what is denied."""
    if not _denied(seen):
        return False
    head = {word.stem for word in seen.claim.words[:2]}
    indexed = seen.premise.indexed
    units = [analyse(indexed.units[unit].span.of(indexed.text)) for unit in {*seen.near, *(c.unit for c in seen.chosen)} if head <= indexed.units[unit].stems]
    return all(head <= {unit.roots[i] for i in range(len(unit.roots)) if unit.parity[i]} for unit in units)


def _denies_some(text: str, seen: Look) -> bool:
    """True when a negation of the text reaches a word of the claim; where none is known to, when there is one."""
    if not negations(text):
        return False
    unit = analyse(text)
    stems = {word.stem for word in seen.claim.words}
    return not unit.cues or any(unit.parity[i] and unit.roots[i] in stems for i in range(len(unit.roots)))


def _opposite_clause(seen: Look) -> bool:
    """The figure stands in the clause of the opposite: "opened: 30 days" from "unopened 30 days, opened 14 days"."""
    figures = [word.stem for word in seen.claim.words if word.is_figure]
    if not figures:
        return False
    wanted = {w.stem for w in seen.claim.words if not w.is_figure}
    words = {lower for lower in lower_words(plain(seen.claim.text)) if len(lower) > 3 and stem(lower) in wanted}
    text = _text(seen)
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


def _other_count(seen: Look) -> bool:
    """A figure with its Japanese or Chinese counter ("60日") that the evidence does not have, where it has another one with that counter."""
    ours = set() if seen.claim.text.isascii() else set(_COUNTED.findall(seen.claim.text))
    if not ours:
        return False
    theirs = set(_COUNTED.findall(_text(seen)))
    return any(pair not in theirs and any(counter == pair[1] for _, counter in theirs) for pair in ours)


def _other_rate(seen: Look) -> bool:
    """"30 exports per day" where the evidence has 30 of them per month."""
    ours = _rates(seen.claim.text)
    if not ours:
        return False
    theirs = _rates(_text(seen))
    return any(rate not in theirs and any(figure == rate[0] for figure, _ in theirs) for rate in ours)


def _rates(text: str) -> set[tuple[str, str]]:
    """Figures, in digits, with the time they are for."""
    return {(str(CARDINALS.get(figure.lower(), figure)), unit.lower()) for figure, unit in _RATE.findall(text)}


def is_elliptical(seen: Look) -> bool:
    """"Opened rolls cannot be returned. Sealed rolls can." says that sealed rolls can be returned: the verb stands in the sentence before."""
    if seen.claim.negated or not seen.chosen or len(seen.claim.sentences) != 1:
        return False
    indexed = seen.premise.indexed
    for choice in seen.chosen:
        text = plain(indexed.units[choice.unit].span.of(indexed.text))
        if text.rpartition(" ")[2].rstrip(".!").casefold() not in _AUXILIARIES:
            continue  # hardly any sentence ends so, and a pattern looks at all of it
        match = _ELLIPSIS.fullmatch(text)
        if match is None:
            continue
        subject, auxiliary, rest = seen.claim.text.partition(f" {match[2]} ")
        if not auxiliary or choice.unit == 0 or choice.unit - 1 in seen.premise.excluded:
            continue
        ours, verb = ({t.stem for t in tokens(part) if t.lower not in STOP_WORDS} for part in (plain(subject), plain(rest)))
        theirs = {t.stem for t in tokens(match[1]) if t.lower not in STOP_WORDS}
        if ours and verb and ours == theirs and verb <= indexed.units[choice.unit - 1].stems:
            return True
    return False
