"""A claim's range beside another range, a single value and a bound; and what a passage can be said to say."""

from __future__ import annotations

import pytest

from ragviz.consistency import check
from ragviz.records import ClashKind

BEYOND = [
    ("Take 1 to 4 tablets a day.", "Take 1 to 2 tablets a day."),
    ("Store the vaccine at 4-40 °C.", "Store the vaccine at 4-30 °C."),
    ("Store the vaccine at 2-30 °C.", "Store the vaccine at 4-30 °C."),
    ("The course takes 8 to 20 pupils.", "The course takes 8 to 18 pupils."),
    ("The club is for ages 3 to 12.", "The club is for ages 3 to 6."),
    ("Delivery costs 10-50 EUR.", "Delivery costs 10-20 EUR."),
    ("Keep the humidity at 20-90 %.", "Keep the humidity at 20-60 %."),
    ("Drying takes between 2 and 9 hours.", "Drying takes 2 to 5 hours."),
]


class TestRanges:
    @pytest.mark.parametrize(("claim", "premise"), BEYOND)
    def test_a_wider_or_narrower_range_clashes(self, claim: str, premise: str) -> None:
        """Neither range says the other."""
        for ours, theirs in ((claim, premise), (premise, claim)):
            found = check(ours, theirs)

            assert len(found.clashes) == 1
            assert not [one for one in found.agreements if one.kind is not ClashKind.NAME]

    @pytest.mark.parametrize(("claim", "premise"), [
        ("Delivery takes 2 to 10 days.", "Delivery takes 3 days."),
        ("Take 1 to 4 tablets a day.", "Take 2 tablets a day."),
        ("Drying takes 1 to 4 hours.", "Drying takes one or two hours."),
    ])
    def test_a_single_value_does_not_say_a_range(self, claim: str, premise: str) -> None:
        """The passage says less; it need not exclude the rest."""
        found = check(claim, premise)

        assert found.dropped
        assert not found.clashes
        assert not found.agreements

    @pytest.mark.parametrize(("claim", "premise", "said"), [
        ("Take 1 to 2 tablets a day.", "Take 1–2 tablets a day.", True),
        ("Drying takes 7 to 14 days.", "Drying takes 1 to 2 weeks.", True),
        ("The parcel weighs 2-3 kg.", "The parcel weighs 2.1-3.2 kg.", True),
        ("Parcels weigh between 2 and 10 kg.", "The parcels weigh 3 kg.", False),
        ("Take 1 to 2 tablets a day.", "Take one or two tablets a day.", False),
        ("Tickets cost 10 to 20 EUR.", "Tickets cost 10 EUR for pupils and 20 EUR for adults.", False),
        ("Delivery takes up to 5 days.", "Delivery takes 2 to 4 days.", False),
        ("Delivery takes at least 2 days.", "Delivery takes 3 to 4 days.", False),
        ("Delivery takes 3 days.", "Delivery takes 2 to 4 days.", False),
        ("Delivery takes about 2 to 10 days.", "Delivery takes 3 days.", False),
    ])
    def test_the_same_range_and_bounds_that_hold(self, claim: str, premise: str, said: bool) -> None:
        """What follows agrees; only what the passage gives is said by both."""
        found = check(claim, premise)

        assert not found.clashes
        assert not found.dropped
        assert [one.said for one in found.agreements if one.kind is not ClashKind.NAME] == [said]


class TestWhatStands:
    def test_ordinals_are_shown_as_written(self) -> None:
        """"First" is not 1."""
        found = check("The first offence costs 50 EUR.", "The first offence costs 50 EUR.")

        assert [one.value for one in found.agreements] == ["first", "50 EUR"]

    def test_a_total_follows_and_is_not_said(self) -> None:
        """The parts are what stands there."""
        found = check("Rent and deposit come to 950 EUR in total.", "The rent is 800 EUR and the deposit 150 EUR.")

        assert [one.said for one in found.agreements] == [False]

    def test_an_amount_of_something_else_stands_there(self) -> None:
        """It is compared with nothing, and yet the passage gives it."""
        found = check("The battery lasts 5 h.", "The battery gives five hours of operation.")

        assert [(one.value, one.stands) for one in found.missing if one.kind is not None] == [("5 h", True)]
        assert not any(one.stands for one in check("The battery lasts 5 h.", "The battery gives six hours of operation.").missing)
