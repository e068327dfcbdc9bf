"""The gate on the Compare page: the same rules as on the command line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from streamlit.testing.v1 import AppTest

from ragviz.pipeline import import_files, judge_run
from ragviz.store import Store
from tests.app.five import FILE, five_cases, shown

Open = Callable[..., AppTest]


def opened(store: Store, open_at: Open, **params: str) -> AppTest:
    """The five cases against themselves, with the gate's box open."""
    five_cases(store)
    judge_run(store, import_files(store, [FILE], run_name="again").run_id, "facts")
    app = open_at("compare", run="again", base="five cases", **params)
    app.session_state["gate"] = True
    return app.run()


def failing(app: AppTest) -> list[tuple[str, str]]:
    """Case and rule of the lines that fail."""
    return [(str(case), str(rule)) for case, rule in next(d.value for d in app.dataframe if "rule" in d.value)[["case", "rule"]].to_numpy().tolist()]


def test_default_rules_name_each_case_and_metric(app_store: Store, open_at: Open) -> None:
    """Three of four rules fail for the lucky guess or the mirror; the good answer fails none."""
    app = opened(app_store, open_at)

    assert not app.exception
    assert "**Does not pass:**" in shown(app)
    cases = {case for case, _ in failing(app)}
    assert cases == {"extra_claim", "lucky_guess", "wrong_mirror", "off_topic"}
    assert ("lucky_guess", "faithfulness at least 0.95") in failing(app)


def test_rules_of_a_file_and_the_baseline(app_store: Store, open_at: Open, tmp_path: Path) -> None:
    """Nothing got worse against itself, and the mean is high enough: the candidate passes."""
    rules = tmp_path / "gate.toml"
    rules.write_text('no_regression = ["faithfulness"]\n[mean]\nfaithfulness = 0.6\n', encoding="utf-8")

    app = opened(app_store, open_at, rules=str(rules))

    assert not app.exception
    assert "**Passes.** 5 cases" in shown(app)


def test_rules_that_cannot_be_used_are_one_sentence(app_store: Store, open_at: Open, tmp_path: Path) -> None:
    """A file that is not there, one that is no TOML, one that names an unknown metric: the rest of the page stays."""
    (tmp_path / "bad.toml").write_text("[mean\n", encoding="utf-8")
    (tmp_path / "unknown.toml").write_text("[mean]\nbeauty = 1\n", encoding="utf-8")
    app = opened(app_store, open_at, rules=str(tmp_path / "none.toml"))
    sentences = [app.error[0].value]
    for name in ("bad.toml", "unknown.toml"):
        app.query_params["rules"] = str(tmp_path / name)
        sentences.append(app.run().error[0].value)

    assert not app.exception
    assert ["cannot be read" in sentences[0], "not TOML" in sentences[1], "beauty" in sentences[2]] == [True] * 3
    assert "Claims that flipped" in [s.value for s in app.header]
