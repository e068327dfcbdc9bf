"""One trace in a page of its own: an HTML file for people that holds the trace for ragviz."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from typing import BinaryIO

from ragviz.loaders import native
from ragviz.loaders.format import Format
from ragviz.loaders.limits import WHOLE_BYTES
from ragviz.loaders.outline import Outline
from ragviz.records import LoadIssue, Trace
from ragviz.records.codec import encode

OPENING = '<script type="application/json" id="ragviz-case">'
"""What stands before the trace. No trace text can hold it: ``data_block`` and the page write every "<" another way."""
_CLOSING = b"</script>"
_PAGE = b"<!doctype html>"


def data_block(trace: Trace) -> str:
    """The trace as a block that a browser neither runs nor shows. It cannot be closed, or turned into a comment, by anything inside the trace."""
    json = encode(trace).decode()
    for sign in "<>&":
        json = json.replace(sign, f"\\u{ord(sign):04x}")
    return f"{OPENING}{json}</script>"


def holds_a_case(head: bytes) -> bool:
    """True for the start of such a page."""
    return head.lstrip()[: len(_PAGE)].lower() == _PAGE and OPENING.encode() in head


def read(source: BinaryIO, filename: str) -> Iterator[Trace | LoadIssue]:
    """The trace inside the page."""
    page = source.read(WHOLE_BYTES + 1)
    before, opening, rest = page.partition(OPENING.encode())
    content, closing, _ = rest.partition(_CLOSING)
    if not opening or not before or not closing:
        yield LoadIssue(where=filename, message="no whole trace is in this page", fix="save the case again: the file is cut off, too long, or was changed")
        return
    yield from native.read(BytesIO(content), filename)


class _Case(Format):
    """A page is no table and no JSON: it is recognised by its own first bytes."""

    def sniff(self, head: bytes, filename: str) -> float:  # noqa: ARG002 - names mislead: content decides
        return 1.0 if holds_a_case(head) else 0.0


def _never(look: Outline) -> bool:  # noqa: ARG001 - decided by ``sniff``
    return False


LOADER = _Case(
    name="case",
    label="ragviz one-file case",
    order=0,
    recognised_by="an HTML page with a block called ragviz-case",
    matches=_never,
    read=read,
    suffixes=(".html",),
)
