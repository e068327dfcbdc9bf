"""What the policy says."""

from __future__ import annotations

import pytest

from ragviz.ui.headers import content_security_policy, inline_script_hashes


def test_the_websocket_is_named_with_the_host() -> None:
    """Some browsers do not count it as 'self'."""
    assert "connect-src 'self' ws://localhost:8501 wss://localhost:8501;" in content_security_policy("localhost:8501", ())
    assert "connect-src 'self' ws://[::1]:8501 wss://[::1]:8501;" in content_security_policy("[::1]:8501", ())


@pytest.mark.parametrize("host", ["", "a b", "x; script-src *", "x'", "h\r\nX: 1", "*", "a:b@c", "x,y"])
def test_a_host_cannot_add_to_the_policy(host: str) -> None:
    """It comes from the request: anything that is no plain host and port is left out."""
    assert "connect-src 'self';" in content_security_policy(host, ())


def test_inline_scripts_are_named_by_their_hash() -> None:
    """The hash of the text between the tags, as browsers compute it."""
    assert ("sha256-RFWPLDbv2BY+rCkDzsE+0fr8ylGr2R2faWMhq4lfEQc=",) == inline_script_hashes("<head><script>doSomething();</script><script src='a.js'></script>")
