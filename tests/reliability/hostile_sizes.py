"""Texts that make careless code slow, and everything that reads or writes a text: for ``benchmarks/speed_hostile.py`` and ``test_hostile_sizes.py``."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable

from ragviz.claims import extractors
from ragviz.consistency.checking import check
from ragviz.evidence import injection, near_quotes, quotes, select, windows
from ragviz.evidence.attribution import attribute_citations
from ragviz.figures import highlight, plot_text
from ragviz.grounding.resolve import groundings
from ragviz.judges.hosted_reply import read_reply
from ragviz.judges.local import LocalJudge
from ragviz.loaders import read
from ragviz.records import Claim, JudgedTrace, Pair, PairKey, Passage, Side, Table, Trace
from ragviz.reports.case import case_html
from ragviz.text import citation_marks, dates, idle, markup, names, normalize, quantities, redaction, refusals, sentences, tokens
from ragviz.text.cells import safe_cell
from ragviz.ui.linked_text.content import Frame, build

SHAPES: dict[str, str] = {
    "one line": "The item can be returned within 30 days and ", "citations": "Fact [1]. ", "citations alone": "[1]", "one word again": "na ", "one letter": "a", "brackets": "[",
    "parentheses": "(", "digits": "1 ", "commas": "a, ", "stars": "*", "table": "|a", "spaces": " ", "initials": "A B. ", "list": "\n- a", "dashes": "-", "quotes": '"',
    "open citation": "[1, ", "dates": "1 May ", "backticks": "`", "headings": "# ", "tags": "<a ", "addresses": "http://a.", "names": "A and B ", "dots": ".", "not": "not ", "mail": "a@",
    "sentences": "It is so. ", "flags": "\U0001f3f4\U000e0067\U000e0062\U000e007f", "hidden": "a\u200b", "no spaces": "未開封。", "marks": "a\u0301", "line ends": "\r\n", "braces": '{"a":', "reply": '{"claims":[', "phones": "+49 30 1234567",
    "numbers": "1,", "units": "5 kg ", "columns": "|1|2|\n", "footnotes": "[^1]: a\n", "sources": "\n[1] a", "clauses": "it is, and ", "emphasis": "**a* ", "lines": "a\n",
}
CLAIM = "The item can be returned within 30 days"
HIDER = redaction.Redactor(redaction.rules_of(["emails", "phones"]), key=b"")
JUDGE = LocalJudge(embeddings=False)


def trace(response: str, passage: str = CLAIM) -> Trace:
    """An answer with one passage."""
    return Trace(id="t", question="?", response=response, passages=(Passage(id="p", text=passage, rank=1),))


def claims_of(response: str) -> list[Claim]:
    """Its claims by rules."""
    return extractors.make("rules").extract([trace(response)], side=Side.RESPONSE)[0]


def judged(text: str) -> JudgedTrace:
    """The text as answer and as passage, judged; of many claims some, because a judge's work grows with claims × passage by its nature."""
    some = tuple(claims_of(text)[:4])
    said = JUDGE.judge([Pair(key=PairKey(Table.RESPONSE_X_PASSAGES, "t", c.id, "p"), premise=text, hypothesis=c.text[:400]) for c in some])
    return JudgedTrace(trace=trace(text, text), claims=some, judgements=tuple(said))


def viewer(text: str) -> object:
    """What the Inspector sends to the browser: every claim and citation of the answer, cut out of it."""
    case = JudgedTrace(trace=trace(text, text), claims=tuple(claims_of(text)))
    return build(case, groundings(case, Table.RESPONSE_X_PASSAGES), citation_marks.resolve_citations(case.trace), Frame())


def file_of(text: str, kind: str) -> bytes:
    """A file with that text in it."""
    if kind == "json":
        return json.dumps({"question": "?", "response": text, "contexts": [text]}).encode()
    if kind == "csv":
        out = io.StringIO()
        csv.writer(out).writerows([["question", "answer", "contexts"], ["?", text, json.dumps([text])]])
        return out.getvalue().encode()
    return text.encode()


def load(text: str, kind: str) -> object:
    """Read such a file."""
    return list(read(io.BytesIO(file_of(text, kind)), filename=f"x.{kind}"))


READERS: dict[str, Callable[[str], object]] = {
    "citations": lambda t: citation_marks.resolve_citations(trace(t)), "sentences": sentences.sentence_spans, "refusals": refusals.refusal_sentences, "tokens": tokens.tokens,
    "folding": normalize.fold, "names": names.names, "quantities": quantities.quantities, "dates": dates.dates, "markup": markup.markup,
    "claims": claims_of, "quote": lambda t: quotes.find_quote(t[:200], "x" + t),
    "near quote": lambda t: near_quotes.find_near(("zz" + t)[:300], t), "alarm": lambda t: (injection.may_address_judge(t), injection.addresses_judge(t)),
    "index": windows.index_premise, "evidence": lambda t: select.best_evidence(CLAIM, t), "checks": lambda t: check(CLAIM, t), "reveal": highlight.reveal, "idle": idle.is_idle,
    "redaction": HIDER.text, "hidden words": lambda t: HIDER.without(t, HIDER.words([t])), "attribution": lambda t: attribute_citations(claims_of(t), citation_marks.resolve_citations(trace(t)), t),
    "judge": judged, "viewer": viewer, "one-file case": lambda t: case_html(judged(t), run="r", judge="local"), "reply": lambda t: read_reply(t, ("c1",)), "json file": lambda t: load(t, "json"),
    "csv file": lambda t: load(t, "csv"), "text file": lambda t: load(t, "txt"), "plot": plot_text.plain, "cell": safe_cell,
}
