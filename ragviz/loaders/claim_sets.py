"""RefChecker and FActScore: answers with claims and labels, written by claim checkers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO

from ragviz.loaders.building import assemble, score_of, tags_of, warning
from ragviz.loaders.cells import is_null, listed, structure, text_of
from ragviz.loaders.claims_in import claim_text, verdict_in
from ragviz.loaders.companions import Companion, Part
from ragviz.loaders.format import Format, per_row
from ragviz.loaders.outline import Outline
from ragviz.loaders.passages import drafts_of, numbered
from ragviz.loaders.rows import Row
from ragviz.records import ImportedClaim, LoadIssue, Side, Trace
from ragviz.text.counts import counted


def read_refchecker(source: BinaryIO, filename: str) -> Iterator[Part]:
    """Inputs, outputs (claims, ys, Y) or people's labels (…_response_kg)."""
    told = False
    for part in per_row(source, filename, _refchecker):
        yield part
        if not told and isinstance(part, Trace) and part.claims is None and part.passages:
            told = True
            yield warning(
                part.origin,
                "only question, response and reference are given, as RefChecker takes them: each reference was read as the passages that the "
                "answer is checked against",
                "if reference is the expected answer, read the file with --format generic",
            )


def _refchecker(row: Row) -> Iterator[Trace | LoadIssue]:
    value = row.value
    labelled = next((str(k) for k in value if str(k).endswith("_response_kg")), "")
    human = structure(value[labelled]) if labelled else None
    answer = value.get("response") if value.get("response") is not None else value.get(labelled.removesuffix("_kg"))
    reference = structure(value.get("reference"))
    drafts = None if reference is None else [d for d in drafts_of(reference) or [] if d.text]
    claims: list[ImportedClaim] = []
    doubts: list[str] = []
    if isinstance(human, list):
        for one in human:
            if isinstance(one, Mapping) and (text := claim_text(one.get("triplet", one.get("claim")))):
                label = one.get("human_label")
                claims.append(ImportedClaim(side=Side.RESPONSE, text=text, verdicts=() if is_null(label) else (verdict_in(label),)))
    else:
        passages = [p.id for p in numbered(drafts or ())[0]]
        labels = structure(value.get("ys"))
        labels = labels if isinstance(labels, list) else []
        texts = structure(value.get("claims"))
        texts = texts if isinstance(texts, list) else []
        if labels and len(labels) != len(texts):
            doubts.append(f"{counted(len(labels), 'label')} for {counted(len(texts), 'claim')}")
        for n, element in enumerate(texts):
            given = labels[n] if n < len(labels) else None
            if isinstance(given, list):  # one label per reference
                verdicts = tuple(verdict_in(one, premise_id=name) for name, one in zip(passages, given, strict=False) if not is_null(one))
            else:
                verdicts = () if is_null(given) else (verdict_in(given),)
            if text := claim_text(element):
                claims.append(ImportedClaim(side=Side.RESPONSE, text=text, verdicts=verdicts))
    yield from assemble(
        row.where,
        row.n,
        id=value.get("id"),
        question=value.get("question"),
        response=answer,
        drafts=drafts,
        claims=tuple(claims) if human is not None or "claims" in value else None,
        scores=(score_of("RefChecker overall", value["Y"]),) if not is_null(value.get("Y")) else (),
    )
    for doubt in doubts:
        yield warning(row.where, doubt, "run the checker again for this answer")


def _is_refchecker(look: Outline) -> bool:
    row = look.row
    if any(k.endswith("_response_kg") and isinstance(structure(row[k]), list) for k in row):
        return True
    if {"response", "claims", "ys"} <= row.keys():
        return True
    return look.container in ("json", "jsonl") and not look.top and {"response", "question", "reference"} == row.keys()


def read_factscore(source: BinaryIO, filename: str) -> Iterator[Part]:
    """The input (topic, output), people's or models' labels, or the score file, which has claims but no texts."""
    yield from per_row(source, filename, _factscore)


def _factscore(row: Row) -> Iterator[Part]:
    value = row.value
    if "decisions" in value:
        claims = [_decided(one) for one in value["decisions"]]
        yield Companion(
            role="claims",
            rows=len(claims),
            where=row.where,
            claims=claims,
            fix="open it together with the input (topic, output), line for line",
            alone=[
                Trace(id=f"row-{n + 1}", question="", response="", passages=None, claims=given, origin=f"{row.where}:{n + 1}") for n, given in enumerate(claims)
            ],
        )
        return
    asked = text_of(value.get("input", value.get("prompt", value.get("topic")))).removeprefix("Question: ")
    yield from assemble(
        row.where, row.n, id=value.get("topic"), question=asked, response=value.get("output"), drafts=None, claims=_annotated(value),
        tags=tags_of({"topic": value.get("topic"), "category": ", ".join(map(text_of, value["cat"])) if isinstance(value.get("cat"), list) else None}),
    )


def _decided(given: Any) -> tuple[ImportedClaim, ...] | None:
    """Atoms with is_supported; None where the answer abstained."""
    if not isinstance(given, list):
        return None
    return tuple(
        ImportedClaim(
            side=Side.RESPONSE, text=text_of(one.get("atom")), verdicts=() if is_null(one.get("is_supported")) else (verdict_in(one["is_supported"]),)
        )
        for one in given
        if isinstance(one, Mapping) and text_of(one.get("atom"))
    )


def _annotated(value: Mapping[str, Any]) -> tuple[ImportedClaim, ...] | None:
    """Atomic facts with S, NS or IR; () where the annotations say that the answer abstained."""
    if "annotations" in value:
        facts = [
            fact for sentence in listed(value["annotations"]) if isinstance(sentence, Mapping)
            for fact in listed(sentence.get("human-atomic-facts") or sentence.get("model-atomic-facts")) if isinstance(fact, Mapping)
        ]
        return tuple(
            ImportedClaim(side=Side.RESPONSE, text=text_of(f.get("text")), verdicts=() if is_null(f.get("label")) else (verdict_in(f["label"]),))
            for f in facts if text_of(f.get("text"))
        )
    texts = structure(value.get("facts"))
    if not isinstance(texts, list):
        return None
    labels = next((structure(v) for k, v in value.items() if str(k).lower().endswith("_labels")), None)
    labels = labels if isinstance(labels, list) else []
    return tuple(
        ImportedClaim(side=Side.RESPONSE, text=text_of(text), verdicts=(verdict_in(labels[n]),) if n < len(labels) and not is_null(labels[n]) else ())
        for n, text in enumerate(texts) if text_of(text)
    )


def _is_factscore(look: Outline) -> bool:
    row = look.row
    if {"decisions", "respond_ratio"} <= row.keys() or {"topic", "output"} <= row.keys():
        return True
    return "facts" in row and any(k.lower().endswith("_labels") for k in row)


FORMATS = (
    Format(name="refchecker", label="RefChecker inputs, outputs and labels", order=31, matches=_is_refchecker, read=read_refchecker, suffixes=(".json", ".jsonl"),
           recognised_by="rows with response, claims and ys; exactly question, response and reference; or …_response_kg"),
    Format(name="factscore", label="FActScore inputs, labels and scores", order=32, companion=True, matches=_is_factscore, read=read_factscore, suffixes=(".jsonl", ".json"),
           recognised_by="topic and output; facts with …_Labels; or decisions with respond_ratio"),
)
