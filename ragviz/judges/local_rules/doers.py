"""Who may do what: a right of students is none of staff, and a page that never speaks of installing does not say that you can install anything."""

from __future__ import annotations

import re

from ragviz.consistency.analysis import Analysis, analyse
from ragviz.evidence.windows import plain
from ragviz.judges.local_rules.scene import MAX_CHARS, Scene
from ragviz.text.signs import Signs
from ragviz.text.tokens import STEMS, STOP_WORDS
from ragviz.text.word_sets import word_set

_MODALS = word_set("can could may might must shall should")
_BEING = word_set("is are was were")
_HAVING = word_set("have has carry carries get gets receive receives pay pays need needs cost costs take takes")
_ADDED = word_set("also only still now already always usually normally even")
_KINDS = word_set("a an all any each every no only both some")
"""What a subject that names a kind of thing begins with; "the" and "our" may take up something said before."""
_CERTAIN = word_set("the our these")
WHATEVER = word_set(
    "item items product products article articles goods order orders purchase purchases thing things device devices person people user users "
    "customer customers anyone anybody everyone everybody you we they it"
)
"""Words under which whatever the claim is about may fall."""
ALIKE = tuple(map(word_set, (
    "staff employee employees personnel worker workers workforce colleague colleagues", "student students pupil pupils learner learners", "guest guests visitor visitors attendee attendees participant participants",
    "client clients buyer buyers shopper shoppers purchaser purchasers", "member members subscriber subscribers", "tenant tenants renter renters occupant occupants resident residents",
    "passenger passengers traveller travellers traveler travelers rider riders", "driver drivers motorist motorists", "kid kids child children minor minors", "owner owners holder holders proprietor proprietors",
    "teacher teachers instructor instructors trainer trainers", "company companies business businesses firm firms employer employers organisation organisations organization organizations", "doctor doctors physician physicians",
    "admin admins administrator administrators", "parent parents guardian guardians",
)))
"""People who go by several words."""
_FAR = 6
"""Words of a subject."""
_GENERIC = re.compile(
    r"^\W*(?:yes,? |no,? )?(?:you|we|they|everyone|everybody|anyone|anybody|people|one|customers|users|members|visitors|guests) (?:can|could|may) (?:also |then |still |now |always )?([a-z]{3,})\b",
    re.IGNORECASE,
)
_LIGHT_ACTS = word_set("get have receive expect ask choose use find take make see want need keep give put let try go come be do tell stay")
_PREFIX = 5
_FUSED = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
_PIECES = re.compile(r"[-'’]")
_FOR_NOTHING = re.compile(
    r"\b(?:at|for) no (?:extra |additional |further )?(?:charge|cost|fee)\b|\bno later than\b|\bno (?:more|less|fewer) than\b", re.IGNORECASE
)
"""Words that deny nothing."""
_WAY = re.compile(r"\b(?:by|via|over|through|with|using|from)\s+(?:an? |the |your |our )?([^\W_][^.,;:!?()]{1,40}?)\W*$", re.IGNORECASE)
_THEIRS = re.compile(r"\b(?:we|our staff|our team)\b", re.IGNORECASE)
_TURNED = Signs(r"\b(?:in|un|im|ir|il|dis|non)\w{4,}|\w{3,}less\b|\b(?:without|unless|until|except|only|but|nor)\b")
_MEASURES = word_set("cost costs weigh weighs take takes last lasts have has hold holds carry carries measure measures need needs cannot")
_COUNTING_KINDS = word_set("double triple twin")
_BEFORE_KIND = word_set("a an each every all any of from for with in to on by per")
PLAIN_KINDS = word_set(
    "single whole new full given individual separate certain particular same average typical normal own valid possible further additional complete "
    "entire simple few several many different other such one two three"
)
"""Words before a noun that single out no kind of it."""
_FEW = 4


def deed_is_lacking(scene: Scene) -> bool:
    """
    "You can install it by Wi-Fi" of a page that says of Wi-Fi how to switch it on; "you can borrow one at no charge" of "we send it back free of charge".

    The deed is in no form in the passage, and there at most half of the claim's words are, a hyphenated name counted once, or another is who acts.
    """
    seen = scene.seen
    match = _GENERIC.match(plain(seen.wording or seen.claim.text))
    if match is None or match[1].lower() in _LIGHT_ACTS or match[1].lower() in STOP_WORDS:
        return False
    deed = match[1].lower()
    known = seen.premise.indexed.postings
    if STEMS[deed] in known or any(stem.startswith(deed[:_PREFIX]) for stem in known):
        return False
    words = dict.fromkeys(w for w in _FUSED.findall(plain(seen.wording or seen.claim.text).lower()) if w not in STOP_WORDS)
    there = [w for w in words if all(STEMS[p] in known for p in _PIECES.split(w) if p and p not in STOP_WORDS)]
    if len(words) <= _FEW and 2 * len(there) <= len(words):
        return True
    best = max(scene.ranked, key=lambda unit: sum(word.weight for word in seen.claim.distinct if word.stem in unit[1]))
    return _THEIRS.search(best[0]) is not None and _THEIRS.search(seen.claim.text) is None


def way_is_denied(scene: Scene) -> bool:
    """"You can install it by Wi-Fi" of "updates by Wi-Fi are not possible", where no sentence speaks of installing and Wi-Fi."""
    seen = scene.seen
    said = plain(seen.wording or seen.claim.text)
    match = _GENERIC.match(said) if not seen.claim.negated else None
    way = _WAY.search(said) if match is not None else None
    if match is None or way is None:
        return False
    stems = {STEMS[w] for w in _PIECES.sub(" ", way[1].lower()).split() if w not in STOP_WORDS}
    deed = STEMS[match[1].lower()]
    speaking = [text for text, known in scene.ranked if stems and stems <= known]
    if not speaking or any(deed in known and stems <= known for _, known in scene.ranked):
        return False
    for text in speaking:
        unit = analyse(text[:MAX_CHARS])
        clauses = {unit.clause[i] for i, word in enumerate(unit.lowers) if STEMS[word] in stems}
        if any(unit.clause[cue.at] in clauses for cue in unit.cues):
            return True
    return False


def all_is_denied(scene: Scene) -> bool:
    """A plain claim of which the evidence has only what it denies: "you can borrow a printer" of "no loan printer is offered"."""
    seen = scene.seen
    shared = False
    indexed, wanted = seen.premise.indexed, seen.claim.wanted
    for choice in seen.chosen:
        span, _, stems = indexed.units[choice.unit]
        if stems.isdisjoint(wanted):
            continue
        text = span.of(indexed.text)
        unit = analyse(text[:MAX_CHARS])
        if len(unit.cues) != 1 or _TURNED.stand_in(text):
            return False
        ours = [i for i, word in enumerate(unit.lowers) if unit.content[i] and STEMS[word] in wanted]
        if not ours or not all(unit.parity[i] for i in ours):
            return False
        shared = True
    return shared and not analyse(_FOR_NOTHING.sub(" ", seen.wording or seen.claim.text)[:MAX_CHARS]).cues


def _subject(text: Analysis, *, definite: bool = False) -> tuple[list[int], int, int] | None:
    """Tokens of the subject, of the verb of being or allowing, and of what is done; None where it is no plain kind of thing or person."""
    at = next((i for i, word in enumerate(text.lowers[: _FAR + 1]) if word in _MODALS or word in _BEING or word in _HAVING), None)
    if (
        not at
        or text.clause[at] != text.clause[0]
        or not (text.content[0] or text.lowers[0] in _KINDS or (definite and text.lowers[0] in _CERTAIN and text.lowers[at - 1].endswith("s")))
    ):
        return None
    subject = [i for i in range(at) if text.content[i]]
    if not subject or (not definite and any(text.detail[i] or (i and (text.is_name[i] or text.text[text.starts[i]].isupper())) for i in range(at))):
        return None
    deed = next((i for i in range(at + 1, len(text.lowers)) if text.content[i] and text.lowers[i] not in _ADDED), at if text.lowers[at] in _HAVING else None)
    return None if deed is None else (subject, at, deed)


def _verb_of(word: str) -> str:
    return "may" if word in _MODALS else "be" if word in _BEING else word.removesuffix("s")


def others_may(scene: Scene) -> bool:
    """"Staff can borrow laptops" of "students can borrow laptops": the very thing is said, of somebody else; of the claim's subject nothing is."""
    seen = scene.seen
    claim = scene.claim
    found = _subject(claim) if not claim.tongue else None
    if found is None or claim.cues:
        return False
    subject, at, deed = found
    known = seen.premise.indexed.postings
    if any(claim.lowers[i] in WHATEVER for i in subject) or any(
        STEMS[claim.lowers[i]] in known or any(s.startswith(claim.lowers[i][:_PREFIX]) for s in known) for i in subject
    ):
        return False
    rest = {claim.keys[i] for i in range(deed, len(claim.lowers)) if claim.content[i] and claim.lowers[i] not in _ADDED}
    for text, _ in scene.ranked:
        unit = analyse(text[:MAX_CHARS])
        other = _subject(unit, definite=claim.lowers[at] in _HAVING)
        if other is None or _verb_of(unit.lowers[other[1]]) != _verb_of(claim.lowers[at]) or unit.roots[other[2]] != claim.roots[deed]:
            continue
        whoever = unit.lowers[other[0][-1]]
        if (
            rest <= unit.all_keys
            and not (whoever in WHATEVER and len(other[0]) == 1)
            and not any(whoever in same and claim.lowers[subject[-1]] in same for same in ALIKE)
        ):
            return True
    return False


def is_of_a_kind(scene: Scene) -> bool:
    """"A file may be up to 20 MB" of "a CSV file with up to 20 MB": the figure is that of one kind, and the claim is about all."""
    seen = scene.seen
    if not any(word.is_figure for word in seen.claim.distinct):
        return False
    claim = scene.claim
    if claim.tongue or len(claim.lowers) < 4 or claim.cues:
        return False
    noun = 1 if claim.lowers[0] in {"a", "an"} else 0
    if not claim.content[noun] or claim.detail[noun] or (noun and claim.is_name[noun]) or not _has_a_figure(claim.lowers[noun + 1]):
        return False
    key, kinds = claim.keys[noun], 0
    figures = {word.stem for word in seen.claim.distinct if word.is_figure}
    for text, stems in scene.ranked:
        if stems.isdisjoint(figures):
            continue
        unit = analyse(text[:MAX_CHARS])
        for i in unit.index.get(key, ()):
            if not _singled_out(unit, i) or unit.keys[i - 1] in claim.all_keys or unit.lowers[i - 1] in claim.lowers:
                return False
            kinds += 1
    return kinds > 0


def _has_a_figure(word: str) -> bool:
    return word in _MODALS or word in _BEING or word in _MEASURES


def _singled_out(text: Analysis, i: int) -> bool:
    """True for the noun in "a CSV file", "from express parcels", "Double rooms cost": a word before it says which kind."""
    if (
        not i
        or text.clause[i - 1] != text.clause[i]
        or not (text.content[i - 1] or text.lowers[i - 1] in _COUNTING_KINDS)
        or text.lowers[i - 1] in PLAIN_KINDS
        or text.commas[i - 1]
    ):
        return False
    if i == 1 or text.clause[i - 2] != text.clause[i]:
        return i + 1 < len(text.lowers) and _has_a_figure(text.lowers[i + 1])
    return text.lowers[i - 2] in _BEFORE_KIND
