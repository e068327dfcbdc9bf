"""
Coverage-guided fuzzing with atheris: ``make fuzz``, or ``python -m tests.reliability.fuzz TARGET -max_total_time=60``.

What must come of any input stands in ``fuzz_targets.py``. An input that breaks its law ends the run and is left in ``.fuzz/``, where the
inputs that led somewhere new are kept for the next run too; a fault that is found becomes a seed or a test of its kind.
"""

from __future__ import annotations

import sys
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["ragviz"]):
    from tests.reliability.fuzz_targets import TARGETS

FOLDER = Path(".fuzz")


def prepared(name: str) -> list[str]:
    """Seeds and words as libFuzzer wants them; its options for these."""
    corpus, words = FOLDER / name, FOLDER / f"{name}.dict"
    corpus.mkdir(parents=True, exist_ok=True)
    for n, seed in enumerate(TARGETS[name].seeds):
        (corpus / f"seed-{n}").write_bytes(seed)
    words.write_text("".join('"' + "".join(f"\\x{byte:02x}" for byte in word.encode()) + '"\n' for word in TARGETS[name].words), encoding="ascii")
    return [f"-artifact_prefix={FOLDER}/{name}-", *([f"-dict={words}"] if TARGETS[name].words else []), str(corpus)]


def main() -> None:
    """The command line: a target, then libFuzzer's own options."""
    if sys.argv[1:] == ["--list"]:
        print(*TARGETS)
        return
    if len(sys.argv) < 2 or sys.argv[1] not in TARGETS:
        raise SystemExit(f"usage: python -m tests.reliability.fuzz {{{','.join(TARGETS)}}} [libFuzzer options]")
    name = sys.argv.pop(1)
    atheris.Setup([*sys.argv, *prepared(name)], TARGETS[name].check)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
