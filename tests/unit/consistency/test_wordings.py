"""The list of everyday wordings, and how words are folded for it."""

from __future__ import annotations

import pytest

from ragviz.consistency.lexicon import lines
from ragviz.consistency.wordings import family, fold, wordings


@pytest.mark.parametrize(("one", "other"), [
    ("company", "companies"), ("stepped", "step"), ("bought", "buy"), ("ending", "end"), ("prices", "price"), ("classes", "class"),
    ("stopped", "stop"), ("applied", "apply"), ("carrying", "carry"), ("owner's", "owner"),
])
def test_fold(one: str, other: str) -> None:
    """Inflection is cut on both sides."""
    assert fold(one) == fold(other)


def test_fold_keeps_words_apart() -> None:
    """Words that only look alike."""
    assert 4 == len({fold(w) for w in ("state", "station", "statement", "statue")})


@pytest.mark.parametrize(("one", "other"), [("swim", "swimmers"), ("intern", "internships"), ("resident", "residence"), ("payment", "payments")])
def test_family(one: str, other: str) -> None:
    """Words of one origin."""
    assert family(one) == family(other)


def _stand_for(*words: str) -> tuple[tuple[str, ...], ...]:
    return next((phrase.others for phrase in wordings().get(words[0], ()) if phrase.words == words), ())


def test_longest_phrase_first() -> None:
    """A phrase comes before its own beginning."""
    lengths = [[len(phrase.words) for phrase in phrases] for phrases in wordings().values()]

    assert max(map(len, lengths)) > 1
    assert all(found == sorted(found, reverse=True) for found in lengths)


def test_both_directions_of_a_group() -> None:
    """Each stands for the other."""
    assert ("ceo",) in _stand_for("chief", "executiv")
    assert ("chief", "executiv") in _stand_for("ceo")


def test_one_direction_of_a_kind() -> None:
    """A dog is an animal; an animal is no dog."""
    assert ("dog",) in _stand_for("animal")
    assert ("animal",) not in _stand_for("dog")


def test_no_line_says_the_same_twice() -> None:
    """Lines have at least two wordings, and no wording stands in a line twice."""
    for line in lines("wordings"):
        parts = [part.strip() for part in line.replace("<", ";").split(";")]
        assert len(parts) > 1, line
        assert all(parts), line
        assert len(set(parts)) == len(parts), line


def test_it_is_big_enough() -> None:
    """Several hundred groups."""
    assert sum(1 for _ in lines("wordings")) > 600
