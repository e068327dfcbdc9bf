"""Traces: filters, sort and page from the URL, whatever stands there."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import parse_qsl

import pytest
from streamlit.testing.v1 import AppTest

from ragviz.store import Store
from tests.app.five import five_cases, shown

Open = Callable[..., AppTest]


def test_empty_store(app_store: Store, no_samples: None, open_at: Open) -> None:
    """A sentence and a way out."""
    app = open_at("traces")

    assert not app.exception
    assert "No traces yet" in shown(app)


def test_rows_in_file_order_with_their_numbers(app_store: Store, open_at: Open) -> None:
    """Five rows; missing values are gaps, never 0."""
    five_cases(app_store)

    app = open_at("traces")
    table = app.dataframe[0].value

    assert not app.exception
    assert table["trace"].tolist() == ["good_return", "extra_claim", "lucky_guess", "wrong_mirror", "off_topic"]
    assert table["quadrant"].tolist() == ["Good", "Extra claim", "Lucky guess", "Wrong mirror", "Off-topic"]
    assert table["faithf."].tolist() == [1, 0.5, 0, 1, 1]
    assert "5 traces of 5" in shown(app)


def test_the_filter_of_a_link_is_applied_and_named(app_store: Store, open_at: Open) -> None:
    """Faithfulness below 1 leaves two of five, lowest first; the range is named and can be cleared."""
    five_cases(app_store)

    app = open_at("traces", range="faithfulness::0.999999999", sort="faithfulness")

    assert app.dataframe[0].value["trace"].tolist() == ["lucky_guess", "extra_claim"]
    assert "Only traces with faithfulness below 1" in shown(app)
    app.button(key="clear-range").click().run()
    assert "range" not in app.query_params
    assert len(app.dataframe[0].value) == 5


def test_filters_write_the_url(app_store: Store, open_at: Open) -> None:
    """A choice goes to the URL; the default leaves it clean."""
    five_cases(app_store)
    app = open_at("traces")

    app.multiselect(key="url_quadrant").set_value(["lucky_guess", "good"]).run()

    asked = app.query_params["quadrant"]
    assert sorted((asked if isinstance(asked, str) else asked[0]).split(",")) == ["good", "lucky_guess"]
    assert set(app.dataframe[0].value["quadrant"]) == {"Good", "Lucky guess"}
    app.multiselect(key="url_quadrant").set_value([]).run()
    assert "quadrant" not in app.query_params


def test_nothing_found_names_the_filters(app_store: Store, open_at: Open) -> None:
    """The words and the quadrant are named; one click clears all."""
    five_cases(app_store)

    app = open_at("traces", q="zebra", quadrant="good")

    assert "No trace passes these filters" in shown(app)
    assert "words “zebra” · quadrant good" in shown(app)
    app.button(key="clear-all").click().run()
    assert len(app.dataframe[0].value) == 5


def test_a_page_past_the_end_is_the_last_one(app_store: Store, open_at: Open) -> None:
    """A page number left over from a wider filter."""
    five_cases(app_store)

    app = open_at("traces", p="99")

    assert not app.exception
    assert len(app.dataframe[0].value) == 5


@pytest.mark.parametrize("params", [
    {"quadrant": "' OR 1=1 --", "sort": "id; DROP TABLE run", "way": "sideways", "rows": "1000000"},
    {"range": "trace_id::1", "tag": "a:b;c", "source": "../../etc/passwd"},
    {"p": "-1", "q": "\x00\x1f", "verdict": "entailed,<script>"},
    {"range": "faithfulness:nan:1.2.3;correctness:0.5:", "cause": "," * 200},
])
def test_hostile_parameters_do_no_harm(app_store: Store, open_at: Open, params: dict[str, str]) -> None:
    """What does not fit is dropped or finds nothing; no error, no traceback."""
    five_cases(app_store)

    app = open_at("traces", **params)

    assert not app.exception
    assert not app.error




def test_a_view_is_saved_opened_on_another_run_and_forgotten(app_store: Store, open_at: Open) -> None:
    """Filters and order under a name; the link carries them, the run is whichever is looked at."""
    five_cases(app_store)
    app = open_at("traces", quadrant="lucky_guess", sort="faithfulness")
    app.session_state["saved-views"] = True
    app.run()

    app.text_input(key="save-name").set_value("guesses *first*")
    next(b for b in app.button if b.label == "Save").click().run()

    assert app_store.kept("traces-view", dict[str, str]) == {"guesses *first*": {"quadrant": "lucky_guess", "sort": "faithfulness"}}
    link = next(link.proto for link in app.get("page_link") if "guesses" in link.proto.label)
    assert "quadrant=lucky_guess" in link.query_string
    assert r"\*first\*" in link.label
    next(b for b in app.button if b.label == "Forget").click().run()
    assert app_store.kept("traces-view", dict[str, str]) == {}


def test_the_traces_that_pass_are_judged_with_the_price_first(app_store: Store, open_at: Open) -> None:
    """Five cases through `facts`; `local` has not seen the one lucky guess, and only that is judged."""
    five_cases(app_store)
    app = open_at("traces", quadrant="lucky_guess")
    app.session_state["judge-these"] = True
    app.run()
    app.selectbox(key="these-judge").set_value("facts").run()
    assert "0 traces of 1 not judged by it yet" in shown(app)
    assert app.button(key="judge-these-go").disabled

    app.selectbox(key="these-judge").set_value("local").run()

    assert not app.exception
    assert "1 trace of 1 not judged by it yet" in shown(app)
    assert app.button(key="judge-these-go").label == "Judge 1 trace"


def test_days_come_from_the_url(app_store: Store, open_at: Open) -> None:
    """No time in the file: nothing passes, the days are named, and can be cleared."""
    five_cases(app_store)

    app = open_at("traces", since="2026-01-01", until="2026-01-31")

    assert "time from 2026-01-01 · time to 2026-01-31" in shown(app).replace("\\", "")
    app.button(key="clear-range").click().run()
    assert len(app.dataframe[0].value) == 5


def test_the_list_can_be_gone_through_with_the_keyboard(app_store: Store, open_at: Open) -> None:
    """
    A link to the first row with filter and order, and the run, so that it leads there when newer runs have come: the buttons inside the table
    take clicks only.
    """
    view = five_cases(app_store)
    app = open_at("traces", quadrant="lucky_guess,off_topic", sort="faithfulness", way="down")
    (link,) = [link.proto for link in app.get("page_link") if link.proto.label.startswith("Go through these")]

    first = next(d.value for d in app.dataframe if "trace" in d.value)["trace"].tolist()[0]
    assert link.page == "inspector"
    assert dict(parse_qsl(link.query_string)) == {
        "run": view.run_id,
        "trace": first,
        "quadrant": "lucky_guess,off_topic",
        "sort": "faithfulness",
        "way": "down",
    }
