"""
Callbacks run to their end.

Streamlit looks for a newer request wherever a script touches its state or its address, also inside a callback: the rest of that callback
is then left out, and nobody runs it again, since its widget counts as handled. A click that comes while another one is being answered
would cost the first one its effect. With ``runner.fastReruns`` off (``.streamlit/config.toml``) requests wait in one queue, in which
presses of buttons are kept; here callbacks are let finish before the queue is looked at.
"""

from __future__ import annotations

from functools import wraps
from typing import Any

from streamlit.runtime.scriptrunner import ScriptRunner
from streamlit.runtime.scriptrunner_utils.script_run_context import RunLocation, ThreadState

LOOK = "_maybe_handle_execution_control_request"
"""The method that looks for a newer request."""


def let_finish() -> None:
    """To be called before a page is drawn; once per process is enough. A Streamlit that looks for requests in another way is left as it is."""
    look = getattr(ScriptRunner, LOOK, None)
    if look is None or getattr(look, "lets_finish", False):
        return

    @wraps(look)
    def unless_in_a_callback(runner: Any) -> None:
        if not is_in_a_callback():
            look(runner)

    unless_in_a_callback.lets_finish = True  # type: ignore[attr-defined]
    setattr(ScriptRunner, LOOK, unless_in_a_callback)


def is_in_a_callback() -> bool:
    """Whether this thread is running a widget's callback."""
    try:
        return ThreadState.get().run_location is RunLocation.CALLBACK
    except RuntimeError:  # a thread that runs no script
        return False
