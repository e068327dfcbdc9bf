"""A sign in front of a number is a bound only where it compares: tags, arrows, quoted lines and menus do not."""

from __future__ import annotations

import itertools

import pytest

from ragviz.records import Verdict
from ragviz.text.bounds import Bound
from ragviz.text.quantities import quantities
from tests.unit.judges.labelled_pairs import verdicts

NO_BOUND = [
    "<tr><td>Warranty</td><td>{}</td></tr>",
    "<p>Warranty</p><p>{}</p>",
    "<dt>Warranty</dt> <dd class='x'>{}</dd>",
    "<b>{}</b>",
    "<strong><em>{}</em></strong>",
    '<span style="color: red">{}</span>',
    "Warranty<br>{}",
    "Warranty -> {}",
    "Warranty => {}",
    "Warranty --> {}",
    "Warranty ->{}",
    "Warranty >> {}",
    "Settings > {} dose",
    "Home > Shop > {} bags",
    "He wrote:\n> {} is what we give",
    "Warranty <- {}",
]
BOUNDS = {
    "Warranty > {}": Bound.MORE,
    "Warranty >{}": Bound.MORE,
    "> {}": Bound.MORE,
    "Warranty < {}": Bound.LESS,
    "Warranty >= {}": Bound.AT_LEAST,
    "Warranty <= {}": Bound.AT_MOST,
    "at least <b>{}</b>": Bound.AT_LEAST,
    "<p>more than {}</p>": Bound.MORE,
    "<b>up to</b> {}": Bound.AT_MOST,
    "<td>over {} km</td>": Bound.MORE,
    "BMI > {}": Bound.MORE,
}
AMOUNTS = ["2 years", "200 euros", "$200", "5 mg", "30", "nine"]


@pytest.mark.parametrize(("form", "amount"), list(itertools.product(NO_BOUND, AMOUNTS)))
def test_marks_that_compare_nothing_bound_nothing(form: str, amount: str) -> None:
    """The amount is read as it stands."""
    found = [q for q in quantities(form.format(amount)) if q.kind is not None]
    assert [q.bound for q in found] == [Bound.EXACT]


@pytest.mark.parametrize(("form", "amount"), list(itertools.product(BOUNDS, ["2", "200", "$200", "5.5"])))
def test_marks_that_compare_stay_bounds(form: str, amount: str) -> None:
    """Signs beside what they compare, and words of bounds also through tags."""
    found = quantities(form.format(amount))
    assert [q.bound for q in found] == [BOUNDS[form]]
    assert found[0].outer.start < found[0].span.start


SHOWN = [
    "<tr><td>Warranty period</td><td>{}</td></tr>",
    "<p>Warranty period</p><p>{}</p>",
    "Warranty period -> {}",
    "Warranty period => {}",
    "<dt>Warranty period</dt><dd>{}</dd>",
    "Warranty period: <b>{}</b>",
]


@pytest.mark.parametrize(("form", "years"), list(itertools.product(SHOWN, [1, 3, 5, 10])))
def test_another_figure_behind_a_mark_is_denied(form: str, years: int) -> None:
    """More than the table says is as wrong as less; what it says is right."""
    wrong, right = verdicts(
        [(f"The warranty period is {years} years.", form.format("2 years")), (f"The warranty period is {years} years.", form.format(f"{years} years"))]
    )
    assert wrong is Verdict.CONTRADICTED
    assert right is Verdict.ENTAILED
