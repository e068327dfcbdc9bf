"""Annotated data needs no model."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

PROGRAM = """
import sys
from ragviz.pipeline import evaluate
found = evaluate([sys.argv[1]], judge="facts")
print(len(found.traces), sorted({"torch", "sentence_transformers"} & set(sys.modules)))
"""
FACTS = {
    "id": "q1", "question": "How long may I keep it?", "response": "30 days.", "reference": "30 days.",
    "passages": [{"id": "p1", "text": "It can be kept for 30 days.", "facts": [{"attribute": "period", "value": "30 days"}]}],
    "claims": [{"side": "response", "text": "period: 30 days", "attribute": "period", "value": "30 days"}],
}


def test_judging_by_facts_loads_no_model(tmp_path: Path) -> None:
    """Even where a trace has no annotations, or no requested attributes: embeddings would be what takes longest by far."""
    path = tmp_path / "facts.jsonl"
    plain = FACTS | {"id": "q2", "claims": None}
    path.write_text("".join(json.dumps(trace) + "\n" for trace in (FACTS, plain)), encoding="utf-8")
    done = subprocess.run([sys.executable, "-c", PROGRAM, str(path)], capture_output=True, text=True, check=False)

    assert (done.stdout.strip(), done.stderr) == ("2 []", "")
