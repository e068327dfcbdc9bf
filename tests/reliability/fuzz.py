"""
Coverage-guided fuzzing with atheris: ``make fuzz``, or ``python -m tests.reliability.fuzz TARGET -max_total_time=60``.

What may come of any input is a result, or one of our own errors; anything else ends the run and leaves the input beside it. A fault that is found
becomes a test of its kind in ``tests/property``.
"""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Callable
from urllib.parse import parse_qsl

import atheris

with atheris.instrument_imports(include=["ragviz"]):
    from benchmarks.speed_hostile import READERS
    from ragviz.errors import RagvizError
    from ragviz.loaders import read
    from ragviz.ui import filters, selection


def of_texts(*names: str) -> Callable[[bytes], None]:
    """Feeds a text to these readers."""
    def target(data: bytes) -> None:
        text = data.decode("utf-8", "surrogatepass" if data[:1] == b"\xed" else "replace")
        for name in names:
            READERS[name](text)

    return target


def of_files(data: bytes) -> None:
    """A file of these bytes, under a name of any kind."""
    endings = ("x", "x.jsonl", "x.json", "x.csv", "x.html", "x.ragviz", "x.parquet", "x.sqlite", "x.xml", "x.zip")
    list(read(io.BytesIO(data[1:]), filename=endings[data[0] % len(endings)] if data else "x"))


def of_addresses(data: bytes) -> None:
    """What stands behind the question mark."""
    params = dict(parse_qsl(data.decode("utf-8", "replace"), keep_blank_values=True))
    selection.parse(params)
    where = filters.from_params(params)
    assert filters.from_params(filters.to_params(where)) == where
    filters.describe(where, {})


TARGETS: dict[str, Callable[[bytes], None]] = {
    "files": of_files, "addresses": of_addresses, "citations": of_texts("citations"), "claims": of_texts("claims", "sentences"),
    "evidence": of_texts("evidence", "index", "checks"), "quotes": of_texts("quote", "near quote", "alarm"), "highlight": of_texts("reveal", "markup"), "redaction": of_texts("redaction"),
}


def main() -> None:
    """The command line: a target, then libFuzzer's own options."""
    if len(sys.argv) < 2 or sys.argv[1] not in TARGETS:
        raise SystemExit(f"usage: python -m tests.reliability.fuzz {{{','.join(TARGETS)}}} [libFuzzer options]")
    target = TARGETS[sys.argv.pop(1)]

    def one(data: bytes) -> None:
        with contextlib.suppress(RagvizError):
            target(data)

    atheris.Setup(sys.argv, one)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
