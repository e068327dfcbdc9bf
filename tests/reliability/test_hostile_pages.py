"""
Every page on a run of hostile words: whatever the server sends to be read as Markdown, plotly's text or HTML comes out as plain text, in no link and
no picture.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.message import Message
from streamlit.testing.v1 import AppTest

from tests.reliability.drawn_markdown import no_markup
from tests.reliability.hostile_run import hostile_run
from tests.reliability.servers import REPO

pytestmark = pytest.mark.slow
PAGES = sorted(p.stem for p in (REPO / "pages").glob("*.py") if p.stem != "__init__")
PLAIN = {"options", "raw_data", "raw_value", "raw_values", "default", "id", "form_id", "url", "query_string", "page", "page_script_hash", "spec", "data", "file_name", "placeholder", "json_args", "columns", "value",
         "marshalled_json", "icon", "arrow_data", "bytes", "component_name", "mount_id", "html_content", "css_content", "js_content", "json", "unique_id", "element_id", "user_key", "js", "css", "proto", "deferred_file_id"}
"""Fields of messages that no part of the front end reads as Markdown: choices, keys, addresses, the data of tables, plots and components."""
def no_template(text: str) -> None:
    """Text for plotly: its own few tags, no place but the point's numbers, no formula."""
    assert not set(re.findall(r"<\s*/?\s*([a-z0-9]+)", text, re.IGNORECASE)) - {"br", "b", "i", "sub", "sup", "span", "extra"}, text
    assert not set(re.findall(r"%\{([^}:]*)", text)) - {"x", "y", "z", "text"}, text
    assert not re.search(r"\$[^$]+\$|href|[\u202a-\u202e\u2066-\u2069\x1b]", text, re.IGNORECASE), text


def strings(message: Message) -> Iterator[tuple[str, str]]:
    """Every text of a message by the name of its field."""
    for field, value in message.ListFields():
        if field.name in PLAIN:
            continue
        for one in value if field.is_repeated and not hasattr(value, "keys") else [value]:
            if isinstance(one, str):
                yield field.name, one
            elif isinstance(one, Message):
                yield from strings(one)


def drawn_texts(figure: Any, at: str = "") -> Iterator[str]:
    """Every text of a figure that plotly draws; points' keys are not drawn."""
    if isinstance(figure, dict):
        for name, part in figure.items():
            if name not in ("customdata", "ids", "template"):
                yield from drawn_texts(part, name)
    elif isinstance(figure, list):
        for part in figure:
            yield from drawn_texts(part, at)
    elif isinstance(figure, str) and at in ("text", "hovertext", "hovertemplate", "texttemplate", "ticktext", "name", "y", "x", "label", "labels"):
        yield figure


def elements(block: Any) -> Iterator[Any]:
    """Everything on a page."""
    for child in getattr(block, "children", {}).values():
        yield child
        yield from elements(child)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The store's file."""
    folder = tmp_path_factory.mktemp("hostile")
    hostile_run(folder)[0].close()
    return folder / "s.sqlite"


@pytest.mark.parametrize("page", PAGES)
def test_pages_draw_words_as_words(page: str, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Labels, captions, hints, notes, plots: no link, picture, formula, icon or element comes from a trace."""
    import streamlit as st

    monkeypatch.setenv("RAGVIZ_STORE", str(place))
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    st.cache_resource.clear()
    st.cache_data.clear()
    app = AppTest.from_file(str(REPO / "app.py"), default_timeout=120)
    app.query_params["_p"] = page
    app.run()
    assert not app.exception
    n_texts = 0
    for element in elements(app._tree):
        proto = getattr(element, "proto", None)
        kind = getattr(element, "type", "")
        if not isinstance(proto, Message) or kind in ("text", "html", "bidi_component", "component_instance", "arrow_data_frame", "json", "code"):
            continue
        if kind == "plotly_chart":
            for text in drawn_texts(json.loads(proto.spec)):  # type: ignore[attr-defined]
                no_template(text)
            continue
        for _, text in strings(proto):
            n_texts += 1
            no_markup(text)

    assert n_texts > 10


@pytest.mark.parametrize(
    "text", ["[a](http://x.y)", "![b](/i.png)", "<b>a</b>", "see http://x.y/z", "www.x.y", "a@x.y", "a $x$ b", ":red[a]", ":material/home:", "\u202ea"]
)
def test_the_check_sees_each_fault(text: str) -> None:
    """Unescaped, each of these fails it."""
    with pytest.raises(AssertionError):
        no_markup(text)


@pytest.mark.parametrize("text", ["<a href='x'>a</a>", "%{customdata}", "$x$ and $y$", "<img src=x>"])
def test_the_check_of_plots_sees_each_fault(text: str) -> None:
    """The same for plotly."""
    with pytest.raises(AssertionError):
        no_template(text)
