"""Scores by other tools, in words."""

from __future__ import annotations

from ragviz.records import ImportedScore
from ragviz.ui.views.inspector_scores import rows


def test_a_score_says_whose_it_is_and_why_it_is_missing() -> None:
    """The file's own, one that Ragas was asked for, and one it could not give; hidden characters are shown."""
    made = {"library": "ragas 0.4.3", "metric": "Faithfulness", "model": "m", "provider": "openai"}
    found = rows([
        ImportedScore(name="bleu", value=0.25, label="pass"),
        ImportedScore(name="faithfulness", value=None, label="failed", reason="the service answered 529", made_with=made),
        ImportedScore(name="x\u202ey", value=1.0),
    ])

    assert [row["value"] for row in found] == ["0.250", "–", "1.000"]
    assert [row["remark"] for row in found] == ["pass", "failed: the service answered 529", ""]
    assert [row["made with"] for row in found] == ["the file", "ragas 0.4.3, m, provider openai", "the file"]
    assert "\u202e" not in found[2]["score"]
