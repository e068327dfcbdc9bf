"""
Fit and check answer relevance without a language model.

Question and answer pairs made by hand: an answer against its own question, against other questions of the same domain, against twelve of
other domains, and sentences on the topic that leave the question open. relevance_pairs.txt is fitted to, relevance_held_out.txt only measured.
Calling a real answer off-topic is weighed ``CARE`` times as heavily as passing one that is.

    python benchmarks/quality/relevance.py          # table, and the weights to put into ragviz/judges/relevance_model.py
"""

from __future__ import annotations

import argparse
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from ragviz.backends.embedder import Embedder
from ragviz.contracts import Ask
from ragviz.judges.questions import sub_questions
from ragviz.judges.relevance import DirectRelevance
from ragviz.judges.relevance_model import answer_texts, closeness_by_vectors, features, shared_words
from ragviz.records import RESPONSE, RatingKind

FOLDER = Path(__file__).parent
FITTED, HELD_OUT = FOLDER / "relevance_pairs.txt", FOLDER / "relevance_held_out.txt"
CARE = 6.0
SHARES = {"far": 0.6, "near": 0.3, "open": 0.1}
FAR = 12


class Row(NamedTuple):
    """One question with one answer."""

    question: str
    answer: str
    kind: str


def language(domain: str) -> str:
    """"en" unless the domain says otherwise."""
    return domain[:2] if domain[2:3] == "-" else "en"


def lines(path: Path) -> list[list[str]]:
    """Domain, question, answer, perhaps an open sentence."""
    return [line.split(" | ") for line in path.read_text("utf-8").splitlines() if line and not line.startswith("#")]


def examples(chosen: list[list[str]], pool: list[list[str]]) -> list[Row]:
    """The chosen pairs, each also with answers of others in the pool, in its own language."""
    rng = Random(0)
    rows = []
    for domain, question, answer, *left_open in chosen:
        others = [line for line in pool if line[1] != question and language(line[0]) == language(domain)]
        far = [line for line in others if line[0] != domain]
        rows.append(Row(question, answer, "belongs"))
        rows += [Row(question, line[2], "near") for line in others if line[0] == domain]
        rows += [Row(question, line[2], "far") for line in rng.sample(far, min(FAR, len(far)))]
        rows += [Row(question, text, "open") for text in left_open]
    return rows


def report(name: str, rows: list[Row], p: np.ndarray) -> None:
    """False alarms, and how much of each kind is seen."""
    kinds = np.array([row.kind for row in rows])
    own = kinds == "belongs"
    seen = ", ".join(f"{kind} {np.mean(p[kinds == kind] < 0.5):.2f} of {np.sum(kinds == kind)}" for kind in SHARES if np.any(kinds == kind))
    print(f"  {name:28} called off-topic: own answers {np.sum(p[own] < 0.5)} of {own.sum()}; {seen}; AUROC {roc_auc_score(own, p):.3f}")


def rated(rows: list[Row], *, embedded: bool) -> np.ndarray:
    """What the rater says."""
    asks = [Ask(kind=RatingKind.QUESTION_TO_RESPONSE_DIRECT, trace_id=str(i), target_id=RESPONSE, left=r.question, right=r.answer) for i, r in enumerate(rows)]
    return np.array([rating.value for rating in DirectRelevance(embeddings=embedded).rate(asks)])


def fit(rows: list[Row], *, embedded: bool) -> None:
    """Print weights."""
    embedder = Embedder()
    values = []
    for question, answer, _ in rows:
        vectors = embedder.encode([question, *answer_texts(answer)]) if embedded else None
        near = shared_words(question, answer) if vectors is None else closeness_by_vectors(vectors[0], vectors[1:])
        values.append(np.mean([features(near, part, answer) for part in sub_questions(question)], axis=0))
    own = np.array([row.kind == "belongs" for row in rows])
    care = CARE if embedded else CARE / 3
    weights = [(care if row.kind == "belongs" else SHARES[row.kind]) / sum(r.kind == row.kind for r in rows) * len(rows) / 2 for row in rows]
    model = LogisticRegression(C=3, max_iter=2000).fit(np.array(values), own, sample_weight=weights)
    print("  weights", tuple(round(float(w), 2) for w in model.coef_[0]), "intercept", round(float(model.intercept_[0]), 2))


def main() -> None:
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    known, new = lines(FITTED), lines(HELD_OUT)
    for embedded in (True, False):
        print("with embeddings" if embedded else "by words alone")
        for abroad in (False, True):
            here = [line for line in known if (language(line[0]) != "en") is abroad]
            there = [line for line in new if (language(line[0]) != "en") is abroad]
            rows = examples(here, here)
            if not abroad:
                fit(rows, embedded=embedded)
            where = "other languages" if abroad else "English"
            report(f"{where}, fitted", rows, rated(rows, embedded=embedded))
            measured = examples(there, here + there)
            report(f"{where}, held out", measured, rated(measured, embedded=embedded))


if __name__ == "__main__":
    main()
