"""The frame around every page: navigation, logo, and the scope (run, judge, policy) that all pages share."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from ragviz.errors import RagvizError
from ragviz.ui import callbacks, login, presses, resources, samples, scope, selection, style, tabs, tour, written

_PASSED_THROUGH_APP = "_rv_app"


@dataclass(frozen=True)
class PageInfo:
    """One entry of the navigation."""

    name: str
    title: str
    section: str
    icon: str


PAGES = (
    PageInfo("overview", "Overview", "Failures", ":material/bar_chart:"),
    PageInfo("quadrants", "Quadrants", "Failures", ":material/grid_view:"),
    PageInfo("traces", "Traces", "Failures", ":material/notes:"),
    PageInfo("inspector", "Inspector", "Failures", ":material/search:"),
    PageInfo("retrieval", "Retrieval", "Causes", ":material/filter_alt:"),
    PageInfo("citations", "Citations", "Causes", ":material/format_quote:"),
    PageInfo("sources", "Sources", "Causes", ":material/description:"),
    PageInfo("compare", "Compare", "Change", ":material/swap_vert:"),
    PageInfo("trends", "Trends", "Change", ":material/show_chart:"),
    PageInfo("lab", "Lab", "Change", ":material/science:"),
    PageInfo("judges", "Judges", "Trust", ":material/balance:"),
    PageInfo("data", "Data", "Set-up", ":material/database:"),
)
"""In the order of the navigation; a page appears when its file exists."""


def run_app(app_file: str) -> None:
    """
    The whole of ``app.py``: set up the frame, then run the chosen page.

    Args:
        app_file: ``__file__`` of the entry point; ``pages/`` lies beside it.
    """
    _configure()
    callbacks.let_finish()
    folder = Path(app_file).resolve().parent / "pages"
    pages = {info.name: st.Page(folder / f"{info.name}.py", title=info.title, icon=info.icon) for info in PAGES if (folder / f"{info.name}.py").is_file()}
    sections: dict[str, list[st.Page]] = {}
    for info in PAGES:
        if info.name in pages:
            sections.setdefault(info.section, []).append(pages[info.name])
    # Hidden, and drawn by _menu: Streamlit's own menu drops the query parameters, and putting them back would leave a second entry in the history.
    page = st.navigation(sections, position="hidden")
    style.apply()
    if not login.admit():
        return
    st.session_state[_PASSED_THROUGH_APP] = True
    _arrive(pages, here=next((name for name, listed in pages.items() if listed.title == page.title), page.title))
    resources.begin()
    try:
        samples.ensure(folder.parent / "sample_traces")
        selection.recall_scope()
        resources.choose_run()
        _menu(sections)
        scope.draw()
        scope.progress()
        age = st.sidebar.empty()
        tour.draw_link()
        login.draw_sign_out()
    except RagvizError as exc:
        # Without a store no page has anything to say; st.error instead of a page keeps the sentence readable.
        st.error(f"{exc.message}  \n{exc.fix}")
        return
    scope.tell_of_a_gone_run()
    page.run()
    presses.forget()
    tabs.let_go_of_gone_widgets()
    at = resources.as_of()
    if at is not None:
        age.caption(f"Some numbers here are as of {at:%H:%M:%S} UTC: something is being written to the store, and newer ones follow.")


def _menu(sections: dict[str, list[st.Page]]) -> None:
    """Links to all pages, each with the scope: also what "open in a new tab" needs."""
    names = {info.title: info.name for info in PAGES}
    with st.sidebar, st.container(key="menu", gap=None):
        for section, pages in sections.items():
            st.caption(section)
            for page in pages:
                st.page_link(page, query_params=selection.link_to(names[page.title]))


def require_app(name: str) -> None:
    """
    First statement of every page: come back through ``app.py`` if this session has not been there.

    On a fresh server Streamlit runs a deep-linked ``pages/*.py`` directly until some session has called ``st.navigation``;
    then there would be no frame, no scope and no wide layout. The query parameters survive the detour.
    """
    if not st.session_state.get(_PASSED_THROUGH_APP):
        _configure()
        st.switch_page("app.py", query_params={**st.query_params.to_dict(), written.WANTED_PAGE: name})


def _configure() -> None:
    """Also before the detour: the browser takes the width of the sidebar from the first run only."""
    st.set_page_config(page_title="ragviz", page_icon=style.FAVICON, layout="wide", initial_sidebar_state=220)


def _arrive(pages: dict[str, st.Page], *, here: str) -> None:
    """Second half of the detour, and where a link to the page that is shown already leads: only names out of ``pages`` are followed."""
    if written.WANTED_PAGE not in st.query_params:
        written.arrive(here)
        return
    rest = st.query_params.to_dict()
    wanted = rest.pop(written.WANTED_PAGE)
    if wanted in pages and wanted != here:
        st.switch_page(pages[wanted], query_params=rest)
    written.arrive(here, by_link=True)
    written.change({written.WANTED_PAGE: None})
