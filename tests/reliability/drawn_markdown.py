"""Markdown as Streamlit draws it: what may come out of words of a trace is words."""

from __future__ import annotations

import re
from html.parser import HTMLParser

from markdown_it import MarkdownIt

LINKS = re.compile(r"https?://[-.\w]|\bwww\.[-\w]|[-.+\w]@[-\w]+\.[-\w]|:material/|[\u202a-\u202e\u2066-\u2069\x1b]", re.IGNORECASE)
"""What Streamlit makes of text once escapes are resolved: addresses, icons; and what turns a line round. A formula needs unescaped dollars: see ``FORMULA``."""
FORMULA = re.compile(r"(?<!\\)\$[^$\n]+(?<!\\)\$|(?<!\\):[a-z-]+\[")
TAGS = {"p", "strong", "em", "code", "br", "ul", "ol", "li", "h1", "h2", "h3", "table", "thead", "tbody", "tr", "th", "td", "hr", "s", "a", "blockquote"}


class Drawn(HTMLParser):
    """Fails on elements that our own words do not need, and on links that lead out."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """One element."""
        assert tag in TAGS, f"<{tag}>"
        for name, value in attrs:
            assert (tag, name) in (("a", "href"), ("ol", "start"), ("th", "style"), ("td", "style")), f"{tag} {name}={value}"
            assert name != "href" or (value or "").startswith(("/", "?", "#")), value

    def handle_data(self, data: str) -> None:
        """What is read."""
        assert LINKS.search(data) is None, data


def no_markup(text: str) -> None:
    """Markdown that comes out as plain words."""
    assert FORMULA.search(re.sub(r"`[^`]*`", "", text).replace(":gray[", "").replace(":small[", "")) is None, text
    Drawn(convert_charrefs=True).feed(MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).render(text))
