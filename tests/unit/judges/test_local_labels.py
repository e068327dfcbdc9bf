"""Labels and the columns of tables."""

from __future__ import annotations

import pytest

from ragviz.judges.local_rules.labels import stands_under_another
from ragviz.judges.local_rules.scene import Scene
from ragviz.judges.local_view import look, view_claim, view_premise

CODES = "F02: pump blocked. Clean the sieve. F07: door open; close the door and press start. F11: overheated. Let it cool."
PLANS = "Plans\n\n| | Solo | Crew | Fleet |\n|---|---|---|---|\n| Seats | 1 | 12 | 90 |\n| Exports | – | weekly | daily |\n"
LINES = "Effects\nCommon (up to 1 in 10): dizziness, cough.\nRare (up to 1 in 1,000): fainting.\n"


@pytest.mark.parametrize(("premise", "claim", "apart"), [
    (CODES, "When F02 is shown, close the door and press start.", True),
    (CODES, "When F07 is shown, close the door and press start.", False),
    (CODES, "With F02 the sieve should be cleaned.", False),
    (PLANS, "The Solo plan has 12 seats.", True),
    (PLANS, "The Crew plan has 12 seats.", False),
    (PLANS, "Fleet exports daily.", False),
    (LINES, "Coughing is a rare effect: cough.", True),
    (LINES, "Fainting is a rare effect.", False),
    ("The shop sells tea: green, black and white.", "The shop sells black tea.", False),
])
def test_kinds(premise: str, claim: str, apart: bool) -> None:
    """What stands under one label is not said of another."""
    assert stands_under_another(Scene(look(view_claim(claim), view_premise(premise)))) is apart
