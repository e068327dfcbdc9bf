"""What the Inspector showed."""

from __future__ import annotations

import json
from typing import Any

from streamlit.testing.v1 import AppTest


def content(app: AppTest) -> dict[str, Any]:
    """What the viewer was given."""
    return dict(json.loads(app.get("bidi_component")[0].proto.bytes))


def words(app: AppTest) -> str:
    """All our own words on the page."""
    return " ".join(e.value for kind in (app.markdown, app.caption, app.error) for e in kind)
