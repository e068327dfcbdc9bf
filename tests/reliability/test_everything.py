"""The table of docs/RELIABILITY.md and the command that makes it speak of the same threats, and every test named there exists."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.reliability.everything import THREATS, Outcome, Threat, outcomes, table
from tests.reliability.load_report import lowest, slope
from tests.reliability.servers import REPO


@pytest.mark.parametrize("threat", THREATS, ids=lambda threat: threat.name)
def test_each_threat_is_documented_and_has_its_tests(threat: Threat) -> None:
    """By name; a test that was renamed would count as not run."""
    words = (REPO / "docs" / "RELIABILITY.md").read_text(encoding="utf-8")
    assert f"| {threat.name} |" in words
    for test in threat.tests:
        file, _, name = test.partition("::")
        source = (REPO / "tests" / file).read_text(encoding="utf-8")
        assert f"def {name or 'test_'}" in source or not name


def test_every_threat_of_the_page_is_run() -> None:
    """But for the load, which has a report of its own, and the audit, which needs the internet."""
    rows = [
        line
        for line in (REPO / "docs" / "RELIABILITY.md").read_text(encoding="utf-8").split("Last long run")[0].splitlines()
        if line.startswith("| ") and "threat or fault" not in line
    ]
    named = {row.split(" | ")[0].removeprefix("| ") for row in rows}

    assert named - {threat.name for threat in THREATS} == {"visitors, a judge and imports at once", "known holes in dependencies"}


def test_what_failed_or_was_skipped_is_not_called_nothing() -> None:
    """The last column is earned."""
    assert Outcome(passed=2).lost == "nothing"
    assert "FAILED" in Outcome(passed=2, failed=1).lost
    assert Outcome(passed=1, skipped=1).lost == "not run here: 1"
    assert Outcome().lost == "not run here: all"


def test_the_report_is_read(tmp_path: Path) -> None:
    """Parameters and classes belong to their file; notes of rounds come along."""
    report = tmp_path / "r.xml"
    report.write_text("""<testsuites><testsuite>
      <testcase classname="tests.reliability.test_crashes" name="test_import" time="2"><properties><property name="rounds" value="9 kills"/></properties></testcase>
      <testcase classname="tests.reliability.test_crashes" name="test_export[.ragviz]" time="1"><failure/></testcase>
      <testcase classname="tests.unit.store.test_opening.TestDamage" name="test_x" time="1"/>
      <testcase classname="tests.browser.test_login" name="test_y" time="0"><skipped/></testcase></testsuite></testsuites>""")
    rows = {line.split(" | ")[0].removeprefix("| "): line for line in table(outcomes(report)).splitlines()}

    assert "9 kills" in rows["kill -9 while importing"]
    assert rows["kill -9 while importing"].endswith("nothing |")
    assert "1 FAILED" in rows["kill -9 while exporting"]
    assert "1 tests" in rows["locked, damaged, newer, another program's database; a clock that jumps back"]
    assert "not run here" in rows["strangers"]


def test_growth_is_told_from_pages_being_drawn() -> None:
    """Two samples a minute, one of them during a page: the peaks rise, what stays does not."""
    memory = [(at + half / 2, 400.0 + half * at) for at in range(10) for half in (0, 1)]

    assert lowest(memory) == [(float(at), 400.0) for at in range(10)]
    assert slope(lowest(memory)) == 0
    assert slope(memory) > 0
    assert slope([(at, 100 + 3 * at) for at, _ in memory]) == pytest.approx(3)
    assert slope(lowest([])) == 0
