"""SQuAD: questions on paragraphs with their accepted answers; what a system answered is in another file, or not yet there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO

from ragviz.loaders.building import assemble
from ragviz.loaders.format import Format, per_row
from ragviz.loaders.outline import Outline
from ragviz.loaders.passages import Draft
from ragviz.loaders.rows import Row, kind_of
from ragviz.records import LoadIssue, Trace


def read(source: BinaryIO, filename: str) -> Iterator[Trace | LoadIssue]:
    """A trace for each question of ``{"data": [{"title", "paragraphs": [{"context", "qas"}]}]}``."""
    return per_row(source, filename, _articles)


def _articles(row: Row) -> Iterator[Trace | LoadIssue]:
    n = 0
    articles = row.value.get("data")
    if not isinstance(articles, list):
        yield LoadIssue(where=row.where, message="no list of articles under data", fix="export or copy the file again")
        return
    for at, article in enumerate(articles, start=1):
        paragraphs = article.get("paragraphs") if isinstance(article, Mapping) else None
        if not isinstance(paragraphs, list):
            yield LoadIssue(where=f"{row.where}:{at}", message=f"article {at} has no list of paragraphs", fix="export or copy the file again")
            continue
        for p, paragraph in enumerate(paragraphs, start=1):
            questions = paragraph.get("qas") if isinstance(paragraph, Mapping) else None
            if not isinstance(questions, list):
                yield LoadIssue(
                    where=f"{row.where}:{at}:{p}",
                    message=f"paragraph {p} of article {at} has no list of questions (qas)",
                    fix="write it with context and qas, or leave it out",
                )
                continue
            for q, question in enumerate(questions, start=1):
                n += 1
                if not isinstance(question, Mapping):
                    yield LoadIssue(
                        where=f"{row.where}:{n}",
                        message=f"question {q} of paragraph {p} of article {at} should be an object, found {kind_of(question)}",
                        fix="write it with id, question and answers",
                    )
                    continue
                yield from _question(f"{row.where}:{n}", n - 1, question, paragraph.get("context"), article.get("title"))


def _question(where: str, n: int, value: Mapping[str, Any], context: Any, title: Any) -> Iterator[Trace | LoadIssue]:
    impossible = value.get("is_impossible")
    drafts = [Draft(text=context, title=title.replace("_", " ") if isinstance(title, str) else None)] if isinstance(context, str) else None
    yield from assemble(
        where,
        n,
        id=value.get("id"),
        question=value.get("question"),
        drafts=drafts,
        reference=accepted(value.get("answers")),
        answerable=not impossible if isinstance(impossible, bool) else None,
    )


def accepted(answers: Any) -> str | None:
    """The first accepted answer: of ``[{"text", "answer_start"}]`` as the data set has them, or of ``{"text": […], "answer_start": […]}`` as tables do."""
    texts = (
        answers.get("text")
        if isinstance(answers, Mapping)
        else [one.get("text") for one in answers if isinstance(one, Mapping)]
        if isinstance(answers, list)
        else None
    )
    return next((text for text in texts if isinstance(text, str) and text.strip()), None) if isinstance(texts, list) else None


def are_accepted(answers: Any) -> bool:
    """True for accepted answers with their places, by which nobody writes what a system answered."""
    return isinstance(answers, Mapping) and isinstance(answers.get("text"), list) and isinstance(answers.get("answer_start"), list)


def matches(look: Outline) -> bool:
    """Articles with paragraphs."""
    articles = look.top.get("data")
    first = articles[0] if isinstance(articles, list) and articles and isinstance(articles[0], Mapping) else {}
    return isinstance(first.get("paragraphs"), list)


LOADER = Format(
    name="squad", label="SQuAD articles with questions", order=48, matches=matches, read=read, suffixes=(".json",),
    recognised_by="data whose entries have paragraphs with context and qas",
)
