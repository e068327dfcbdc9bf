"""
Who may come in.

Without an ``[auth]`` section in Streamlit's secrets nobody is asked, and the server has to stay on this machine. With one, every
visitor signs in with that OpenID provider before anything of the store is read; ``[ragviz] allowed_emails`` says who may stay.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any

import streamlit as st
from streamlit import runtime
from streamlit.errors import StreamlitAuthError, StreamlitSecretNotFoundError

from ragviz.text.hosts import is_this_machine

OPEN_TO_ALL = "RAGVIZ_OPEN_TO_ALL"
"""Set by ``ragviz open --i-understand-no-auth``."""


def admit() -> bool:
    """Whether this visitor may see traces; draws what they see otherwise."""
    settings = _secrets("auth")
    if not settings:
        if _reachable_by_others() and os.environ.get(OPEN_TO_ALL) != "1":
            st.error("Other machines can reach this server, and it asks nobody to sign in: it shows no traces.  \n"
                     "Add an `[auth]` section to Streamlit's secrets, or start it with `--server.address 127.0.0.1`.")
            return False
        return True
    if not st.user.is_logged_in:
        _sign_in(settings)
        return False
    if not allowed(st.user.to_dict(), _secrets("ragviz").get("allowed_emails")):
        st.error("This account may not see the traces here. Ask whoever runs this server to add its address, or use another account.")
        st.button("Sign out", on_click=st.logout)
        return False
    return True


def draw_sign_out() -> None:
    """Who is signed in, and the way out; nothing where nobody is asked."""
    if not _secrets("auth"):
        return
    with st.sidebar:
        st.text(str(st.user.get("email") or st.user.get("name") or "Signed in"))
        st.button("Sign out", on_click=st.logout, type="tertiary")


def allowed(claims: Mapping[str, Any], patterns: Sequence[str] | None) -> bool:
    """
    Whether an account is one of those that may come in.

    Args:
        claims: What the provider says of the account.
        patterns: Addresses, ``*`` for any characters, as ``*@example.com``. None: every account of the provider; empty: none.
    """
    if patterns is None:
        return True
    email = claims.get("email")
    # Some providers let people write any address into their profile; then they say that nobody checked it.
    if not isinstance(email, str) or claims.get("email_verified") is False:
        return False
    return any(fnmatchcase(email.casefold(), str(pattern).casefold()) for pattern in patterns)


def _sign_in(settings: Mapping[str, Any]) -> None:
    providers = [name for name, value in settings.items() if isinstance(value, Mapping) and name != "client_kwargs"]
    _, middle, _ = st.columns([1, 1.2, 1])
    with middle, st.container(border=True):
        st.subheader("Sign in", anchor=False)
        st.text("Traces are shown to people with an account only.")
        chosen = next(
            (name for name in providers or [""] if st.button(f"Sign in with {name}" if name else "Sign in", type="primary", key=f"sign_in_{name}")), None
        )
    if chosen is None:
        return
    try:
        st.login(chosen or None)
    except StreamlitAuthError as exc:
        st.error(f"Signing in is not set up: {exc}")


def _reachable_by_others() -> bool:
    return runtime.exists() and not is_this_machine(str(st.get_option("server.address") or ""))


def _secrets(section: str) -> Mapping[str, Any]:
    try:
        found = st.secrets.get(section)
    except StreamlitSecretNotFoundError:
        return {}
    return found if isinstance(found, Mapping) else {}
