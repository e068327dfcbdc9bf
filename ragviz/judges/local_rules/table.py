"""
All rules of the local judge, in the order in which they speak. A new rule is one function and one line here.

Four tables: what a sentence says or denies outright (OUTRIGHT), what exceptions and hours tell (TELLERS), what keeps a claim from being supported
(STOPS), and what only makes it doubtful (DOUBTS). The rules know nothing of each other: of each table the first that finds something speaks.
"""

from __future__ import annotations

from ragviz.consistency.analysis import Analysis
from ragviz.judges.local_rules.abroad import always_under_condition, denies_alone, puts_another
from ragviz.judges.local_rules.agents import did_another_deed
from ragviz.judges.local_rules.bans import MAY, by_ban, leaves_ban_out
from ragviz.judges.local_rules.changes import by_change
from ragviz.judges.local_rules.codes import is_said_of_another_code
from ragviz.judges.local_rules.denied import by_charge, by_exclusive, by_nowhere, by_place_denied
from ragviz.judges.local_rules.directions import MOVES, by_direction, by_opposite_order, orders
from ragviz.judges.local_rules.doers import all_is_denied, deed_is_lacking, is_of_a_kind, others_may, way_is_denied
from ragviz.judges.local_rules.ellipses import by_ellipsis
from ragviz.judges.local_rules.exceptions import by_exception
from ragviz.judges.local_rules.fees import by_extra, by_fee, is_included, speaks_of_price
from ragviz.judges.local_rules.hours import by_hours
from ragviz.judges.local_rules.keeping import by_keeping, by_means, by_order, is_allowing
from ragviz.judges.local_rules.kinds import is_of_some
from ragviz.judges.local_rules.labels import stands_under_another
from ragviz.judges.local_rules.limits import lacks_condition
from ragviz.judges.local_rules.measures import by_first, by_version
from ragviz.judges.local_rules.members import by_closed_day, by_member
from ragviz.judges.local_rules.neithers import by_neither
from ragviz.judges.local_rules.onlys import by_only_place, is_elsewhere, names_place
from ragviz.judges.local_rules.others import (
    anybody,
    by_somebody_else,
    goes_beyond,
    opposite_clause,
    other_agent,
    other_count,
    other_rate,
    turned_in_han,
    was_not_alone,
)
from ragviz.judges.local_rules.otherwise import by_named_place, by_otherwise
from ragviz.judges.local_rules.overlap import (
    blends,
    denied_it,
    denies_it,
    exchanges_sides,
    lacks_detail,
    lacks_restriction,
    lacks_topic,
    scattered,
)
from ragviz.judges.local_rules.partners import is_of_the_other_clause
from ragviz.judges.local_rules.picks import is_of_a_rival, is_of_another_kind, is_of_somebody, picks_otherwise, recurs
from ragviz.judges.local_rules.prices import lacks_payer
from ragviz.judges.local_rules.requirements import by_requirement, is_without
from ragviz.judges.local_rules.rule import Rule, SentenceRule, Teller
from ragviz.judges.local_rules.scene import Needs
from ragviz.judges.local_rules.sequences import by_sequence, speaks_of_order
from ragviz.judges.local_rules.shares import by_share
from ragviz.judges.local_rules.siblings import is_of_a_sibling
from ragviz.judges.local_rules.sorts import is_said_to_be
from ragviz.judges.local_rules.turned_bounds import by_bound, by_deadline, by_least_age
from ragviz.judges.local_rules.unbacked import (
    adds_also,
    adds_also_perhaps,
    adds_to_list,
    denies_unbacked,
    has_no_cause,
    is_another_kind,
    lacks_brand,
    lacks_predicate,
    limits_unbacked,
)
from ragviz.judges.local_rules.variants import is_of_a_variant
from ragviz.judges.local_rules.waits import ORDINALS, WAITS, by_delay, by_maximum, by_time
from ragviz.judges.local_rules.withs import by_with, has_with, is_with_another

NEAR = frozenset({Needs.SENTENCE})
WHOLE = NEAR | {Needs.ONE_THING}
READ = NEAR | {Needs.ENGLISH}
PLAIN = WHOLE | {Needs.ENGLISH}
CHECKED = frozenset({Needs.ONE_THING, Needs.CHECKED})


def always(_: Analysis) -> bool:
    """Of every claim."""
    return True


def _dated(claim: Analysis) -> bool:
    return bool(claim.dates)


def _counted(claim: Analysis) -> bool:
    return bool(claim.quantities)


def _either(claim: Analysis) -> bool:
    return bool(claim.quantities or claim.dates)


def _aged(claim: Analysis) -> bool:
    return bool(claim.quantities) or "year" in claim.text


def _most(claim: Analysis) -> bool:
    return "most" in claim.lowers or "majority" in claim.lowers or "half" in claim.lowers


def _first(claim: Analysis) -> bool:
    return "first" in claim.lowers


def _allowed(claim: Analysis) -> bool:
    return not MAY.isdisjoint(claim.lowers)


def _moves(claim: Analysis) -> bool:
    return not MOVES.isdisjoint(claim.lowers)


def _later(claim: Analysis) -> bool:
    return not WAITS.isdisjoint(claim.lowers)


def _numbered(claim: Analysis) -> bool:
    return not ORDINALS.keys().isdisjoint(claim.lowers)


ABROAD = (
    SentenceRule("neither … nor", by_neither, always, r"\bneither\b"),
    SentenceRule("without what it needs", by_requirement, is_without, r"\b(?:need|requir)"),
)
"""What a sentence denies in any language whose words of grammar are read in English."""

OUTRIGHT = (
    *ABROAD,
    SentenceRule("a day on which it is closed", by_closed_day, _dated, r"\bclosed\b|\bshut\b"),
    SentenceRule("must not be done", by_ban, _allowed, r"\b(?:not|never|no|cannot|forbid\w*|prohibit\w*)\b|n['’]t\b"),
    SentenceRule("to be kept away from", by_keeping, is_allowing, r"\bfrom\b|\bcontact\b|\bnear\b"),
    SentenceRule("not to be done", by_order, is_allowing, r"\b(?:not|never)\b|n['’]t\b"),
    SentenceRule("a way that is not enough", by_means, is_allowing, r"\bnot\b|n['’]t\b"),
    SentenceRule("only there", by_only_place, names_place, r"\bonly\b"),
    SentenceRule("the other side of a condition", by_otherwise, _counted, r"\b(?:not|otherwise|else)\b|n['’]t\b"),
    SentenceRule("taken out by name", by_named_place, _counted, r"\d"),
    SentenceRule("put into the other", by_direction, _moves, r"\b(?:to|into|in|onto)\b"),
    SentenceRule("the opposite order", by_opposite_order, orders, r"\b(?:the|a|an|all|your|every|both)\b"),
    SentenceRule("how much later", by_delay, _later, r"\bafter\b"),
    SentenceRule("more than the most", by_maximum, _counted, r"\bmax"),
    SentenceRule("at another time", by_time, _numbered, r"\b(?:first|second|third|fourth|fifth|sixth)\b"),
    SentenceRule("a value of another member of a list", by_member, _either, r"\d"),
    SentenceRule("who pays what", by_fee, speaks_of_price, r"\bfor\b"),
    SentenceRule("extra, or included", by_extra, is_included, r"\bextra\b|\badditional\b|\bsurcharge\b|\bsupplement\b"),
    SentenceRule("who comes first", by_sequence, speaks_of_order, r"\bfirst\b"),
    SentenceRule("with it and without it", by_with, has_with, r"\bwith(?:out)?\b|\b(?:in|ex)cluding\b"),
    SentenceRule("begin and end of a change", by_change, _either, r"\bfrom\b"),
    SentenceRule("a least age", by_least_age, _aged, r"\bunder\b|\bbelow\b|\byounger\b|\bleast\b|\bolder\b|\bover\b"),
    SentenceRule("the other bound", by_bound, _counted, r"\d|\bmaximum\b|\bminimum\b|\bleast\b|\bmost\b|\bthan\b"),
    SentenceRule("a deadline", by_deadline, _dated, r"\bby\b|\blatest\b|\blater\b"),
    SentenceRule("no majority", by_share, _most, r"\bhalf\b|\bthird\b|\bquarter|\bfifths?\b|\btenth|\bin \w+\b|%|\bper ?cent\b|\bmost\b|\bmajority\b"),
    SentenceRule("a longer first stretch", by_first, _first, r"\bfirst\b"),
    SentenceRule("a lower least version", by_version, _counted, r"\bnewer\b|\blater\b|\bhigher\b|\bup\b|\d"),
    SentenceRule("a way or place behind “not”", by_place_denied, always, r"\bnot\b"),
    SentenceRule("allowed nowhere", by_nowhere, always, r"\banywhere\b|\bnowhere\b"),
    SentenceRule("for all, or reserved for some", by_exclusive, always, r"\ball\b|\bevery|\breserved\b|\brestricted\b|\bexclusive|\blimited\b|\bonly\b"),
    SentenceRule(
        "a verb that stands before",
        by_ellipsis,
        always,
        r"(?:n['’]t|\b(?:is|are|was|were|can|could|may|might|must|will|would|should|does|do|did|has|have|had|not|cannot))[.!;]?\s*$|\b(?:so|neither|nor|as) (?:is|are|was|were|can|could|may|might|must|will|would|should|does|do|did|has|have|had)\b",
    ),
    SentenceRule("free, or charged", by_charge, always, r"\bcharge|\bcosts?\b|\bpayable\b"),
)
"""Of a claim and one sentence, in English: what it says or denies in so many words is not weighed."""

TELLERS = (
    Teller("an exception", by_exception, WHOLE),
    Teller("opening hours", by_hours, WHOLE),
)
"""What follows from an exception or from hours, though its words do not stand there."""

LIMITS = (
    Rule("a condition", lacks_condition, PLAIN, "the passage says it under a condition that the claim leaves out"),
    Rule("some of a kind", is_of_some, PLAIN, "the passage says it of some only, or of some of the time"),
    Rule("whom a price is for", lacks_payer, PLAIN, "the passage gives the price for some only, or another price"),
    *(
        Rule(name, finds, PLAIN, "the passage says it of others of the kind, or of another number of them")
        for name, finds in (
            ("both or one", picks_otherwise),
            ("the only kind", is_of_another_kind),
            ("a rival kind", is_of_a_rival),
            ("somebody", is_of_somebody),
            ("how often", recurs),
        )
    ),
)
"""What the evidence says under a limit and the claim without it."""

STOPS = (
    Rule("a name added to a list", adds_to_list, READ),
    Rule("a brand that stands nowhere", lacks_brand, READ),
    Rule("a denial where nothing denies", denies_unbacked, READ),
    Rule("“only” where nothing limits", limits_unbacked, READ),
    Rule("“also” where nothing is joined", adds_also, NEAR),
    Rule("another kind of thing", is_another_kind, PLAIN),
    Rule("what is said of it last", lacks_predicate, PLAIN),
    Rule("sides exchanged", exchanges_sides, CHECKED),
    Rule("a figure that is not given", lacks_detail, CHECKED),
    Rule("a restriction left out", lacks_restriction, CHECKED),
    Rule("a value of another subject", blends, CHECKED),
    Rule("words of several sentences", scattered, WHOLE),
    Rule("without limit", goes_beyond, WHOLE),
    Rule("another agent", other_agent, WHOLE),
    Rule("by somebody else", by_somebody_else, WHOLE),
    Rule("anybody", anybody, WHOLE),
    Rule("the very words that are denied", denied_it, WHOLE),
    Rule("under another label", stands_under_another, WHOLE),
    Rule("a reason that is not there", has_no_cause, WHOLE),
    Rule("the clause of the opposite", opposite_clause, WHOLE),
    Rule("alone, where nothing says so", was_not_alone, PLAIN),
    Rule("another count", other_count, WHOLE),
    Rule("Japanese or Chinese denied", turned_in_han, WHOLE),
    Rule("another rate", other_rate, WHOLE),
    Rule("a deed of which nothing is said", deed_is_lacking, WHOLE),
    Rule("a way that is denied", way_is_denied, WHOLE),
    Rule("all of it is denied", all_is_denied, WHOLE),
    Rule("others may", others_may, WHOLE),
    Rule("a figure of one kind", is_of_a_kind, WHOLE),
    Rule("what is forbidden", leaves_ban_out, PLAIN, "the passage forbids it, or denies something else of it"),
    Rule("of a sort", is_said_to_be, PLAIN),
    Rule("elsewhere than where it is allowed", is_elsewhere, PLAIN, "the passage allows it elsewhere only"),
    Rule("with something else", is_with_another, PLAIN, "the passage says it with, or without, something else"),
    Rule("another variant", is_of_a_variant, WHOLE, "the passage speaks of another variant of that name"),
    Rule("a sibling", is_of_a_sibling, PLAIN, "the passage says it of another of that kind"),
    Rule("another code", is_said_of_another_code, WHOLE, "the passage says it of another code"),
    Rule("the other clause's", is_of_the_other_clause, PLAIN, "the passage says it of another"),
    Rule("another doer or deed", did_another_deed, PLAIN, "the passage names another doer, or another deed"),
    Rule("another language: another thing in its place", puts_another, WHOLE, "the passage says it of something else"),
    Rule("another language: a denial where nothing denies", denies_alone, WHOLE),
    Rule("another language: “always” under a condition", always_under_condition, WHOLE, "the passage says it under a condition that the claim leaves out"),
    *LIMITS,
)
"""Claims that high overlap with the evidence must not carry."""

DOUBTS = (
    Rule("a topic that is not there", lacks_topic, CHECKED | WHOLE),
    Rule("a topic that is denied", denies_it, WHOLE),
    Rule("“also”, perhaps", adds_also_perhaps, WHOLE),
)
"""Signs that stopped about as many supported as unsupported claims on the development pairs: each lowers the probability, none decides."""
