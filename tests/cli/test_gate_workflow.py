"""The workflow of docs/ is good YAML, and each of its gate commands does what it says; a case kept on the Inspector is a test that the gate reads."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from streamlit.testing.v1 import AppTest

from ragviz.loaders import read, write_native
from ragviz.records import Trace
from ragviz.store import Store
from tests.app.conftest import app_store, open_at
from tests.browser.scenario import a_rich_case
from tests.cli.test_commands import ragviz
from tests.cli.test_gate_rules import a_case, cases
from tests.stored import fill

__all__ = ["app_store", "open_at"]
yaml = pytest.importorskip("yaml", reason="comes with huggingface_hub")
DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.fixture
def steps() -> list[dict[str, Any]]:
    """The steps of the workflow's one job."""
    workflow = yaml.safe_load((DOCS / "answers-gate.yml").read_text(encoding="utf-8"))
    # YAML 1.1 reads the key `on` as True.
    assert workflow[True] == "pull_request"
    return workflow["jobs"]["gate"]["steps"]  # type: ignore[no-any-return]


def test_its_commands_run(steps: list[dict[str, Any]], tmp_path: Path) -> None:
    """On a good candidate both gates exit 0 and the files that later steps use are there; on a worse one the first exits 1."""
    commands = [shlex.split(step["run"])[1:] for step in steps if step.get("run", "").startswith("ragviz gate")]
    (tmp_path / "tests").mkdir()
    for name, traces in {"candidate": cases(), "tests/cases": cases(), "tests/baseline": cases(), "tests/known_failures": cases(2, faults=[0, 1])}.items():
        (tmp_path / f"{name}.jsonl").write_bytes(b"".join(write_native(traces)))
    (tmp_path / "tests" / "gate.toml").write_text('no_regression = ["faithfulness"]\n[mean]\nfaithfulness = 0.9\n', encoding="utf-8")
    (tmp_path / "tests" / "known_failures.toml").write_text("[each]\nfaithfulness = 1.0\n", encoding="utf-8")

    assert [ragviz(*command, cwd=tmp_path).returncode for command in commands] == [0, 0]
    assert (tmp_path / "gate.md").read_text(encoding="utf-8").startswith("## ✓ Pass")
    assert (tmp_path / "gate.xml").exists()

    (tmp_path / "candidate.jsonl").write_bytes(b"".join(write_native([a_case(i, faulty=i < 8) for i in range(10)])))
    assert ragviz(*commands[0], cwd=tmp_path).returncode == 1
    assert "not worse than the baseline" in (tmp_path / "gate.md").read_text(encoding="utf-8")


def test_the_guide_shows_the_same_commands(steps: list[dict[str, Any]]) -> None:
    """What is run is what is documented."""
    guide = (DOCS / "GATE.md").read_text(encoding="utf-8")

    assert [step["run"] in guide for step in steps if step.get("run", "").startswith("ragviz gate")] == [True, True]


def test_a_case_kept_on_the_inspector_is_read_by_the_gate(app_store: Store, open_at: Callable[..., AppTest], tmp_path: Path) -> None:
    """The answer that failed fails its own test; the same answer with the right amount passes it."""
    case = a_rich_case()
    fill(app_store, case)
    app = open_at("inspector", trace="tr-0417", claim="c4")
    app.text_input(key=f"test-words-{app_store.runs()[0].run_id}-tr-0417-c4").set_value("€75")
    next(b for b in app.button if b.label == "Keep as a test").click().run()
    assert not app.exception
    home = Path(app_store.address).parent / "regressions"
    against = ("--against", home / "cases.jsonl", "--rules", home / "gate.toml", "--judge", "local")

    old = ragviz("gate", home / "cases.jsonl", *against, cwd=tmp_path)

    assert (old.returncode, old.stderr) == (1, "")
    assert "€75" in old.stdout

    (kept,) = (row for row in read(home / "cases.jsonl") if isinstance(row, Trace))
    (tmp_path / "good.jsonl").write_bytes(b"".join(write_native([replace(kept, response=kept.response.replace("€50", "€75"), claims=None)])))
    good = ragviz("gate", "good.jsonl", *against, cwd=tmp_path)

    assert (good.returncode, good.stderr) == (0, "")
