"""Judges the sample traces with the local judge and writes its answers beside them: sample_traces/verdicts.jsonl.gz (`make samples`)."""

from __future__ import annotations

import gzip
from pathlib import Path

from ragviz.pipeline import export_cache, import_files, judge_run
from ragviz.store import open_store
from ragviz.ui.samples import sample_files

VERDICTS = "verdicts.jsonl.gz"
FOLDER = Path(__file__).resolve().parent.parent / "sample_traces"


def main() -> None:
    """Judge every sample run and keep each answer once."""
    store = open_store(":memory:")
    lines: dict[bytes, None] = {}
    for file in sample_files(FOLDER):
        report = import_files(store, [file], run_name=file.stem)
        view = judge_run(store, report.run_id, "local").view
        lines.update(dict.fromkeys(gzip.decompress(export_cache(store, view)).splitlines(keepends=True)))
    (FOLDER / VERDICTS).write_bytes(gzip.compress(b"".join(sorted(lines)), mtime=0))


if __name__ == "__main__":
    main()
