"""Addresses of servers: which are this machine alone."""

from __future__ import annotations

import ipaddress


def is_this_machine(host: str) -> bool:
    """Whether only programs of this machine reach a server that listens there: ``localhost`` and loopback addresses; no other name."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
