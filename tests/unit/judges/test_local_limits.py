"""What the evidence limits and the claim does not: each kind beside twins that leave nothing out."""

from __future__ import annotations

import pytest

from ragviz.judges.local_rules import Scene
from ragviz.judges.local_rules.table import LIMITS
from ragviz.judges.local_rules.walks import first_of
from ragviz.judges.local_view import look, view_claim, view_premise

CONDITIONS = [
    ("Overtime is paid provided the manager agreed in writing.", "Overtime is paid.", True),
    ("Overtime is paid provided the manager agreed in writing.", "Overtime is paid if the manager agreed in writing.", False),
    ("Meals provided by the canteen are cheap.", "Meals are cheap.", False),
    ("Stop the pump if the nurse says so.", "Stop the pump.", True),
    ("Call the desk if you have any questions.", "Call the desk.", False),
    ("If you have a complaint, our team calls you back.", "Our team calls you back.", False),
    ("Unless otherwise stated, prices include tax.", "Prices include tax.", False),
    ("Ask whether the pool is heated, and see if it is open.", "Ask whether the pool is heated.", False),
    ("Guests get a towel once the form has been signed.", "Guests get a towel.", True),
    ("The lift is checked once a year.", "The lift is checked.", False),
    ("Unless it rains, the concert is held in the park.", "The concert is held in the park.", True),
    ("If the drum is stuck, press the red key.", "Press the red key.", True),
    ("Guests may swap seats after lunch provided the crew agrees.", "Guests may swap seats after lunch.", True),
    ("You may sublet the room with the written consent of the owner.", "You may sublet the room.", True),
    ("You may sublet the room with the written consent of the owner.", "With the owner's consent you may sublet the room.", False),
    ("He left the room with the consent of the owner.", "He left the room.", False),
    ("When instructed by the driver, guests must leave the bus.", "Guests must leave the bus.", True),
    ("When they arrive, guests leave the bus.", "Guests leave the bus.", False),
    ("If the drum is stuck, press the red key.", "When the drum is stuck, press the red key.", False),
]
THRESHOLDS = [
    ("Courses above 800 EUR need approval.", "All courses need approval.", True),
    ("Courses above 800 EUR need approval.", "Courses need approval.", True),
    ("Courses above 800 EUR need approval.", "Courses above 800 EUR need approval.", False),
    ("Courses need approval.", "All courses need approval.", False),
    ("Courses need approval. Courses above 800 EUR need two signatures.", "Courses need approval.", False),
    ("Small rodents are allowed in the flat.", "All rodents are allowed in the flat.", True),
    ("Files that hold names are encrypted.", "Every file is encrypted.", True),
    ("Every room has a balcony.", "All rooms have a balcony.", False),
    ("Some rooms have a balcony.", "All rooms have a balcony.", True),
    ("Half of the rooms have a balcony.", "All rooms have a balcony.", True),
    ("Nearly all rooms are dry.", "All rooms are dry.", True),
    ("All of the rooms are dry.", "All rooms are dry.", False),
    ("At least one guardian has to be present.", "Both guardians have to be present.", True),
    ("Workers hired before 2015 keep the old plan.", "Workers keep the old plan.", True),
    ("Workers hired before 2015 keep the old plan.", "Workers hired before 2015 keep the old plan.", False),
    ("The firm hired workers before 2015.", "The firm hired all workers.", False),
    ("Breakfast is included in rooms of the superior class.", "Breakfast is included in all rooms.", True),
    ("Employees of the company get 25 days.", "All employees get 25 days.", False),
    ("Wi-Fi is available in the lobby.", "Wi-Fi is available in all rooms.", True),
    ("Wi-Fi is available throughout the building.", "Wi-Fi is available in all rooms.", False),
    ("The museum is free on the first Sunday of the month.", "The museum is free on Sundays.", True),
    ("The museum is free on the first Sunday of the month.", "The museum is free on the first Sunday.", False),
    ("Bookings made online get a discount.", "Bookings get a discount.", True),
    ("Dogs in the annex must be kept on a lead.", "Dogs must be kept on a lead.", False),
]
PRICES = [
    ("A permit costs £65 a month for the first car.", "A permit costs £65 a month.", True),
    ("A permit costs £65 a month for the first car.", "A permit for the first car costs £65 a month.", False),
    ("A permit costs £65 a month for everyone.", "A permit costs £65 a month.", False),
    ("A permit costs £65 a month.", "A permit costs £65 a month.", False),
    ("Shipping is free for orders over 60 EUR.", "Shipping is free.", True),
    ("Shipping is free of charge on Mondays.", "Shipping is free of charge.", True),
    ("Shipping is free for all customers.", "Shipping is free.", False),
    ("The fair raised £65 for the school.", "The fair raised £65.", False),
    ("The pool costs £5.", "The pool costs nothing.", True),
    ("The pool costs £5.", "The pool is free.", True),
    ("The pool is free, the sauna costs £5.", "The pool costs nothing.", False),
    ("Guests pay no fee; others pay £5.", "The pool is free for guests.", False),
]
PICKS = [
    ("Both parents must sign.", "One of the parents must sign.", True),
    ("Both parents must sign.", "Both parents must sign.", False),
    ("Either key opens the cellar.", "Both keys are needed for the cellar.", True),
    ("Both hotels have a pool.", "One of the hotels has a pool.", False),
    ("Use only liquid soap in the short wash.", "Powder soap can be used in the short wash.", True),
    ("Use only liquid soap in the short wash.", "Liquid soap can be used in the short wash.", False),
    ("Only members may row the boats.", "Members may row the red boats.", False),
    ("Standard delivery takes 3 days.", "Express delivery takes 3 days.", True),
    ("Standard delivery takes 3 days.", "The delivery takes 3 days.", False),
    ("Standard delivery takes 3 days, express delivery 1.", "Express delivery takes 3 days.", False),
    ("Pregnant women should not take it.", "Nobody should take it.", True),
    ("You should not take it.", "Nobody should take it.", False),
    ("Taking it is not advised.", "Nobody should take it.", False),
    ("The alarm sounds when it is open for more than a minute.", "The alarm sounds every minute.", True),
    ("The alarm sounds twice a minute.", "The alarm sounds every minute.", False),
]


@pytest.mark.parametrize(("premise", "claim", "left_out"), [*CONDITIONS, *THRESHOLDS, *PRICES, *PICKS])
def test_limits(premise: str, claim: str, left_out: bool) -> None:
    """A condition, a threshold, whom a price is for, both or one, only of one kind."""
    assert (first_of(LIMITS, Scene(look(view_claim(claim), view_premise(premise)))) is not None) is left_out


def test_what_the_question_names_is_not_left_out() -> None:
    """"What happens when the card is lost?" "It is blocked.": who asks has named the condition."""
    seen = look(view_claim("The card is blocked."), view_premise("If a member loses it, the card is blocked."))

    assert first_of(LIMITS, Scene(seen)) is not None
    assert first_of(LIMITS, Scene(seen._replace(question="What happens when a member loses the card?"))) is None
    assert first_of(LIMITS, Scene(seen._replace(question="The member loses it: is the card blocked?"))) is None
    assert first_of(LIMITS, Scene(seen._replace(question="Is the card blocked?"))) is not None
