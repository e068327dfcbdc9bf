"""Files that lack something: what is missing is said, with what helps, and is not taken for an answer."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from tests.cli.test_commands import FIVE, as_json, check_one_clear_sentence, ragviz


def test_a_file_without_questions_says_null(tmp_path: Path) -> None:
    """Not an empty text: the file cannot say what was asked."""
    (tmp_path / "answers.json").write_text(json.dumps([{"answer": "a", "contexts": ["p", "q"]}]), encoding="utf-8")

    assert as_json(ragviz("import", "answers.json", "--json", cwd=tmp_path))["first"] == {"question": None, "passages": 2}


@pytest.mark.parametrize(("heading", "way_out"), [
    ("question,claim,verdict", "`ragviz feedback FILE --run RUN`"), ("question,claim,label,passages", "`ragviz calibrate FILE`"),
])
def test_what_people_said_of_claims_is_no_trace(heading: str, way_out: str, tmp_path: Path) -> None:
    """No answer is in it; the command that takes it is named."""
    (tmp_path / "said.csv").write_text(
        f"{heading}\n" + ",".join(["How long?", "It takes 30 days.", "contradicted", "p"][: heading.count(",") + 1]) + "\n", encoding="utf-8"
    )

    done = ragviz("import", "said.csv", cwd=tmp_path)

    check_one_clear_sentence(done)
    assert "what somebody says of claims" in done.stderr
    assert way_out in done.stderr


def test_answers_without_passages_are_evaluated_with_a_word_on_what_is_missing(tmp_path: Path) -> None:
    """What cannot be computed, and how to name the column."""
    (tmp_path / "bare.csv").write_text("question,answer,found\nHow long?,30 days.,\nHow much?,4 euros.,It costs 4 euros.\n", encoding="utf-8")

    bare = ragviz("evaluate", "bare.csv", cwd=tmp_path).stdout
    mapped = ragviz("evaluate", "bare.csv", "--map", "question=question", "--map", "response=answer", "--map", "passages=found", cwd=tmp_path).stdout

    assert "No trace names what was retrieved" in bare
    assert "--map passages=COLUMN" in bare
    assert "1 of 2 traces do not name what was retrieved" in mapped


def test_a_field_mapped_twice_is_refused(tmp_path: Path) -> None:
    """The first of two columns would be lost unsaid."""
    (tmp_path / "two.csv").write_text("question,answer,a,b\nHow long?,30 days.,It takes 30 days.,It is blue.\n", encoding="utf-8")

    done = ragviz(
        "evaluate", "two.csv", "--map", "question=question", "--map", "response=answer", "--map", "passages=a", "--map", "passages=b", cwd=tmp_path
    )

    check_one_clear_sentence(done)
    assert "passages is given twice, as a and as b" in done.stderr


def test_a_store_that_cannot_be_read_does_not_keep_a_file_from_being_judged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only what is known of the judge's confidence is looked for there."""
    (tmp_path / "broken.sqlite").write_bytes(b"no store at all" * 100)
    monkeypatch.setenv("RAGVIZ_STORE", str(tmp_path / "broken.sqlite"))

    done = ragviz("evaluate", FIVE, "--judge", "facts", cwd=tmp_path)

    assert (done.returncode, done.stderr) == (0, "")


def test_a_judge_of_facts_refuses_a_file_that_has_none(tmp_path: Path) -> None:
    """Dashes and "0 pairs" would look like success; where some traces have facts, these are judged."""
    bare = {"question": "How long?", "answer": "It takes 30 days.", "passages": ["It takes 30 days."]}
    (tmp_path / "bare.json").write_text(json.dumps([bare]), encoding="utf-8")
    ragviz("import", "bare.json", "--run", "bare", cwd=tmp_path)

    for command in (
        ("evaluate", "bare.json", "--judge", "facts"),
        ("judge", "bare", "--judge", "facts"),
        ("judge", "bare", "--judge", "facts", "--workers", "2"),
    ):
        done = ragviz(*command, cwd=tmp_path)
        check_one_clear_sentence(done)
        assert "the file has no annotated facts" in done.stderr
        assert "--judge local" in done.stderr
    assert ragviz("evaluate", FIVE, "bare.json", "--judge", "facts", cwd=tmp_path).returncode == 0


@pytest.mark.parametrize(("judge", "lacks"), [("facts", "has no annotated facts"), ("imported", "brings none")])
@pytest.mark.parametrize(
    "command",
    [
        ("evaluate", "bare.json"),
        ("judge", "bare"),
        ("compare", "bare.json", "bare.json"),
        ("compare", FIVE, "bare.json"),
        ("compare", "bare", "bare"),
        ("gate", "bare.json", "--against", "bare.json"),
        ("gate", "bare.json", "--against", "bare.json", "--baseline", "bare.json"),
        ("report", "bare.json", "out.md"),
        ("report", "bare", "out.html"),
    ],
    ids=lambda command: " ".join(map(str, command[:2])),
)
def test_a_judge_of_what_the_file_brings_refuses_one_that_brings_nothing(command: tuple[str, ...], judge: str, lacks: str, tmp_path: Path) -> None:
    """In every command that judges; it names the side that lacks it, and the way out."""
    (tmp_path / "bare.json").write_text(
        json.dumps([{"question": "How long?", "answer": "It takes 30 days.", "passages": ["It takes 30 days."]}]), encoding="utf-8"
    )
    ragviz("import", "bare.json", "--run", "bare", cwd=tmp_path)

    done = ragviz(*command, "--judge", judge, cwd=tmp_path)

    check_one_clear_sentence(done)
    assert lacks in done.stderr
    assert "--judge local" in done.stderr


@pytest.mark.parametrize("name", ["local:x", "facts:x", "imported:x", "local:", "nli:", "cascade:"])
def test_what_stands_after_the_colon_is_taken_or_refused(name: str, tmp_path: Path) -> None:
    """Never dropped: the judge would be another one than was asked for."""
    check_one_clear_sentence(ragviz("evaluate", FIVE, "--judge", name, cwd=tmp_path))
    check_one_clear_sentence(ragviz("evaluate", FIVE, "--claims", "rules:x", cwd=tmp_path))
    check_one_clear_sentence(ragviz("evaluate", FIVE, "--format", "generic:x", cwd=tmp_path))


def test_what_an_answer_costs_is_told_with_the_digits_that_count(tmp_path: Path) -> None:
    """A fiftieth of a cent is not 0.000, and a fifth more is seen in text and in Markdown."""
    for name, cost in (("old", 0.000213), ("new", 0.000258)):
        rows = [{"question": f"How long is {i}?", "answer": "It takes 30 days.", "passages": ["It takes 30 days."], "cost_usd": cost} for i in range(3)]
        (tmp_path / f"{name}.json").write_text(json.dumps(rows), encoding="utf-8")

    assert "0.000213" in next(line for line in ragviz("evaluate", "old.json", cwd=tmp_path).stdout.splitlines() if line.startswith("cost_usd"))
    for more in ((), ("--markdown",)):
        told = next(
            line
            for line in ragviz("compare", "old.json", "new.json", *more, cwd=tmp_path).stdout.splitlines()
            if "cost" in line and "usd" in line and "judge" not in line
        )
        assert all(figure in told for figure in ("0.000213", "0.000258", "+0.0000450")), told


def test_runs_without_a_common_question_are_said_to_have_none(tmp_path: Path) -> None:
    """"0 answers became incorrect" would read as good news."""
    for name in ("old", "new"):
        (tmp_path / f"{name}.json").write_text(
            json.dumps([{"question": f"How long is the {name} one?", "answer": "30 days.", "passages": ["30 days."]}]), encoding="utf-8"
        )

    for more in ((), ("--markdown",), ("--html", "out.html")):
        done = ragviz("compare", "old.json", "new.json", *more, cwd=tmp_path)
        told = (tmp_path / "out.html").read_text(encoding="utf-8") if "--html" in more else done.stdout
        assert done.returncode == 0
        assert "no question stands once in each of the two runs" in told
        assert "became incorrect" not in told


def test_a_run_of_retrieval_is_not_taken_for_refusals(tmp_path: Path) -> None:
    """Without a single answer there is nothing to judge: said, with the command that scores such a file."""
    (tmp_path / "a.run").write_text("1 Q0 D1 1 2.0 bm25\n1 Q0 D2 2 1.0 bm25\n", encoding="utf-8")

    out = ragviz("evaluate", "a.run", cwd=tmp_path).stdout

    assert "No answer states anything" in out
    assert "no trace has an answer" in out
    assert "abstained" not in out
    assert "`ragviz retrieval RUN.trec QRELS`" in out
    assert "No answer states anything" not in ragviz("evaluate", FIVE, "--judge", "facts", cwd=tmp_path).stdout


def test_names_inside_a_wrapper_are_listed(tmp_path: Path) -> None:
    """The user needs the names of a record for --map, not those of the object around the list."""
    (tmp_path / "own.json").write_text(json.dumps({"run": "v7", "items": [{"ask": {"text": "How long?"}, "said": "30 days."}]}), encoding="utf-8")

    done = ragviz("import", "own.json", cwd=tmp_path)

    assert "in items[]: ask, said" in done.stdout + done.stderr


def test_a_passage_without_an_id_is_called_by_its_rank(tmp_path: Path) -> None:
    """In the evidence of a cause; an id that we made up tells nobody anything."""
    row = {
        "user_input": "How long is the warranty?",
        "response": "Five years.",
        "retrieved_contexts": ["The kettle comes with a two-year warranty."],
        "reference": "Two years.",
    }
    (tmp_path / "a.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")

    assert "      passage 1 (no id) states r1" in ragviz("evaluate", "a.jsonl", "--judge", "local", cwd=tmp_path).stdout


def test_a_table_of_a_run_that_nobody_judged(tmp_path: Path) -> None:
    """No verdicts are no zeros: empty cells, and a word on how to get them."""
    ragviz("import", FIVE, "--run", "demo", cwd=tmp_path)

    bare = ragviz("export", "demo", "a.csv", cwd=tmp_path).stdout
    ragviz("judge", "demo", "--judge", "facts", cwd=tmp_path)
    judged = ragviz("export", "demo", "b.csv", cwd=tmp_path).stdout

    assert "`ragviz judge demo` first" in bare
    assert "first" not in judged
    counts = [[row["n_claims"] for row in csv.DictReader((tmp_path / name).read_text("utf-8-sig").splitlines())] for name in ("a.csv", "b.csv")]
    assert (set(counts[0]), "" in counts[1]) == ({""}, False)
