"""
CPU seconds of pytrec_eval, ir-measures and ranx for P, R and nDCG at 1 to 20, AP and RR; the last line is JSON.

Arguments: a file of gains (numpy, shape (n, 20)), one of the numbers of relevant documents, and how many of the rows each library gets. Dictionaries are
built before the clock; ranx has compiled before it.
"""

from __future__ import annotations

import argparse
import json
import time

import numpy as np

DEPTH = 20
KS = range(1, DEPTH + 1)


def dictionaries(gains: np.ndarray, n_relevant: np.ndarray) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
    """qrels and run. A relevant document that was not retrieved is one more label."""
    qrels, run = {}, {}
    for q, row in enumerate(gains.tolist()):
        labels = {f"d{i}": gain for i, gain in enumerate(row)}
        labels.update({f"m{i}": 1 for i in range(int(n_relevant[q]) - sum(row))})
        qrels[f"q{q}"] = labels
        run[f"q{q}"] = {f"d{i}": float(DEPTH - i) for i in range(DEPTH)}
    return qrels, run


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gains", metavar="GAINS.npy")
    parser.add_argument("relevant", metavar="RELEVANT.npy")
    parser.add_argument("rows", type=int, nargs=3, metavar="N")
    args = parser.parse_args()
    gains, n_relevant = np.load(args.gains), np.load(args.relevant)
    sizes = dict(zip(("pytrec_eval", "ir-measures", "ranx"), args.rows, strict=True))
    found = {}
    for name, n in sizes.items():
        some = gains[:n], n_relevant[:n]
        if name == "pytrec_eval":
            found[name] = with_pytrec(*some)
        elif name == "ir-measures":
            found[name] = with_ir_measures(*some)
        else:
            found[name] = with_ranx(*some)
        found[name]["n"] = n
    print(json.dumps(found))


def with_pytrec(gains: np.ndarray, n_relevant: np.ndarray) -> dict[str, float]:
    import pytrec_eval

    qrels, run = dictionaries(gains, n_relevant)
    ks = ",".join(map(str, KS))
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, {f"P.{ks}", f"recall.{ks}", f"ndcg_cut.{ks}", "map", "recip_rank"})
    begin = time.process_time()
    values = evaluator.evaluate(run)
    return {"s": time.process_time() - begin, "ndcg10": float(np.mean([one["ndcg_cut_10"] for one in values.values()]))}


def with_ir_measures(gains: np.ndarray, n_relevant: np.ndarray) -> dict[str, float]:
    import ir_measures

    qrels, run = dictionaries(gains, n_relevant)
    measures = [m @ k for m in (ir_measures.P, ir_measures.R, ir_measures.nDCG) for k in KS] + [ir_measures.AP, ir_measures.RR]
    begin = time.process_time()
    values = list(ir_measures.iter_calc(measures, qrels, run))
    return {"s": time.process_time() - begin, "ndcg10": float(np.mean([one.value for one in values if one.measure == ir_measures.nDCG @ 10]))}


def with_ranx(gains: np.ndarray, n_relevant: np.ndarray) -> dict[str, float]:
    import ranx

    qrels, run = (kind(made) for kind, made in zip((ranx.Qrels, ranx.Run), dictionaries(gains, n_relevant), strict=True))
    measures = [f"{m}@{k}" for m in ("precision", "recall", "ndcg") for k in KS] + ["map", "mrr"]
    begin = time.process_time()
    ranx.evaluate(qrels, run, measures, make_comparable=False)
    compiling = time.process_time() - begin
    begin = time.process_time()
    values = ranx.evaluate(qrels, run, measures, make_comparable=False)
    return {"s": time.process_time() - begin, "ndcg10": float(values["ndcg@10"]), "first": compiling}


if __name__ == "__main__":
    main()
