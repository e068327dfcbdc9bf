"""Is it a fair comparison? Fingerprints of all that should be equal when two systems are compared."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

import msgspec

from ragviz.contracts import View
from ragviz.records import RunManifest, Trace
from ragviz.records.ids import digest, text_hash


class Fingerprints(msgspec.Struct, frozen=True, kw_only=True):
    """What a run's numbers rest on. None = not known, which is not the same as equal."""

    questions: str | None = None
    corpus: str | None = None
    judge: str | None = None
    claim_set: str | None = None
    policy: str | None = None
    k: str | None = None
    prompt: str | None = None


class Unfairness(msgspec.Struct, frozen=True, kw_only=True):
    """Something that differs between two runs beside the system under test."""

    name: str
    """``questions``, ``corpus``, ``judge``, ``claim_set``, ``policy``, ``k`` or ``prompt``: the word that allows it."""
    base: str
    candidate: str
    message: str
    """One sentence for people."""


MESSAGES = {
    "questions": "the two runs answer different questions",
    "corpus": "the documents differ: the same document id stands for different texts, or the runs share no document",
    "judge": "the two runs were judged by different judges",
    "claim_set": "the answers were split into claims in different ways",
    "policy": "the scores follow different conventions",
    "k": "the number of passages that count as evidence differs",
    "prompt": "the judge's prompt differs",
}


def fingerprints(manifest: RunManifest, view: View, *, corpus: str | None = None) -> Fingerprints:
    """
    What is known of a run seen through a judge. The prompt version is the last part of the judge's fingerprint.

    Args:
        manifest: The run.
        view: The judge and settings it is seen through.
        corpus: Fingerprint of the searched corpus, where it is known. The manifest's own corpus hash is not used: it covers what was retrieved,
            which two retrievers over one corpus rightly differ in. ``corpora_differ`` looks at the documents themselves.
    """
    parts = view.judge.split(":")
    prompt = parts[-1] if len(parts) > 5 and parts[-1] != "-" else None
    return Fingerprints(
        questions=manifest.questions_hash or None, corpus=corpus, judge=view.judge, claim_set=view.claim_set,
        policy=view.policy.value, k="all" if view.k is None else str(view.k), prompt=prompt,
    )


def questions_fingerprint(traces: Iterable[Trace]) -> str:
    """Of the set of questions, in any order, up to case and spaces."""
    return digest(sorted({" ".join(t.question.split()).casefold() for t in traces}))


def unfair(base: Fingerprints, candidate: Fingerprints) -> list[Unfairness]:
    """Everything that is known on both sides and differs."""
    found = []
    for name, message in MESSAGES.items():
        mine, theirs = getattr(base, name), getattr(candidate, name)
        if mine is not None and theirs is not None and mine != theirs:
            found.append(Unfairness(name=name, base=mine, candidate=theirs, message=message))
    return found


def blocking(found: Iterable[Unfairness], allowed: Collection[str] = ()) -> list[Unfairness]:
    """Those that block a gate: all that were not allowed by name."""
    return [u for u in found if u.name not in allowed]


def documents(traces: Iterable[Trace]) -> dict[str, str]:
    """Text fingerprint by document id, for documents that were retrieved."""
    return {p.matching_id: text_hash(p.text) for t in traces for p in t.passages or ()}


def corpora_differ(base: Mapping[str, str], candidate: Mapping[str, str]) -> Unfairness | None:
    """
    Whether two runs can have searched the same corpus, judged by the documents they retrieved.

    Retrieving other documents is what a comparison is about and no fault; the same id with another text, or nothing in common, is one.
    """
    if not base or not candidate:
        return None
    shared = base.keys() & candidate.keys()
    if not shared:
        return Unfairness(name="corpus", base=f"{len(base)} documents", candidate=f"{len(candidate)} documents", message="the runs have no document in common")
    changed = sorted(doc for doc in shared if base[doc] != candidate[doc])
    if not changed:
        return None
    named = ", ".join(changed[:3]) + (", …" if len(changed) > 3 else "")
    message = f"{len(changed)} of {len(shared)} shared documents have another text: {named}"
    return Unfairness(name="corpus", base=digest(base[d] for d in changed)[:12], candidate=digest(candidate[d] for d in changed)[:12], message=message)
