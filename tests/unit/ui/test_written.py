"""Which addresses are late, and that callbacks are let finish."""

from __future__ import annotations

import pytest
from streamlit.runtime.scriptrunner import ScriptRunner
from streamlit.runtime.scriptrunner_utils.script_run_context import RunLocation, ThreadState

from ragviz.ui import callbacks
from ragviz.ui.written import Written, is_late

KNOWN = Written("inspector", {"claim": "c4", "k": "2"}, ({"claim": "c1"}, {"claim": "c4"}))


class TestLate:
    @pytest.mark.parametrize("given", KNOWN.before)
    def test_what_was_written_over_is_late(self, given: dict[str, str]) -> None:
        """The browser has not heard of one answer, or of two."""
        assert is_late(given, KNOWN, by_history=False)

    @pytest.mark.parametrize("given", KNOWN.before)
    def test_back_means_what_it_says(self, given: dict[str, str]) -> None:
        """The same addresses, by the Back button."""
        assert not is_late(given, KNOWN, by_history=True)

    @pytest.mark.parametrize("given", [{"claim": "c4", "k": "2"}, {"claim": "c9"}, {}])
    def test_other_addresses_are_not(self, given: dict[str, str]) -> None:
        """The newest, and those that this session never wrote over."""
        assert not is_late(given, KNOWN, by_history=False)


def test_a_callback_is_let_finish() -> None:
    """Outside a callback a newer request is looked for (this stand-in has nowhere to look); inside one it is not."""
    callbacks.let_finish()
    look = getattr(ScriptRunner, callbacks.LOOK)

    with pytest.raises(AttributeError):
        look(object())
    ThreadState.initialize(active_script_hash="")
    with ThreadState.scoped(run_location=RunLocation.CALLBACK):
        look(object())
