"""The few looks that config.toml cannot give. Constant text only: nothing from a trace ever comes near this file."""

from __future__ import annotations

import streamlit as st

# An icon name (":material/…:") would make every browser fetch it from a font service: nothing here may call out.
FAVICON = """<svg xmlns="http://www.w3.org/2000/svg" width="32" height="32" viewBox="0 0 20 20"><rect x="1.5" y="3" width="17" height="3.4" rx="1.2" fill="#47505f"/>
<rect x="1.5" y="8.3" width="11" height="3.4" rx="1.2" fill="#0b7a75"/><rect x="1.5" y="13.6" width="14" height="3.4" rx="1.2" fill="#47505f"/></svg>"""

_LOGO = """<svg xmlns="http://www.w3.org/2000/svg" width="92" height="24" viewBox="0 0 92 24" role="img" aria-label="ragviz">
<rect x="1.5" y="4.5" width="17" height="3.6" rx="1.2" fill="{ink}"/><rect x="1.5" y="10.2" width="11" height="3.6" rx="1.2" fill="{accent}"/>
<rect x="1.5" y="15.9" width="14" height="3.6" rx="1.2" fill="{ink}"/>
<text x="27" y="17.6" font-family="Source Sans,Source Sans 3,system-ui,sans-serif" font-size="17" font-weight="700" letter-spacing="-.2" fill="{ink}">ragviz</text></svg>"""

_CSS = """<style>
[data-testid="stMainBlockContainer"] { padding-left: 28px; padding-right: 28px; max-width: 1720px; }
.st-key-cap-position p { padding-bottom: 7px; }
.st-key-toprow { margin-bottom: -10px; }
</style>"""


def is_dark() -> bool:
    """Whether this browser shows the dark theme."""
    return st.context.theme.type == "dark"


def apply() -> None:
    """Logo and page margins."""
    ink, accent = ("#e8eaef", "#45c4b3") if is_dark() else ("#1f2430", "#0b7a75")
    st.logo(_LOGO.format(ink=ink, accent=accent), size="medium")
    st.html(_CSS)
