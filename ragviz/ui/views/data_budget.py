"""What hosted judging may spend, chosen once a session and kept while it lasts."""

from __future__ import annotations

import streamlit as st

from ragviz.backends.budget import Budget
from ragviz.figures.plot_text import count

USD, TOKENS = "judge-usd", "judge-tokens"


def chosen() -> Budget | None:
    """A fresh budget for one job; None without a limit."""
    usd, tokens = limits()
    return Budget(max_usd=usd, max_tokens=tokens) if usd or tokens else None


def limits() -> tuple[float | None, int | None]:
    """Dollars and tokens, None where there is no limit."""
    usd, tokens = st.session_state.get(USD), st.session_state.get(TOKENS)
    return float(usd) if usd else None, int(tokens) if tokens else None


def words() -> str:
    """The limits in a few words, Markdown; "" where there are none."""
    usd, tokens = limits()
    return " or ".join(part for part in (f"\\${usd:g}" if usd else "", f"{count(tokens)} tokens" if tokens else "") if part)


def draw() -> None:
    """Two numbers, folded away until somebody wants them; the heading says what holds."""
    with st.expander(f"Stops at {words()}" if words() else "Spend at most …", key="budget"):
        left, right = st.columns(2, gap="small")
        left.number_input("US dollars", min_value=0.0, max_value=100_000.0, value=None, step=1.0, placeholder="no limit", key=USD, persist_state="session")
        right.number_input(
            "Tokens, sent and received", min_value=0, max_value=10**12, value=None, step=10_000, placeholder="no limit", key=TOKENS, persist_state="session"
        )
        st.caption(
            "No call starts once it is spent; calls under way end. What is judged stays, and judging again goes on with the rest. Holds for each "
            "start, in this session."
        )
