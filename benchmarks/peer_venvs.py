"""
Environments of the libraries we are compared with: one venv each, made on first use below ``benchmarks/.peers`` (or the folder in RAGVIZ_PEERS).

Versions are pinned, since a figure without its version says nothing. What cannot be installed is skipped with one sentence.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
FOLDER = Path(os.environ.get("RAGVIZ_PEERS") or HERE / ".peers")
PACKAGES: dict[str, tuple[str, ...]] = {
    "trulens": ("trulens-core==2.16.0", "trulens-dashboard==2.16.0", "trulens-feedback==2.16.0"),
    "phoenix": ("arize-phoenix==20.26.1",),
    "ranking": ("pytrec_eval-terrier==0.5.11", "ir-measures==0.4.3", "ranx==0.3.21"),
    # ragas 0.4.3 imports a module that langchain-community 0.4.2 no longer has.
    "ragas": ("ragas==0.4.3", "langchain-community==0.4.1", "instructor>=1.11,<2"),
    "deepeval": ("deepeval==4.3.1",),
}
LIMIT_S = 1_500


def python_of(name: str) -> Path | None:
    """The Python of a peer's venv, made now if it is not there; None, with a sentence printed, where it cannot be made."""
    venv = FOLDER / name
    python, done = venv / "bin" / "python", venv / ".installed"
    wanted = " ".join(PACKAGES[name])
    if done.exists() and done.read_text() == wanted:
        return python
    print(f"installing {wanted} …", file=sys.stderr, flush=True)
    try:
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(venv)], check=True, capture_output=True, timeout=LIMIT_S)
        subprocess.run(
            [str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check", *PACKAGES[name]],
            check=True,
            capture_output=True,
            text=True,
            timeout=LIMIT_S,
        )
    except (subprocess.SubprocessError, OSError) as exc:
        last = str(getattr(exc, "stderr", "") or exc).strip().splitlines()[-1:]
        print(f"{name}: skipped, its packages cannot be installed here ({' '.join(last)[:200]})", flush=True)
        return None
    done.write_text(wanted)
    return python


def version_of(name: str) -> str:
    """The peer's name and version, for the table."""
    return PACKAGES[name][0].replace("==", " ")


def ask(name: str, script: str, *arguments: str, env: dict[str, str] | None = None, timeout_s: float = 1_800) -> Any:
    """What a script of ``benchmarks/peers`` prints as its last line, JSON; None, with a sentence printed, where the peer is not to be had or fails."""
    python = python_of(name)
    if python is None:
        return None
    began = time.monotonic()
    done = subprocess.run([str(python), str(HERE / "peers" / script), *arguments], capture_output=True, text=True, timeout=timeout_s, check=False,
                          env={**os.environ, "PYTHONPATH": str(HERE), **QUIET, **(env or {})})
    if done.returncode:
        print(f"{name}: skipped, {script} ended with: {(done.stderr.strip().splitlines() or ['no words'])[-1][:300]}", flush=True)
        return None
    print(f"{name}: {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
    return json.loads(done.stdout.strip().splitlines()[-1])


QUIET = {
    "TRULENS_OTEL_TRACING": "1",
    "PHOENIX_TELEMETRY_ENABLED": "false",
    "RAGAS_DO_NOT_TRACK": "true",
    "DEEPEVAL_TELEMETRY_OPT_OUT": "YES",
    "HF_HUB_OFFLINE": "1",
}
"""Nobody's usage is reported to anybody."""
