"""
Fit and check answer relevance without a language model.

Question and answer pairs made by hand (relevance_pairs.txt): an answer against its own question, against other questions of the same
domain, against three of other domains, and sentences on the topic that leave the question open. Cross-validated by domain.

    python benchmarks/quality/relevance.py          # table, and the weights to put into ragviz/judges/relevance.py
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import balanced_accuracy_score, roc_auc_score
from sklearn.model_selection import GroupKFold, cross_val_predict

from ragviz.backends.embedder import Embedder
from ragviz.judges.questions import sub_questions
from ragviz.judges.relevance import FEATURES, answer_texts, closeness_by_vectors, closeness_by_words, features

PAIRS = Path(__file__).with_name("relevance_pairs.txt")


def examples() -> list[tuple[str, str, str, int]]:
    """Domain, question, answer, 1 when the answer belongs to the question."""
    lines = [line.split(" | ") for line in PAIRS.read_text("utf-8").splitlines() if line and not line.startswith("#")]
    rng = Random(0)
    rows = []
    for domain, question, answer, *open_answer in lines:
        others = [line for line in lines if line[1] != question]
        near = [line for line in others if line[0] == domain]
        far = rng.sample([line for line in others if line[0] != domain], 3)
        rows.append((domain, question, answer, 1))
        rows += [(domain, question, line[2], 0) for line in near + far]
        rows += [(domain, question, text, 0) for text in open_answer]
    return rows


def main() -> None:
    rows = examples()
    embedder = Embedder()
    labels = np.array([label for *_, label in rows])
    domains = [domain for domain, *_ in rows]
    for embedded in (True, False):
        values = []
        for _, question, answer, _ in rows:
            vectors = embedder.encode([question, *answer_texts(answer)]) if embedded else None
            near = closeness_by_words(question, answer) if vectors is None else closeness_by_vectors(vectors[0], vectors[1:])
            values.append(np.mean([features(near, part, answer) for part in sub_questions(question)], axis=0))
        x = np.array(values)
        print("by embeddings" if embedded else "by words", f"n = {len(rows)}, {labels.sum()} belong")
        for name, columns in (("closeness alone", [0]), ("all features", list(range(len(FEATURES))))):
            model = LogisticRegression(class_weight="balanced", C=3)
            p = cross_val_predict(model, x[:, columns], labels, groups=domains, cv=GroupKFold(7), method="predict_proba")[:, 1]
            print(f"  {name:16} balanced accuracy {balanced_accuracy_score(labels, p > 0.5):.3f}  AUROC {roc_auc_score(labels, p):.3f}")
        model.fit(x, labels)
        print("  weights", tuple(round(float(w), 2) for w in model.coef_[0]), "intercept", round(float(model.intercept_[0]), 2))


if __name__ == "__main__":
    main()
