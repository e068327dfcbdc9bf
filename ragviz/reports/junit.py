"""A gate's report as JUnit XML, the form every CI server shows."""

from __future__ import annotations

from collections import defaultdict
from xml.etree import ElementTree as ET

from ragviz.gate.check import GateLine, GateReport
from ragviz.gate.grouping import blamed

# XML 1.0 has no way to write these, escaped or not.
FORBIDDEN = {c: "\ufffd" for c in range(0x20) if c not in (0x9, 0xA, 0xD)} | dict.fromkeys((*range(55296, 57344), 65534, 65535), "�")

MISLEADING = {0xD: "\n", 0x85: "\n", 0x2028: "\n", 0x2029: "\n"} | dict.fromkeys(
    (0x61C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)), "\ufffd"
)
"""Line ends that viewers take differently, and characters that turn the direction of what follows: a claim must not rewrite the line it is shown in."""


def junit(report: GateReport, *, name: str) -> bytes:
    """One test case per line of the report, grouped by case; quarantined failures are skipped tests with their reason."""
    suites = ET.Element("testsuites", name=_safe(name))
    by_scope: dict[str, list[GateLine]] = defaultdict(list)
    for line in report.lines:
        by_scope[line.scope].append(line)
    for scope, lines in by_scope.items():
        failures = sum(not line.passed and not line.quarantined for line in lines)
        skipped = sum(not line.passed and line.quarantined for line in lines)
        suite = ET.SubElement(suites, "testsuite", name=_safe(scope), tests=str(len(lines)), failures=str(failures), skipped=str(skipped), errors="0")
        for line in lines:
            test = ET.SubElement(suite, "testcase", classname=_safe(scope), name=_safe(f"{line.metric} {line.limit}"))
            if line.passed:
                continue
            claims = blamed(line)
            text = _safe(f"{line.reason or 'failed'}" + (f" (claims: {'; '.join(claims)})" if claims else ""))
            ET.SubElement(test, "skipped" if line.quarantined else "failure", message=text)
    return bytes(ET.tostring(suites, encoding="utf-8", xml_declaration=True))


def _safe(text: str) -> str:
    return text.translate(FORBIDDEN | MISLEADING)
