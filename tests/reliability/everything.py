"""
Every threat and fault of docs/RELIABILITY.md in one go, with its table at the end: ``make reliability``, or ``python -m tests.reliability.everything``.

The load and the tests run side by side, the tests in two processes: a load whose visitors think, and tests that wait for a killed program to come up again, leave
processors free. The load lasts longest and comes first where both want one, so that its store is filled early. Tests that are skipped are told as not run.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree as ET

from tests.reliability.servers import REPO


@dataclass(frozen=True)
class Threat:
    """A row of the table."""

    name: str
    """As docs/RELIABILITY.md has it."""
    tests: tuple[str, ...]
    """``folder/file.py``, or ``folder/file.py::test``."""


AFTER_THE_LOAD = 12
"""Priority of the tests, as ``nice`` counts."""
_CRASH = "reliability/test_crashes.py::"
THREATS = (
    Threat("kill -9 while importing", (_CRASH + "test_import",)), Threat("kill -9 while judging", (_CRASH + "test_judging",)), Threat("kill -9 while labelling", (_CRASH + "test_labelling",)),
    Threat("kill -9 while a database is lifted", (_CRASH + "test_migration",)), Threat("kill -9 while exporting", (_CRASH + "test_export",)),
    Threat("kill -9 of the store's own writer", ("unit/store/test_crash.py",)), Threat("kill -9 of a worker or of the command on a cluster", ("reliability/test_ray.py",)),
    Threat("full disk", ("reliability/test_faults.py::test_a_full_disk", "reliability/test_faults.py::test_an_export_to_a_full_disk")),
    Threat("read-only disk", ("reliability/test_faults.py::test_a_store", "reliability/test_faults.py::test_what_is_not", "reliability/test_faults.py::test_writing", "reliability/test_faults.py::test_its_pages")),
    Threat("locked, damaged, newer, another program's database; a clock that jumps back", ("unit/store/test_opening.py",)), Threat("database of an earlier version", ("unit/store/test_old_stores.py",)),
    Threat("text left after deleting a run", ("reliability/test_deleting.py", "app/test_forgetting.py")),
    Threat("memory that grows", ("unit/ui/test_remembering.py", "unit/ui/test_weighing.py", "unit/store/test_columns.py", "unit/pipeline/test_corpora.py", "app/test_tabs.py")),
    Threat("DNS rebinding, foreign websocket, foreign upload, path traversal on the server", ("reliability/test_doors.py",)),
    Threat("framing, foreign and inline scripts, leaks to other sites", ("browser/test_policy.py", "browser/test_every_page.py")), Threat("strangers", ("browser/test_login.py",)),
    Threat("private details in exports or stores", ("unit/pipeline/test_redacting.py", "unit/text/test_redaction.py")), Threat("texts that make code slow", ("reliability/test_hostile_sizes.py",)),
    Threat("hostile words in a run", ("reliability/test_outputs.py", "reliability/test_hostile_pages.py")), Threat("any bytes as a file", ("property/test_loaders_fuzz.py",)), Threat("any input", ("property/test_fuzz_laws.py",)),
)


@dataclass
class Outcome:
    """What the tests of one threat came to."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0
    seconds: float = 0.0
    notes: tuple[str, ...] = ()

    @property
    def lost(self) -> str:
        """The last column."""
        if self.failed:
            return f"**{self.failed} FAILED**"
        return "nothing" if self.passed and not self.skipped else f"not run here: {self.skipped or 'all'}"


def outcomes(report: Path) -> dict[Threat, Outcome]:
    """From pytest's JUnit file."""
    found = {threat: Outcome() for threat in THREATS}
    for case in ET.parse(report).getroot().iter("testcase"):
        name = f"{case.get('classname', '').removeprefix('tests.').replace('.', '/')}.py::{case.get('name')}"
        plain = name.split("[", maxsplit=1)[0]
        for threat, outcome in found.items():
            if any(plain.startswith(test) for test in threat.tests) or any(_in_class(plain, test) for test in threat.tests):
                outcome.failed += case.find("failure") is not None or case.find("error") is not None
                outcome.skipped += case.find("skipped") is not None
                outcome.passed += not [child for child in case if child.tag in ("failure", "error", "skipped")]
                outcome.seconds += float(case.get("time", 0))
                outcome.notes += tuple(p.get("value", "") for p in case.iter("property") if p.get("name") == "rounds")
    return found


def _in_class(name: str, test: str) -> bool:
    """A test inside a class: its file is followed by the class's name."""
    return "::" not in test and name.startswith(f"{test.removesuffix('.py')}/")


def table(found: dict[Threat, Outcome]) -> str:
    """Markdown."""
    lines = ["| threat or fault | tests | rounds | s | lost |", "|---|---|---|--:|---|"]
    for threat, outcome in found.items():
        rounds = "; ".join(outcome.notes) or f"{outcome.passed} tests"
        lines.append(f"| {threat.name} | {', '.join(f'`{test}`' for test in threat.tests)} | {rounds} | {outcome.seconds:.0f} | {outcome.lost} |")
    return "\n".join(lines)


def main() -> None:
    """The command line; exit code 1 where anything failed or was lost."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=12, help="of crashes, three kills each, for each kind of work")
    parser.add_argument("--minutes", type=float, default=10, help="of load; 0 leaves it out")
    parser.add_argument("--sessions", type=int, default=20)
    parser.add_argument("--traces", type=int, default=100_000)
    args = parser.parse_args()
    began, environment = time.monotonic(), {**os.environ, "RAGVIZ_CRASH_ROUNDS": str(args.rounds), "PYTHONPATH": str(REPO)}
    with tempfile.TemporaryDirectory() as folder:
        report, log = Path(folder) / "report.xml", Path(folder) / "load.txt"
        load = None
        if args.minutes:
            with log.open("wb") as out:
                load = subprocess.Popen(
                    [sys.executable, "-m", "tests.reliability.load", f"--minutes={args.minutes}", f"--sessions={args.sessions}", f"--traces={args.traces}"],
                    cwd=REPO,
                    env=environment,
                    stdout=out,
                    stderr=subprocess.STDOUT,
                )
        # File by file: a cluster, a server or a browser is started once for its file. The longest file comes first (``tests/conftest.py``).
        files = list(dict.fromkeys(f"tests/{test.partition('::')[0]}" for threat in THREATS for test in threat.tests))
        pytest = ["nice", "-n", str(AFTER_THE_LOAD), sys.executable, "-m", "pytest", "-q", "-p", "no:randomly", "-n", "2", "--dist", "loadfile", "--no-loadscope-reorder"]
        tests = subprocess.run([*pytest, f"--junitxml={report}", "-o", "junit_family=xunit1", *files], cwd=REPO, env=environment, check=False)
        code = load.wait() if load else 0
        print(f"\n{table(outcomes(report))}\n\n{log.read_text(encoding='utf-8') if load else ''}")
        print(f"{(time.monotonic() - began) / 60:.1f} minutes, load of the machine {os.getloadavg()[2]:.1f} on {os.cpu_count()} processors")
    raise SystemExit(bool(code or tests.returncode))


if __name__ == "__main__":
    main()
