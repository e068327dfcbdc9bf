"""Is it a fair comparison? Fingerprints of all that should be equal when two systems are compared."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

import msgspec

from ragviz.contracts import View
from ragviz.records import RunManifest, Trace
from ragviz.records.ids import digest, text_hash
from ragviz.text.counts import counted


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
    fix: str = ""
    """What makes it fair; "" where only other runs would."""

    @property
    def told(self) -> str:
        """The sentence, and what to do, without a full stop."""
        return f"{self.message}; {self.fix}" if self.fix else self.message


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
            found.append(Unfairness(name=name, base=mine, candidate=theirs, **_told(name, message, mine, theirs)))
    return found


def _told(name: str, message: str, mine: str, theirs: str) -> dict[str, str]:
    """Message and fix: of one judge in two versions, which they are."""
    if name != "judge":
        return {"message": message, "fix": "judge both runs anew with one judge" if name == "prompt" else ""}
    (old, *olds), (new, *news) = mine.split(":"), theirs.split(":")
    if old != new or not olds or not news:
        return {"message": message, "fix": "judge both runs with one judge"}
    fix = f"judge both runs with the {old} that is installed (`ragviz judge RUN --judge {old}`), so that one version speaks of both"
    if olds[0] != news[0]:
        return {"message": f"the two runs were judged by different versions of {old}: {olds[0]} and {news[0]}", "fix": fix}
    return {"message": f"the two runs were judged by {old} {olds[0]} with different models or settings", "fix": fix}


def blocking(found: Iterable[Unfairness], allowed: Collection[str] = ()) -> list[Unfairness]:
    """Those that block a gate: all that were not allowed by name."""
    return [u for u in found if u.name not in allowed]


Documents = Mapping[tuple[str, str], frozenset[str]]
"""Fingerprints of the texts that were seen under each pair of document id and passage id."""


def documents(traces: Iterable[Trace]) -> dict[tuple[str, str], frozenset[str]]:
    """Text fingerprints by document and passage id, for what was retrieved."""
    found: dict[tuple[str, str], set[str]] = {}
    for passage in (p for trace in traces for p in trace.passages or ()):
        found.setdefault((passage.matching_id, passage.id), set()).add(text_hash(passage.text))
    return {name: frozenset(texts) for name, texts in found.items()}


def corpora_differ(base: Documents, candidate: Documents) -> Unfairness | None:
    """
    Whether two runs can have searched the same corpus, judged by the documents they retrieved.

    Retrieving other documents, or another chunk of one, is what a comparison is about and no fault; an id under which the two runs never saw the same
    text, or nothing in common at all, is one.
    """
    if not base or not candidate:
        return None
    shared = base.keys() & candidate.keys()
    if not {doc for doc, _ in base} & {doc for doc, _ in candidate}:
        return nothing_shared(len({doc for doc, _ in base}), len({doc for doc, _ in candidate}))
    changed = [key for key in shared if not base[key] & candidate[key]]
    if not changed:
        return None
    return texts_differ({key: base[key] for key in changed}, {key: candidate[key] for key in changed}, n_shared=len({doc for doc, _ in shared}))


def nothing_shared(n_base: int, n_candidate: int) -> Unfairness:
    """Two runs with so many documents each, and none in common."""
    return Unfairness(
        name="corpus", base=counted(n_base, "document"), candidate=counted(n_candidate, "document"), message="the runs have no document in common"
    )


def texts_differ(base: Documents, candidate: Documents, *, n_shared: int) -> Unfairness:
    """
    Names under which two runs never saw the same text.

    Args:
        base: What one run saw under these names.
        candidate: What the other one saw under the same names.
        n_shared: Documents that both runs know.
    """
    changed = sorted(base)
    names = list(dict.fromkeys(doc for doc, _ in changed))
    named = ", ".join(names[:3]) + (", …" if len(names) > 3 else "")
    message = f"{len(names)} of {counted(n_shared, 'shared document')} {'has' if len(names) == 1 else 'have'} another text: {named}"
    return Unfairness(name="corpus", base=_short(base, changed), candidate=_short(candidate, changed), message=message)


def _short(found: Documents, keys: Iterable[tuple[str, str]]) -> str:
    return digest(text for key in keys for text in sorted(found[key]))[:12]
