"""Overview: the right numbers, and each number opens what it counts."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qsl

import msgspec
import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Block

from ragviz.diagnosis.meanings import STANDING_MEANINGS
from ragviz.diagnosis.quadrants import Thresholds
from ragviz.pipeline import import_files, judge_run
from ragviz.pipeline.briefing import brief
from ragviz.pipeline.comparing import Seen
from ragviz.records import Policy
from ragviz.reports.briefing import briefing_html
from ragviz.store import Store
from ragviz.ui import filters
from ragviz.ui.views import sharing
from ragviz.ui.views.quadrants_numbers import Mode, cell_filter
from tests.app.five import FILE, five_cases, shown
from tests.browser.scenario import a_rich_case
from tests.stored import fill, renamed

Open = Callable[..., AppTest]


def test_empty_store_says_what_to_do(app_store: Store, no_samples: None, open_at: Open) -> None:
    """No run: a sentence and two buttons, one of them primary."""
    app = open_at("overview")

    assert not app.exception
    assert "No traces yet" in shown(app)
    assert [b.label for b in app.button] == ["Load a file", "Try the sample traces"]


def test_headline_numbers_of_the_five_cases(app_store: Store, open_at: Open) -> None:
    """Faithfulness (1 + 1/2 + 0 + 1 + 1) / 5; 2 of 6 claims without support; correctness (1 + 2/3 + 1 + 0 + 0) / 5; relevance (1 + 2/3 + 1 + 1 + 0) / 5."""
    five_cases(app_store)

    app = open_at("overview")

    assert not app.exception
    assert [(m.label, m.value) for m in app.metric] == [
        ("Faithfulness", "0.700"),
        ("Hallucination", "33.3\u00a0%"),
        ("Correctness", "0.533"),
        ("Relevance", "0.733"),
        ("Recall@5", "0.600"),
        ("Abstained", "0"),
    ]
    assert "4 failing of 5" in shown(app)


@pytest.mark.parametrize("policy", [Policy.DEFAULT, Policy.STRICT])
def test_every_counted_link_opens_that_many_traces(app_store: Store, open_at: Open, policy: Policy) -> None:
    """"2 traces below 1" opens two traces, under each policy."""
    view = msgspec.structs.replace(five_cases(app_store), policy=policy)
    app = open_at("overview", **({} if policy is Policy.DEFAULT else {"policy": policy.value}))
    links = [link.proto for link in app.get("page_link") if link.proto.page == "traces"]
    checked = 0

    for link in links:
        n = re.match(r"\*{0,2}([\d,]+)", link.label)
        where = filters.from_params(dict(parse_qsl(link.query_string)))
        if n:
            checked += 1
            assert int(n.group(1).replace(",", "")) == app_store.count(view, where), link.label
    assert checked >= 12


def test_a_missing_reference_is_a_dash_not_a_zero(app_store: Store, open_at: Open) -> None:
    """Without references there is no correctness; the page says how many traces lack one."""
    case = a_rich_case()
    bare = msgspec.structs.replace(
        case, trace=msgspec.structs.replace(case.trace, reference=None), claims=tuple(c for c in case.claims if c.side == "response"),
        judgements=tuple(j for j in case.judgements if j.key.table == "response_x_passages"),
    )
    fill(app_store, bare)

    app = open_at("overview")

    assert not app.exception
    assert {m.label: m.value for m in app.metric}["Correctness"] == "–"
    assert "**1** without a reference" in shown(app)


def test_without_quadrants_a_trace_fails_by_its_claims_and_is_listed_once(app_store: Store, open_at: Open) -> None:
    """Two answers with a contradicted and an unsupported claim, one with an unsupported claim only: all three fail, each belongs to its worst claim's kind."""
    case = a_rich_case()
    bare = msgspec.structs.replace(
        case, trace=msgspec.structs.replace(case.trace, reference=None), claims=tuple(c for c in case.claims if c.side == "response"),
        judgements=tuple(j for j in case.judgements if j.key.table == "response_x_passages"),
    )
    only = {c.id for c in bare.claims if c.text.startswith("Gift cards")}
    mild = msgspec.structs.replace(
        bare, claims=tuple(c for c in bare.claims if c.id in only), judgements=tuple(j for j in bare.judgements if j.key.claim_id in only)
    )
    fill(app_store, bare, renamed(bare, "second"), renamed(mild, "mild"))

    app = open_at("overview")
    table = next(t.value for t in app.dataframe if "worst claim" in t.value.columns)

    assert not app.exception
    assert "3 failing of 3, 3 in no quadrant" in shown(app)
    assert list(zip(table["kind"], table["pattern" if "pattern" in table else "alike"], strict=True)) == [
        ("Contradicted claim", "2 alike"),
        ("Not supported claim", "1 alike"),
    ]


def test_comparing_with_another_run(app_store: Store, open_at: Open) -> None:
    """The same questions twice: every difference is 0 and within noise."""
    five_cases(app_store)
    view = five_cases_again(app_store)

    app = open_at("overview", run="five cases", base=view)

    assert not app.exception
    assert shown(app).count("0.000, within noise") >= 4
    assert "0.0 points, within noise" in shown(app)


def five_cases_again(store: Store) -> str:
    """A second run of the same file under another name; its id."""
    report = import_files(store, [FILE], run_name="five cases before")
    judge_run(store, report.run_id, "facts")
    return report.run_id


def test_share_writes_the_report_of_this_view(app_store: Store, open_at: Open) -> None:
    """The file holds the page's numbers, and what changed since the run that is compared with."""
    view = five_cases(app_store)
    five_cases_again(app_store)
    base = msgspec.structs.replace(view, run_id=app_store.run("five cases before").run_id)

    app = open_at("overview", run="five cases", base=base.run_id)

    assert not app.exception
    assert {"Web page, to mail or print", "Markdown"} <= {b.label for b in app.get("download_button")}
    page = sharing.make(app_store, view, base, briefing_html).decode()
    assert "<b>33 %</b>" in page
    assert "What changed since five cases before" in page


class TestTour:
    def test_is_shown_at_first_and_stays_away_once_dismissed(self, app_store: Store, open_at: Open) -> None:
        """The store remembers; the next visitor of this store is not asked again."""
        five_cases(app_store)
        app = open_at("overview")
        assert "1 · The run" in shown(app)

        app = app.button(key="tour-done").click().run()
        assert "1 · The run" not in shown(app)
        assert "1 · The run" not in shown(open_at("overview"))

    def test_comes_back_when_it_is_asked_for(self, app_store: Store, open_at: Open) -> None:
        """The link at the foot of the sidebar carries ``tour``; its second step opens an answer that fails."""
        five_cases(app_store)
        app_store.keep("tour", "seen", True)
        app = open_at("overview", tour="1")

        assert "1 · The run" in shown(app)
        assert any("tour=1" in link.proto.query_string for link in app.get("page_link") if link.proto.label.startswith("Guided tour"))
        assert any(link.proto.label.startswith("Open a failing answer") and "trace=" in link.proto.query_string for link in app.get("page_link"))

    def test_a_run_without_verdicts_points_at_no_trace(self, app_store: Store, open_at: Open) -> None:
        """Nothing has failed yet: the step has no link, and nothing breaks."""
        import_files(app_store, [FILE], run_name="unjudged")
        app = open_at("overview")

        assert not app.exception
        assert not [link for link in app.get("page_link") if link.proto.label.startswith("Open a failing answer")]


@pytest.mark.usefixtures("no_samples")
def test_what_comes_and_goes_shifts_nothing(app_store: Store, open_at: Open) -> None:
    """The cards stand at the same place whether the run is judged, being judged or neither: else old cards stay beside the new while these are drawn."""
    def place(app: AppTest) -> list[int]:
        return [at for at, block in app.main.children.items() if isinstance(block, Block) and "Faithfulness" in [m.label for m in block.get("metric")]]

    run_id = import_files(app_store, [FILE]).run_id
    before = place(open_at("overview"))
    judge_run(app_store, run_id, "facts")

    assert before == place(open_at("overview"))
    assert len(before) == 1


@pytest.mark.usefixtures("no_samples")
def test_what_changed_leads_to_the_answers_that_did(app_store: Store, open_at: Open) -> None:
    """With another run beside it the cards say by how much; the link below opens both on Compare. Without one there is no such link."""
    view = five_cases(app_store)
    base = judge_run(app_store, import_files(app_store, [FILE], run_name="before").run_id, "facts").view

    def links(**params: str) -> list[dict[str, str]]:
        return [
            dict(parse_qsl(link.proto.query_string))
            for link in open_at("overview", run=view.run_id, **params).get("page_link")
            if "that changed since" in link.proto.label
        ]

    assert links(base=base.run_id) == [{"run": view.run_id, "base": base.run_id}]
    assert links() == []


def test_a_run_without_answers_is_not_called_unjudged(app_store: Store, open_at: Open, tmp_path: Path) -> None:
    """Looked through, and nothing to judge in it: said, and nothing counted as abstained."""
    (tmp_path / "f.jsonl").write_text(
        '{"question": "Who?", "contexts": ["Ada."]}\n{"question": "When?", "contexts": ["In 1843."], "answer": null}\n', encoding="utf-8"
    )
    run = import_files(app_store, [tmp_path / "f.jsonl"]).run_id
    judge_run(app_store, run)

    app = open_at("overview", run=run)

    assert not app.exception
    assert "No answers." in shown(app)
    assert "Not judged yet" not in shown(app)
    assert [m.value for m in app.metric if m.label == "Abstained"] == ["0"]
    assert "not known of 2 traces" in shown(app)
    assert "every question answered" not in shown(app)


def test_claims_that_fail_without_a_reference_are_looked_at_first(app_store: Store, open_at: Open, tmp_path: Path) -> None:
    """No quadrant without an expected answer, but a contradicted claim is a failure all the same."""
    rows = [
        {"question": "How long?", "answer": "The warranty is five years.", "contexts": ["The warranty is two years."]},
        {"question": "How heavy?", "answer": "It weighs 3 kg.", "contexts": ["It weighs 3 kg."]},
    ]
    (tmp_path / "f.jsonl").write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    run = import_files(app_store, [tmp_path / "f.jsonl"]).run_id
    judge_run(app_store, run)

    app = open_at("overview", run=run)

    assert not app.exception
    assert "1 failing of 2, 2 in no quadrant" in shown(app)
    table = next(d.value for d in app.dataframe if "worst claim" in d.value)
    assert table[["kind", "question", "cause"]].to_numpy().tolist() == [["Contradicted claim", "How long?", "Generator added"]]


def test_without_references_it_says_what_the_quadrants_page_says(app_store: Store, open_at: Open, tmp_path: Path) -> None:
    """Grounded and not, with counts that the Quadrants page, the report and their links have too."""
    rows = [
        {"question": f"How long is kind {n} kept?", "answer": f"Kind {n} is kept {30 if n % 2 else 90} days.", "passages": [f"Kind {n} is kept 30 days."]}
        for n in range(4)
    ]
    (tmp_path / "bare.json").write_text(json.dumps(rows), encoding="utf-8")
    run = import_files(app_store, [tmp_path / "bare.json"], run_name="bare").run_id
    view = judge_run(app_store, run, "local").view
    said = brief(Seen(app_store, view)).standings
    overview, page = open_at("overview", run="bare"), open_at("quadrants", run="bare")

    assert said is not None
    assert (said["grounded"], sum(said.values())) == (2, 4)
    assert "whether an answer is right" in shown(overview)
    pills = next(b for b in page.button_group if b.key == "url_cell")
    assert pills.options == [f"{STANDING_MEANINGS[name][0]} **{n}**" for name, n in said.items()]
    for name, n in said.items():
        where = cell_filter(name, Thresholds(), Mode.NO_REFERENCE)
        assert app_store.count(view, where) == n
    # The rows of Traces and the Inspector's strip use the same words.
    rows = open_at("traces", run="bare").dataframe[0].value
    assert {label: rows["quadrant"].tolist().count(label) for label, _ in STANDING_MEANINGS.values()} == {
        STANDING_MEANINGS[name][0]: n for name, n in said.items()
    }
    for trace_id, label in zip(rows["trace"], rows["quadrant"], strict=True):
        viewer = json.loads(open_at("inspector", run="bare", trace=trace_id).get("bidi_component")[0].proto.bytes)
        assert next(value for name, value, *_ in viewer["scores"] if name == "diagnosis") == label
    assert "Unknown" not in briefing_html(brief(Seen(app_store, view)))
