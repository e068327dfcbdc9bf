"""What is forbidden in other words than the claim allows it in: "keep away from acids", "do not mix with bleach", "an e-mail is not sufficient"."""

from __future__ import annotations

import re

from ragviz.consistency.analysis import Analysis
from ragviz.judges.local_rules.rule import Beside, Told
from ragviz.text.word_sets import word_set

_ALLOWED = re.compile(
    r"\b(?:can|may|could)\b|\b(?:is|are|it['’]s) (?:perfectly |quite |also )?(?:safe|fine|ok|okay|allowed|permitted|possible|acceptable|enough|sufficient)\b", re.IGNORECASE
)
_BESIDE = re.compile(r"\b(?:with|near|beside|alongside|by|next to|close to|together with|in contact with|in the presence of)\b", re.IGNORECASE)
_AWAY = re.compile(r"\b(?:away|apart|separate(?:d|ly)?|far|isolated?) from\b|\bavoid (?:any |all )?contact with\b|\bnot (?:to )?come (?:near|into contact with)\b", re.IGNORECASE)
_ORDER = re.compile(r"(?:^|[.;:]\s+|,\s+(?:and|but)?\s*|\band |\bbut )(?:please )?(?:do not|don['’]t|never)\s+(?=[a-z])", re.IGNORECASE)
_INSUFFICIENT = word_set("sufficient enough accepted valid recognised recognized acceptable adequate permitted allowed suffice")
_SAYS_INSUFFICIENT = re.compile(rf"\bnot (?:be )?(?:{'|'.join(sorted(_INSUFFICIENT))})\b", re.IGNORECASE)
_BY = word_set("by via with as through per using")
_UNDER = word_set("unless without except if only when until before after provided while more than less longer outside")
_STRANGE = 1
"""Words of a claim, beside what is forbidden, that the sentence may lack: what it is that is kept away."""


def refuses_way(text: str) -> bool:
    """True for a sentence that says of something that it is not enough: for what stands in the sentence before it."""
    return _SAYS_INSUFFICIENT.search(text) is not None


def is_allowing(claim: Analysis) -> bool:
    """True where a plain claim says that something can be done, or is fine."""
    return not claim.cues and _ALLOWED.search(claim.text) is not None and _UNDER.isdisjoint(claim.lowers)


def by_keeping(beside: Beside) -> Told | None:
    """"Can be stored with strong acids" of "keep away from strong acids and from heat"."""
    claim, unit, _ = beside
    ours = list(_BESIDE.finditer(claim.text))
    theirs = _AWAY.search(unit.text)
    if not ours or theirs is None or any(not theirs.start() <= unit.starts[cue.at] < theirs.end() for cue in unit.cues):
        return None
    away = _keys(unit, theirs.end(), _stop(unit, theirs.end()))
    what = _keys(claim, ours[-1].end(), len(claim.text))
    if not what or not what <= away or not _UNDER.isdisjoint(unit.lowers):
        return None
    allowed = _tokens(claim, *_found(claim))
    return Told(False, allowed, _tokens(unit, *theirs.span()))


def by_order(beside: Beside) -> Told | None:
    """"You may mix it with bleach" of "do not mix with bleach, since toxic gas may form"."""
    claim, unit, _ = beside
    for match in _ORDER.finditer(unit.text):
        verb = next((i for i in range(len(unit.lowers)) if unit.starts[i] >= match.end()), None)
        end = _stop(unit, match.end())
        if verb is None:
            continue
        inside = [i for i in range(verb, len(unit.lowers)) if unit.starts[i] < end]
        ban = frozenset(unit.keys[i] for i in inside[1:] if unit.content[i] and not unit.detail[i])
        deed = next((k for k in range(len(claim.lowers)) if claim.roots[k] == unit.roots[verb] and k), None)
        if not ban or deed is None or not _UNDER.isdisjoint(unit.lowers[i] for i in inside):
            continue
        own = {claim.keys[k] for k in range(len(claim.keys)) if claim.content[k] and not claim.detail[k] and k != deed}
        if ban <= own and len([word for word in own - ban if word not in claim.name_keys]) <= _STRANGE and not any(claim.detail):
            return Told(False, _tokens(claim, *_found(claim)), (max(0, verb - 1), verb))
    return None


def by_means(beside: Beside) -> Told | None:
    """"Notice can be given by e-mail" of "notice must be given in writing; an e-mail is not sufficient"."""
    claim, unit, last = beside
    for cue in unit.cues:
        said = next((j for j in range(cue.at + 1, min(len(unit.lowers), cue.at + 4)) if unit.lowers[j] in _INSUFFICIENT), None)
        if said is None or any(unit.clause[j] == unit.clause[said] and unit.lowers[j] in _UNDER | {"for", "to"} for j in range(len(unit.lowers))):
            continue
        what = {unit.keys[j] for j in range(cue.at) if unit.clause[j] == unit.clause[said] and unit.content[j]}
        by = next((k for k in range(len(claim.lowers) - 1, 0, -1) if claim.lowers[k] in _BY), None)
        if not what or by is None or {claim.keys[k] for k in range(by, len(claim.keys)) if claim.content[k]} != what:
            continue
        rest = {claim.keys[k] for k in range(by) if claim.content[k]}
        known = unit.all_keys | (last.all_keys if last is not None else frozenset())
        if rest & known and len(rest - known) <= _STRANGE:
            return Told(False, (by, len(claim.lowers) - 1), (cue.at, said))
    return None


def _stop(text: Analysis, begin: int) -> int:
    """Where what is forbidden ends: at the end of the sentence, a reason or a new order."""
    end = re.compile(r"[.;:!?](?:\s|$)|,? (?:since|because|as|so that|or else|otherwise)\b|, (?!(?:and|or)?\s*(?:from|strong|[a-z]+s\b))", re.IGNORECASE).search(
        text.text, begin
    )
    return end.start() if end is not None else len(text.text)


def _keys(text: Analysis, begin: int, end: int) -> frozenset[str]:
    return frozenset(text.keys[i] for i in range(len(text.lowers)) if begin <= text.starts[i] < end and text.content[i])


def _found(claim: Analysis) -> tuple[int, int]:
    match = _ALLOWED.search(claim.text)
    assert match is not None
    return match.span()


def _tokens(text: Analysis, start: int, end: int) -> tuple[int, int]:
    inside = [i for i in range(len(text.lowers)) if start <= text.starts[i] < end]
    return (inside[0], inside[-1]) if inside else (0, 0)
