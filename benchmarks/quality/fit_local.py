"""
Fit the weights of the local judge.

Rows of ../shared/claims whose group, read as a hexadecimal number, is even, and the development half ("-d") of tests/data/minimal_pairs.jsonl.
Every data set and class weighs the same. The odd half and the "-h" pairs are never looked at here; benchmarks/quality/judges.py
reports on them.

    python benchmarks/quality/fit_local.py [--claims FOLDER]     # writes ragviz/judges/local_weights.json
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from ragviz.grounding.tables import SEPARATOR
from ragviz.judges.local import LocalJudge, features_of
from ragviz.judges.local_features import CHECK_NAMES, VECTOR_NAMES, WORD_NAMES
from ragviz.judges.local_view import look, view_claim, view_premise

REPO = Path(__file__).resolve().parents[2]
SETS = ("wice_dev", "factcheck_gpt", "fever_symmetric_dev", "summedits_sales")
WEIGHTS = REPO / "ragviz" / "judges" / "local_weights.json"
VERSION = "1"
TREES = {
    "max_depth": 3, "max_iter": 120, "learning_rate": 0.05, "l2_regularization": 10.0, "min_samples_leaf": 30, "max_features": 0.4, "random_state": 0,
    "early_stopping": False,
}
CLASH_NAMES = ("p_support", "clash_alignment", "clash_coverage", "clashes_best", "clashes_together", "agreements", "cover_chosen")


def read_rows(claims: Path, *, half: str) -> list[dict[str, Any]]:
    """Rows of one half: "fit" or "report"."""
    rows = []
    for name in SETS:
        for line in (claims / f"{name}.jsonl").read_text("utf-8").splitlines():
            row = json.loads(line)
            if (int(row["group"], 16) % 2 == 0) == (half == "fit"):
                rows.append({**row, "premise": SEPARATOR.join(p["text"] for p in row["passages"])})
    mark = "-d" if half == "fit" else "-h"
    for line in (REPO / "tests" / "data" / "minimal_pairs.jsonl").read_text("utf-8").splitlines():
        pair = json.loads(line)
        if mark in pair["id"]:
            rows.append({**pair, "dataset": "minimal_pairs", "label": pair["expect"], "group": pair["id"][:-2], "passages": [{"id": "d0", "text": pair["premise"]}]})
    return rows


def table(rows: list[dict[str, Any]], *, embedded: bool) -> NDArray[np.float64]:
    """Features of each row, shape (n_rows, n_features)."""
    judge = LocalJudge(embeddings=embedded)
    values = []
    for start in range(0, len(rows), 64):
        looks = [look(view_claim(row["claim"]), view_premise(row["premise"])) for row in rows[start : start + 64]]
        vectors = judge._vectors(looks) if embedded else [None] * len(looks)  # noqa: SLF001
        values += [features_of(seen, row) for seen, row in zip(looks, vectors, strict=True)]
    return np.array(values)


def balanced(keys: list[tuple[str, int]]) -> NDArray[np.float64]:
    """Weights that give each (data set, class) the same say."""
    counts = {key: keys.count(key) for key in set(keys)}
    return np.array([400 / counts[key] for key in keys])


def trees_of(model: HistGradientBoostingClassifier) -> list[dict[str, list[Any]]]:
    """The fitted trees as lists a reader can follow."""
    trees = []
    for (predictor,) in model._predictors:  # noqa: SLF001
        nodes = predictor.nodes
        leaf = nodes["is_leaf"].astype(bool)
        trees.append({
            "feature": [-1 if end else int(f) for end, f in zip(leaf, nodes["feature_idx"], strict=True)],
            "threshold": [0.0 if end else round(float(t), 6) for end, t in zip(leaf, nodes["num_threshold"], strict=True)],
            "left": [int(v) for v in nodes["left"]],
            "right": [int(v) for v in nodes["right"]],
            "value": [round(float(v), 6) if end else 0.0 for end, v in zip(leaf, nodes["value"], strict=True)],
        })
    return trees


def fit(rows: list[dict[str, Any]], *, embedded: bool) -> dict[str, Any]:
    """The two halves of the model for one set of features."""
    x = table(rows, embedded=embedded)
    names = [*WORD_NAMES, *CHECK_NAMES, *(VECTOR_NAMES if embedded else ())]
    datasets, groups = [row["dataset"] for row in rows], [row["group"] for row in rows]
    supported = np.array([int(row["label"] == "supported") for row in rows])
    weight = balanced(list(zip(datasets, supported.tolist(), strict=True)))
    trees = HistGradientBoostingClassifier(**TREES)
    p_support = cross_val_predict(trees, x, supported, groups=groups, cv=GroupKFold(5), params={"sample_weight": weight}, method="predict_proba")[:, 1]
    trees.fit(x, supported, sample_weight=weight)
    clashing = x[:, names.index("clashes")] > 0
    # SummEdits does not tell contradicted from not supported; a clash in an unsupported row is one there.
    contradicted = np.array([row["label"] == "contradicted" or (row["dataset"] == "summedits_sales" and row["label"] != "supported") for row in rows])
    by_name = {name: x[:, i] for i, name in enumerate(names)} | {"p_support": p_support}
    z = np.column_stack([by_name[name] for name in CLASH_NAMES])[clashing]
    logistic = make_pipeline(StandardScaler(), LogisticRegression(C=0.3)).fit(z, contradicted[clashing])
    scale, line = logistic[0], logistic[1]
    slopes = line.coef_[0] / scale.scale_
    print(f"embedded={embedded}: {len(rows)} rows, {int(clashing.sum())} with a clash, {int(contradicted[clashing].sum())} of them contradictions")
    return {
        "names": names,
        "baseline": round(float(trees._baseline_prediction.ravel()[0]), 6),  # noqa: SLF001
        "trees": trees_of(trees),
        "contradiction": {
            "names": list(CLASH_NAMES), "weights": [round(float(w), 4) for w in slopes],
            "intercept": round(float(line.intercept_[0] - (slopes * scale.mean_).sum()), 4),
        },
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--claims", type=Path, default=REPO.parent / "shared" / "claims")
    rows = read_rows(parser.parse_args().claims, half="fit")
    weights = {
        "version": VERSION,
        "fitted_on": "even groups of wice_dev, factcheck_gpt, fever_symmetric_dev, summedits_sales; minimal pairs marked -d",
        "embedded": fit(rows, embedded=True), "words": fit(rows, embedded=False),
    }
    WEIGHTS.write_text(json.dumps(weights, separators=(",", ":")) + "\n", "utf-8")


if __name__ == "__main__":
    main()
