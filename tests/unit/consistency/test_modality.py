"""Leave and duty in many wordings and over many verbs: what is forbidden in one text and allowed in the other clashes, what says the same does not."""

from __future__ import annotations

import itertools

import pytest

from ragviz.consistency import check
from ragviz.judges.local import LocalJudge
from ragviz.records import Pair, PairKey, Table, Verdict

JUDGE = LocalJudge(embeddings=False)

ALLOWED = ["may {}", "can {}", "is allowed to {}", "is permitted to {}", "is free to {}", "has the right to {}", "is entitled to {}"]
FORBIDDEN = [
    "may not {}",
    "must not {}",
    "cannot {}",
    "can't {}",
    "mustn't {}",
    "is not allowed to {}",
    "isn't allowed to {}",
    "is not permitted to {}",
    "is no longer permitted to {}",
    "is never allowed to {}",
    "is forbidden to {}",
    "has no right to {}",
    "is prohibited from {ing}",
    "is banned from {ing}",
    "is barred from {ing}",
]
REQUIRED = ["must {}", "has to {}", "is required to {}", "is obliged to {}", "needs to {}"]
OPTIONAL = [
    "need not {}",
    "does not have to {}",
    "doesn't have to {}",
    "is not required to {}",
    "is not obliged to {}",
    "does not need to {}",
    "is exempt from {ing}",
]
ACTIONS = [
    ("the tenant", "sublet", "subletting", "the flat"),
    ("a visitor", "enter", "entering", "the vault"),
    ("the driver", "park", "parking", "in the yard"),
    ("the club", "sell", "selling", "alcohol at matches"),
    ("every applicant", "submit", "submitting", "a photograph"),
    ("the owner", "remove", "removing", "the old oak"),
    ("the pilot", "fly", "flying", "over the reserve"),
    ("the member", "vote", "voting", "on the budget"),
    ("the supplier", "change", "changing", "the price"),
    ("the nurse", "give", "giving", "the vaccine"),
    ("the pupil", "leave", "leaving", "the school at noon"),
    ("the museum", "lend", "lending", "the mask"),
]
LEADS = ["", "Under rule 4 ", "According to the contract, ", "By law "]


def said(form: str, action: tuple[str, str, str, str], lead: str = "") -> str:
    who, verb, ing, what = action
    text = f"{lead}{who} {form.format(verb, ing=ing)} {what}."
    return text[0].upper() + text[1:]


def sampled(one: list[str], other: list[str]) -> list[tuple[str, str, tuple[str, str, str, str], str]]:
    """Every pairing of wordings, each with a verb and a lead-in in turn."""
    return [(a, b, ACTIONS[n % len(ACTIONS)], LEADS[n % len(LEADS)]) for n, (a, b) in enumerate(itertools.product(one, other))]


@pytest.mark.parametrize(("one", "other"), [(ALLOWED, FORBIDDEN), (REQUIRED, OPTIONAL), (REQUIRED, FORBIDDEN)])
def test_opposite_rules_clash_both_ways(one: list[str], other: list[str]) -> None:
    """Whatever the wording, the verb and the phrase that leads in."""
    wrong = [
        (p, c) for a, b, action, lead in sampled(one, other)
        for p, c in ((said(a, action, lead), said(b, action)), (said(b, action, lead), said(a, action)))
        if not check(c, p).clashes
    ]

    assert not wrong


@pytest.mark.parametrize("forms", [ALLOWED, FORBIDDEN, REQUIRED, OPTIONAL])
def test_the_same_rule_in_other_words_does_not(forms: list[str]) -> None:
    """"need not" and "is exempt from" differ in negation only."""
    wrong = [(a, b, action) for a, b, action, lead in sampled(forms, forms) if check(said(b, action), said(a, action, lead)).clashes]

    assert not wrong


@pytest.mark.parametrize(("premise", "claim"), [(ALLOWED, REQUIRED), (OPTIONAL, FORBIDDEN), (OPTIONAL, ALLOWED)])
def test_saying_more_than_the_rule_is_not_contradicted(premise: list[str], claim: list[str]) -> None:
    """"may" is not "must", and "need not" is not "must not": never supported, never a clash."""
    wrong = [(a, b, action) for a, b, action, lead in sampled(premise, claim) if (f := check(said(b, action), said(a, action, lead))).clashes or not f.dropped]

    assert not wrong


OTHER_WORDINGS = [
    ("No tenant may sublet the flat.", "Tenants may sublet the flat.", "Tenants may not sublet the flat."),
    ("Nobody is allowed to feed the seals.", "Visitors are allowed to feed the seals.", "Visitors are not allowed to feed the seals."),
    ("Smoking is prohibited on the balconies.", "Smoking is allowed on the balconies.", "Smoking is not allowed on the balconies."),
    ("Smoking on the balconies is permitted.", "Smoking on the balconies is forbidden.", "Smoking on the balconies is allowed."),
    ("Dogs are banned from the pool area.", "Dogs are allowed in the pool area.", "Dogs are not allowed in the pool area."),
    ("The lease forbids subletting the flat.", "The lease allows subletting the flat.", "The lease does not allow subletting the flat."),
    ("The permit allows the farm to use the well.", "The permit does not allow the farm to use the well.", "The permit lets the farm use the well."),
    ("A helmet is mandatory on the track.", "A helmet is optional on the track.", "A helmet is compulsory on the track."),
    ("Registration is not required for the tour.", "Registration is required for the tour.", "Registration is optional for the tour."),
    ("Pensioners are exempt from the visitor tax.", "Pensioners are required to pay the visitor tax.", "Pensioners need not pay the visitor tax."),
    ("There is a ban on fishing in the upper lake.", "Fishing in the upper lake is allowed.", "Fishing in the upper lake is not allowed."),
    ("Members are under no obligation to attend the meeting.", "Members must attend the meeting.", "Members do not have to attend the meeting."),
    ("It is forbidden to light fires in the dunes.", "It is allowed to light fires in the dunes.", "It is not allowed to light fires in the dunes."),
    ("Drones must never be flown over the colony.", "Drones may be flown over the colony.", "Drones must not be flown over the colony."),
    ("Trainees are not entitled to overtime pay.", "Trainees are entitled to overtime pay.", "Trainees have no right to overtime pay."),
    ("The old key can no longer be copied.", "The old key can be copied.", "The old key cannot be copied."),
    ("Guests are welcome but are not permitted to use the sauna.", "Guests are permitted to use the sauna.", "Guests may not use the sauna."),
    ("Photography is illegal inside the tomb.", "Photography is permitted inside the tomb.", "Photography is not permitted inside the tomb."),
    ("The council has outlawed charcoal grills in the park.", "Charcoal grills are allowed in the park.", "Charcoal grills are not allowed in the park."),
    ("Passengers without a ticket cannot board.", "Passengers without a ticket can board.", "Passengers without a ticket are not allowed to board."),
    ("Contractors do not need to wear a badge.", "Contractors must wear a badge.", "Contractors need not wear a badge."),
]


@pytest.mark.parametrize(("premise", "false", "true"), OTHER_WORDINGS)
def test_other_wordings(premise: str, false: str, true: str) -> None:
    """Nobody, no …, bans, exemptions, what the thing forbids: the opposite is never supported, the same never contradicted."""
    assert not check(true, premise).clashes
    assert judged(premise, false) in {Verdict.CONTRADICTED, Verdict.NEUTRAL}
    assert judged(premise, true) is not Verdict.CONTRADICTED


def test_most_other_wordings_are_contradicted() -> None:
    """Seventeen of twenty at least."""
    assert sum(judged(premise, false) is Verdict.CONTRADICTED for premise, false, _ in OTHER_WORDINGS) >= 17


@pytest.mark.parametrize(("premise", "claim"), [
    ("Tenants may not keep dogs unless the landlord agrees.", "Tenants may keep dogs."),
    ("Tenants may not keep dogs without the landlord's consent.", "Tenants may keep dogs if the landlord consents."),
    ("Nobody may use the lift except in an emergency.", "Visitors may use the lift in an emergency."),
    ("Members may smoke on the balconies.", "Members must not smoke in the lobby."),
    ("Cyclists must not use the tunnel.", "Pedestrians may use the tunnel."),
    ("Trainees must not operate the press.", "Trainees may clean the press."),
    ("Applicants must not send a photograph. They must send a letter.", "Applicants must send a letter."),
    ("Staff may park in the yard. Visitors may not park in the yard.", "Staff may park in the yard."),
])
def test_other_rules_are_not_contradicted(premise: str, claim: str) -> None:
    """A condition, another place, other people, another action: no contradiction."""
    assert judged(premise, claim) is not Verdict.CONTRADICTED


def judged(premise: str, claim: str) -> Verdict:
    return JUDGE.judge([Pair(key=PairKey(Table.RESPONSE_X_PASSAGES, "t", "c", "p"), premise=premise, hypothesis=claim)])[0].verdict


@pytest.mark.parametrize(("premise", "false", "true"), [
    ("Dogs are not permitted in sleeping cars, but may ride in the luggage van.", "Dogs are allowed in the sleeping cars.", "Dogs may ride in the luggage van."),
    ("Bicycles are forbidden on the ferry deck but can be stored in the hold.", "Bicycles are allowed on the ferry deck.", "Bicycles can be stored in the hold."),
    ("Members may not bring guests to the pool, but may take them to the bar.", "Members may bring guests to the pool.", "Members may take guests to the bar."),
    ("Visitors can photograph the garden but must not photograph the altar.", "Visitors can photograph the altar.", "Visitors can photograph the garden."),
    ("Trucks are permitted on the ring road but prohibited in the old town.", "Trucks are permitted in the old town.", "Trucks are permitted on the ring road."),
])
def test_two_rules_in_one_sentence(premise: str, false: str, true: str) -> None:
    """The leave of one half is no leave for the other."""
    assert check(false, premise).clashes
    assert not check(true, premise).clashes
