"""The words a reader may not know, each explained once, for pages, reports and the command line alike."""

from __future__ import annotations

from types import MappingProxyType

OFF_TOPIC = "Does not answer what was asked: it speaks of something else. Checked first."
"""With a reference and without."""

QUADRANT_MEANINGS: MappingProxyType[str, tuple[str, str]] = MappingProxyType({
    "good": ("Good", "Right, and every claim is supported."),
    "extra_claim": ("Extra claim", "Right, plus additions nobody can check."),
    "lucky_guess": ("Lucky guess", "Right, but what was retrieved does not support it."),
    "fabrication": ("Fabrication", "Wrong, and what was retrieved does not support it."),
    "wrong_mirror": ("Wrong mirror", "Faithful to what was retrieved, yet the reference disagrees. That a source is wrong is inferred from this; the cause says whether one was shown to be."),
    "off_topic": ("Off-topic", OFF_TOPIC),
    "abstained": ("Abstained", "Makes no claim: the answer declines."),
    "unknown": ("Unknown", "A figure is missing: no verdict, no reference, or no relevance."),
})
"""Label and meaning, in the order shown."""

STANDING_MEANINGS: MappingProxyType[str, tuple[str, str]] = MappingProxyType({
    "grounded": ("Grounded", "Every claim is supported by what was retrieved; whether it is right cannot be told."),
    "partly_grounded": ("Partly grounded", "Most claims are supported, some are not."),
    "not_grounded": ("Not grounded", "Most claims have no support."),
    "off_topic": ("Off-topic", OFF_TOPIC),
    "abstained": ("Abstained", "Makes no claim: the answer declines."),
    "unknown": ("Unknown", "Faithfulness or relevance is missing."),
})
"""The same without a reference."""

CAUSE_MEANINGS: MappingProxyType[str, str] = MappingProxyType({
    "generator_added": "The answer adds something that no passage says.",
    "retrieval_missed": "What was needed was not retrieved.",
    "generator_ignored": "What was needed was retrieved; the answer does not use it.",
    "source_wrong": "The passage that was followed is wrong, outdated or contested.",
    "ranked_below_k": "What was needed was retrieved, but below the passages that count.",
    "judge_undecided": "The judge gave no verdict.",
    "unknown": "The file does not hold what it takes to tell.",
})
"""What each cause blames."""

BLAMED = tuple(name for name in CAUSE_MEANINGS if name != "unknown")
"""The causes that blame somebody: counted on the Overview and in the report. ``none`` and ``unknown`` blame nobody."""

BELIEVED: MappingProxyType[str, str] = MappingProxyType({
    "local": "How far to believe it: the judge local compares words, figures, names and negations. On realistic claims that say a passage in other words its balanced accuracy was 0.56 to 0.58, "
             "where a coin has 0.50; it is better where answers keep the words of their passages. Read the quote before acting on a verdict.",
})
"""By judge: one calm word on what its verdicts are worth, from docs/JUDGES.md."""
STRONGER = "Judge again with one that reads (anthropic, nli, cascade), or label a sample on the Judges page."


def believed(judge: str) -> str:
    """What to know of a judge before believing it; "" where nothing is to be said. ``judge``: its name, or anything that begins with it."""
    return BELIEVED.get(judge.split(":", maxsplit=1)[0].split(" ", maxsplit=1)[0], "")


TERMS: MappingProxyType[str, str] = MappingProxyType({
    "macro": "Macro: the mean over answers; a short answer weighs as much as a long one.",
    "micro": "Micro: all claims in one pot; a long answer weighs more.",
    "interval": "95 % interval: a range made in this way holds the true figure about 19 times out of 20.",
    "coverage": "Coverage: the share of claims or answers that could be judged. What could not is left out, not counted as 0.",
    "holm": "p (Holm): how likely such a difference is by chance alone, raised because several differences are looked at together (Holm's correction). Below 0.05 counts as real.",
    "policy": "Policy: how refusals, conflicts and unjudged claims count. The verdicts stay the same; only the convention of counting changes.",
    "judge": "Judge: whose verdicts are shown. A person's word comes before any judge's.",
    "claim": "Claim: one statement of the answer that can be checked on its own.",
    "relevance": "Relevance: whether the answer speaks of what was asked, not whether it is right: a wrong value of the right thing is relevant.",
    "threshold": "Threshold: a score at or above it counts as high. Moving it moves answers between quadrants; no verdict changes.",
    "mix": "Mix of questions: how the kinds of questions are shared out. Another mix can move every mean although no answer got better or worse.",
    "unjudged": "Unjudged: the judge failed or would not decide. Never counted as right or wrong.",
})
"""Other terms."""

QUADRANTS_EXPLAINED = "  \n".join(f"**{label}**: {meaning}" for label, meaning in QUADRANT_MEANINGS.values())
"""All quadrants as Markdown lines, for a hint."""

FAILING_EXPLAINED = "**Failing** are extra claims, lucky guesses, fabrications, wrong mirrors and off-topic answers; of those in no quadrant, the ones with a claim that fails."
"""What is counted as a failing answer, for the same hint."""
