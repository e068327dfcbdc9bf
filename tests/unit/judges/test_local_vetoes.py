"""Kinds of claim that high overlap must not carry, each beside a twin that the evidence does carry."""

from __future__ import annotations

import pytest

from ragviz.judges.local_rules import Scene, is_elliptical, stop
from ragviz.judges.local_view import look, view_claim, view_premise


@pytest.mark.parametrize(("premise", "claim", "vetoed"), [
    ("The new lid for the T1 comes in May. No date has been set for the follow-up of the T9.", "The follow-up of the T9 comes in May", True),
    ("The T9 is our largest kettle. It costs £40.", "The T9 costs £40", False),
    ("The valve hisses. The pump weighs 3 kg.", "The pump weighs 3 kg", False),
    ("Exchanges are not offered for outlet goods. Goods can be exchanged once for another size.", "Outlet goods can be exchanged once for another size", True),
    ("A pass can be frozen once a year.", "A pass can be frozen as often as you like", True),
    ("A pass can be frozen as often as you like.", "A pass can be frozen as often as you like", False),
    ("The toll is paid by the sender.", "The toll is paid by the carrier", True),
    ("Gold members can borrow a tent for free.", "You can borrow a tent for free", True),
    ("Members can borrow a tent for free.", "Members can borrow one for free", False),
    ("Ungeöffnete Dosen halten 30 Tage, geöffnete 14 Tage.", "Geöffnete Dosen halten 30 Tage", True),
    ("未使用の切符は、購入から20日以内に払い戻しできます。", "未使用の切符は、購入から50日以内に払い戻しできます", True),
    ("未使用の切符は、購入から20日以内に払い戻しできます。", "未使用の切符は、購入から20日以内に払い戻しできます", False),
])
def test_kinds(premise: str, claim: str, vetoed: bool) -> None:
    """A blended value, a denied topic, no limit, another agent, anybody, the opposite clause, another count."""
    assert vetoed is (stop(Scene(look(view_claim(claim), view_premise(premise)))) is not None)


def test_elliptical() -> None:
    """The verb stands in the sentence before; another subject is not meant."""
    premise = view_premise("Opened jars cannot be returned. Sealed jars can.")

    assert is_elliptical(look(view_claim("Sealed jars can be returned"), premise))
    assert not is_elliptical(look(view_claim("Broken jars can be returned"), premise))
    assert not is_elliptical(look(view_claim("Sealed jars cannot be returned"), premise))
