"""axe-core (vendor/, MPL-2.0): what keeps people out who read with a screen reader or cannot see colours."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.browser.conftest import settled

AXE = Path(__file__).parent / "vendor" / "axe.min.js"
RUN = """() => axe.run(document, { resultTypes: ['violations'] }).then((found) => found.violations
  .filter((v) => v.impact === 'serious' || v.impact === 'critical')
  .map((v) => [v.id, v.nodes.map((n) => n.target.flat().join(' >> ') + '  ' + n.html.slice(0, 160))]))"""

AT_REST = """() => !document.querySelector('[data-testid=stSidebar] [data-testid=stProgress], [data-stale=true]')
  && document.getAnimations().every((a) => a.playState !== 'running')"""
"""Nothing is being judged, and nothing fades in or out: half-faded text has too little contrast for a moment."""

NOT_OURS: dict[str, str] = {}
"""Rule id → why it is left to Streamlit. Empty: none of its widgets has a serious fault on our pages."""


def faults(page: Any) -> list[Any]:
    """Serious and critical ones of the page as it stands, when it has come to rest."""
    page.wait_for_function(AT_REST)
    settled(page)
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    return [fault for fault in page.evaluate(RUN) if fault[0] not in NOT_OURS]
