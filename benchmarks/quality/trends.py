"""How often planted regressions are found over a made-up year, and how often something else is: `python benchmarks/quality/trends.py [YEARS]`."""

from __future__ import annotations

import argparse

from ragviz.compare.trend import trend
from ragviz.testing import year
from ragviz.testing.year import MISSED_FROM, WRONG_FROM, Year

QUIET = {"wrong": 0.0, "missed": 0.0}
SETTINGS = {
    "1,000 traces a version, +0.10 contradicted, +0.15 missed": (Year(n_traces=1_000), {WRONG_FROM, MISSED_FROM}),
    "300 traces a version, +0.15 contradicted, +0.20 missed": (Year(wrong=0.15, missed=0.20), {WRONG_FROM, MISSED_FROM}),
    "nothing planted, strong season, faithfulness drifts by 0.15": (Year(drift=0.15, season=0.95, **QUIET), set()),
    "nothing planted, 25 traces a version": (Year(n_traces=25, **QUIET), set()),
    "nothing planted, versions differ by 0.02 (1 sd) anyway": (Year(restless=0.02, **QUIET), set()),
}


def main(years: int = 200) -> None:
    """One line a setting."""
    print("| year | both found and nothing else | a planted one missed | something else called | of that: a regression of quality |")
    print("|---|---|---|---|---|")
    for name, (made, planted) in SETTINGS.items():
        exact = missed = other = worse = 0
        for seed in range(years):
            changes = trend(year.parts(made._replace(seed=seed))).changes
            found = {c.after for c in changes}
            exact += found == planted
            missed += not planted <= found
            other += bool(found - planted)
            worse += any(c.is_regression for c in changes if c.after not in planted)
        print(f"| {name} | {exact} of {years} | {missed} | {other} | {worse} |", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("years", type=int, nargs="?", default=200, metavar="YEARS")
    main(parser.parse_args().years)
