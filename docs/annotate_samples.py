"""
Writes the annotated facts of sample_traces/facts.json into the sample runs and their corpus (`make samples`).

facts.json says once, by hand, what each passage, expected answer and answer states, as attribute and value, and what each question asks for. Which
verdict, quadrant or cause that gives is not in it: the judge ``facts`` finds out. `--check` fails when a sample does not carry what stands there.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent.parent / "sample_traces"
RUNS = ("baseline.jsonl", "candidate.jsonl")
CORPUS = "corpus.jsonl"
_CLOSE = (",", ":")


def annotated(folder: Path = FOLDER) -> Iterator[tuple[str, str]]:
    """Name and text of each file, as it should be."""
    said = json.loads((folder / "facts.json").read_text(encoding="utf-8"))
    for name in RUNS:
        yield name, _lines(folder / name, lambda trace, name=name: _trace(trace, said, said[name]), separators=_CLOSE)
    yield CORPUS, _lines(folder / CORPUS, lambda passage: {**passage, "facts": list(_facts(said["passages"][passage["id"]]))}, separators=None)


def _lines(path: Path, change: Any, *, separators: tuple[str, str] | None) -> str:
    rows = (change(json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines())
    return "".join(json.dumps(row, ensure_ascii=False, separators=separators) + "\n" for row in rows)


def _trace(trace: dict[str, Any], said: dict[str, Any], answers: dict[str, Any]) -> dict[str, Any]:
    asked = said["questions"][trace["id"]]
    claims = [
        {"side": side, "text": f"{fact['attribute']} = {fact['value']}", **fact}
        for side, facts in (("response", answers[trace["id"]]), ("reference", asked.get("expected", {}))) for fact in _facts(facts)
    ]
    passages = [{**passage, "facts": list(_facts(said["passages"][passage["doc_id"]]))} for passage in trace["passages"]]
    return {**trace, "passages": passages, "facets": asked["facets"], "claims": claims}


def _facts(pairs: dict[str, str | list[str]]) -> Iterator[dict[str, str]]:
    for attribute, values in pairs.items():
        for value in values if isinstance(values, list) else [values]:
            yield {"attribute": attribute, "value": value}


def main(arguments: list[str]) -> int:
    """Write them, or compare."""
    stale = [name for name, text in annotated() if (FOLDER / name).read_text(encoding="utf-8") != text]
    if "--check" in arguments:
        sys.stdout.write(f"stale: {', '.join(stale)}; run python docs/annotate_samples.py\n" if stale else "the samples carry their facts\n")
        return 1 if stale else 0
    for name, text in annotated():
        (FOLDER / name).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
