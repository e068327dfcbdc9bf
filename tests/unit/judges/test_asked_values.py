"""Whether a value of the kind asked for stands in an answer, beside fluent answers to a sister question about the same subject."""

from __future__ import annotations

import pytest

from ragviz.contracts import Ask
from ragviz.judges.asked_values import counts_one, lacks_reason, lacks_way, measures_otherwise, says_when, takes_no_side
from ragviz.judges.questions import AskedFor, asked_for, lacking, sub_questions
from ragviz.judges.relevance import DirectRelevance
from ragviz.records import RESPONSE, RatingKind
from tests.unit.judges.labelled_pairs import rows_of

ROWS = rows_of("asked_pairs.jsonl")
DEVELOPED = [row for row in ROWS if "-d" in row["id"]]
HELD_OUT = [row for row in ROWS if "-h" in row["id"]]
RATER = DirectRelevance(embeddings=False)


def rated(question: str, answer: str) -> float:
    ask = Ask(kind=RatingKind.QUESTION_TO_RESPONSE_DIRECT, trace_id="t", target_id=RESPONSE, left=question, right=answer)
    return RATER.rate([ask])[0].value or 0.0


@pytest.mark.parametrize("row", DEVELOPED, ids=lambda row: row["id"])
def test_developed(row: dict[str, str]) -> None:
    """One half separates an answer to this question from a fluent answer to its sister, by words alone."""
    assert rated(row["question"], row["answer"]) >= 0.5 > rated(row["question"], row["sister"])


def test_held_out() -> None:
    """Written at the same time, looked at as totals: at most one answer called off-topic, three in four of the sisters."""
    assert len(HELD_OUT) >= len(ROWS) / 3
    assert sum(rated(row["question"], row["answer"]) >= 0.5 for row in HELD_OUT) >= len(HELD_OUT) - 1
    assert sum(rated(row["question"], row["sister"]) < 0.5 for row in HELD_OUT) >= 0.75 * len(HELD_OUT)


@pytest.mark.parametrize(
    ("answer", "there"),
    [
        ("It opens at nine.", True),
        ("From 9 to 5.", True),
        ("In 1872.", True),
        ("On 4 March.", True),
        ("At half past two.", True),
        ("Three weeks later.", True),
        ("30", True),
        ("Not before Easter.", True),
        ("It has 40 seats.", False),
        ("It is on the second floor.", False),
        ("It is 58 metres high.", False),
        ("It costs 12 euros.", False),
        ("It may be painted blue.", False),
    ],
)
def test_when(answer: str, there: bool) -> None:
    """A figure of anything else is no time."""
    assert says_when(answer) is there


@pytest.mark.parametrize(
    ("question", "answer", "otherwise"),
    [
        ("How long does it take?", "It costs 12 euros.", True),
        ("How long does it take?", "It takes 12 days.", False),
        ("How long is the path?", "The path is 3 km long.", False),
        ("How long does it take?", "It takes until Friday.", False),
        ("How much does it cost?", "It weighs 3 kg.", True),
        ("How much does it cost?", "It costs 12 euros.", False),
        ("How much does it cost?", "It is free for 3 days.", False),
        ("How many are there?", "It weighs 3 kg.", False),
        ("How long does it take?", "It is fast.", False),
    ],
)
def test_measures(question: str, answer: str, otherwise: bool) -> None:
    """Only where all that is measured is of another kind."""
    assert measures_otherwise(question, answer) is otherwise


@pytest.mark.parametrize(
    ("question", "answer", "lacks"),
    [
        ("How do I clean the lens?", "The lens has a focal length of 50 mm.", True),
        ("How do I clean the lens?", "Wipe it with a cloth.", False),
        ("How do I clean the lens?", "Wipe it gently.", False),
        ("How is the soup served?", "The soup contains lentils.", True),
        ("How is the soup served?", "The soup is served with bread.", False),
        ("How is the weather?", "The weather was fine yesterday.", False),
        ("How can I pay?", "Payment is due monthly.", True),
        ("How can I pay?", "In the app.", False),
        ("How can I pay?", "Ask the driver.", False),
    ],
)
def test_ways(question: str, answer: str, lacks: bool) -> None:
    """An instruction, a means or a place says how; what a thing is does not."""
    assert lacks_way(question, answer) is lacks


@pytest.mark.parametrize(
    ("answer", "lacks"),
    [
        ("The pool is 25 metres long and has six lanes.", True),
        ("The parcel weighs 4 kg.", True),
        ("A pump broke.", False),
        ("It is too heavy: the parcel weighs 4 kg.", False),
        ("The pool is 25 metres long. A pump broke.", False),
        ("A storm was expected.", False),
    ],
)
def test_reasons(answer: str, lacks: bool) -> None:
    """Measures alone are no reason; any other statement may be one."""
    assert lacks_reason(answer) is lacks


@pytest.mark.parametrize(
    ("question", "answer", "no_side"),
    [
        ("Is the bread vegan?", "The bread is baked every morning.", True),
        ("Is the bread vegan?", "It contains butter.", False),
        ("Is the bread vegan?", "The bread is made for vegans.", False),
        ("Is the bread vegan?", "Butter is added.", False),
        ("Can I bring my dog?", "Breakfast starts at seven.", False),
        ("Is the flat furnished?", "The flat is not furnished.", False),
        ("Is it far?", "The flat lies uptown.", False),
    ],
)
def test_sides(question: str, answer: str, no_side: bool) -> None:
    """About the subject and nothing of what was asked of it; an answer in its own words may be a yes."""
    assert takes_no_side(question, answer) is no_side


def test_kinds_and_how_surely() -> None:
    """Colours and sizes are asked for by name; a way may be said without a word for it, a time hardly."""
    assert asked_for("Which colour is the door?") is AskedFor.COLOUR
    assert asked_for("What is the maximum file size?") is AskedFor.QUANTITY
    assert counts_one("About a litre a week.")
    assert not counts_one("A lens.")
    (when,), (how,), (what,) = map(sub_questions, ("When is it open?", "How do I open it?", "What is a fugue?"))
    assert lacking(when, "It is blue.") == 1.0
    assert 0.5 < lacking(how, "Its lid is blue.") < 1.0
    assert lacking(what, "It is blue.") == 0.0
