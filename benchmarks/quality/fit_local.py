"""
Fit the weights of the local judge.

Rows of ../shared/claims whose group, read as a hexadecimal number, is even, and the development halves ("-d") of
tests/data/minimal_pairs.jsonl, tests/data/everyday_pairs.jsonl and tests/data/realistic_pairs.jsonl.
What each data set and class weighs: SHARES. The odd half and the "-h" pairs are never looked at here; benchmarks/quality/judges.py
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
from ragviz.text.tokens import content_tokens

REPO = Path(__file__).resolve().parents[2]
SETS = ("wice_dev", "factcheck_gpt", "fever_symmetric_dev", "summedits_sales")
WEIGHTS = REPO / "ragviz" / "judges" / "local_weights.json"
VERSION = "4"
TREES = {
    "max_depth": 3, "max_iter": 200, "learning_rate": 0.03, "l2_regularization": 10.0, "min_samples_leaf": 30, "max_features": 0.4, "random_state": 0,
    "early_stopping": False,
}
SHARES = dict.fromkeys(("wice_dev", "wice_dev by passage", "minimal_pairs", "grafted", "everyday_crossed"), 200) | {"realistic_pairs": 100}
"""Say of a data set and class where it is not 400: the two views of one set, and the made sets, share theirs; hand-made pairs whose false claims share
more words with the passage than the true ones would teach that what is said in the same words is false."""
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
    for name in ("minimal_pairs", "everyday_pairs", "realistic_pairs"):
        for line in (REPO / "tests" / "data" / f"{name}.jsonl").read_text("utf-8").splitlines():
            pair = json.loads(line)
            if mark in pair["id"]:
                rows.append({**pair, "dataset": name, "label": pair["expect"], "group": pair["id"][:-2], "passages": [{"id": "d0", "text": pair["premise"]}]})
    return rows


def per_passage(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """
    Rows of several passages once more, passage by passage, as the judge sees them.

    A passage that holds a whole labelled evidence set of a supported claim supports it; one that holds none of it does not; one
    with a part is left out. Of the passages that do not, only the three that share most with the claim are kept.
    """
    out = []
    for row in rows:
        if len(row["passages"]) < 2 or not (row["evidence"] or row["label"] != "supported"):
            continue
        sets: dict[int, set[str]] = {}
        for mark in row["evidence"]:
            sets.setdefault(mark["set"], set()).add(mark["passage_id"])
        claim = view_claim(row["claim"])
        without = []
        for passage in row["passages"]:
            one = {**row, "premise": passage["text"], "passages": [passage], "dataset": f"{row['dataset']} by passage"}
            if row["label"] == "supported" and any(found == {passage["id"]} for found in sets.values()):
                out.append(one)
            elif row["label"] != "supported" or all(passage["id"] not in found for found in sets.values()):
                seen = look(claim, view_premise(passage["text"]))
                without.append((-sum(choice.gain for choice in seen.chosen), passage["id"], {**one, "label": "not_supported"}))
        out += [one for _, _, one in sorted(without, key=lambda w: w[:2])[:3]]
    return out


def grafted(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """
    Claims on short texts that nothing supports and nothing contradicts, made from true claims of the minimal pairs.

    Each true claim four times: as it is, against the premise of another pair, with its first word of content replaced by
    one of another claim, and with another claim added to it.
    """
    true = [row for row in rows if row["dataset"] == "minimal_pairs" and row["label"] == "supported" and view_claim(row["claim"]).words]
    out = []
    for i, row in enumerate(true):
        other = true[(i + 7) % len(true)]
        mine, theirs = content_tokens(row["claim"])[0], content_tokens(other["claim"])[0]
        swapped = row["claim"][: mine.span.start] + theirs.text + row["claim"][mine.span.end :]
        added = f"{row['claim'].rstrip('.')}, and {other['claim'][0].lower()}{other['claim'][1:]}"
        if other["premise"] == row["premise"] or theirs.lower in row["premise"].lower():
            continue
        made = {**row, "dataset": "grafted"}
        out += [made, {**made, "label": "not_supported", "premise": other["premise"]}]
        out += [{**made, "label": "not_supported", "claim": claim} for claim in (swapped, added)]
    return out


def crossed(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Everyday claims on passages about something else of the same domain: most passages a claim is asked about do not speak of it."""
    everyday = [row for row in rows if row["dataset"] == "everyday_pairs"]
    out = []
    for kind in dict.fromkeys(row["kind"] for row in everyday):
        mine = [row for row in everyday if row["kind"] == kind]
        premises = list(dict.fromkeys(row["premise"] for row in mine))
        for n, row in enumerate(mine if len(premises) > 1 else []):
            other = premises[(premises.index(row["premise"]) + 1 + n % (len(premises) - 1)) % len(premises)]
            out.append({**row, "dataset": "everyday_crossed", "label": "not_supported", "premise": other})
    return out


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
    """Weights that give each (data set, class) its say."""
    counts = {key: keys.count(key) for key in set(keys)}
    return np.array([SHARES.get(key[0], 400) / counts[key] for key in keys])


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
    rows += per_passage(rows) + grafted(rows) + crossed(rows)
    weights = {
        "version": VERSION,
        "fitted_on": "even groups of wice_dev (also by passage), factcheck_gpt, fever_symmetric_dev, summedits_sales; minimal pairs marked -d, plain and grafted; everyday and realistic pairs marked -d",
        "embedded": fit(rows, embedded=True), "words": fit(rows, embedded=False),
    }
    WEIGHTS.write_text(json.dumps(weights, separators=(",", ":")) + "\n", "utf-8")


if __name__ == "__main__":
    main()
