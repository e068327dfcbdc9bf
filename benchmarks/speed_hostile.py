"""
Texts that make careless code slow, through everything that reads a text: CPU time at two lengths, and how it grows.

A growth near the factor of the length (4) is linear; one near its square (16) is a fault. ``python benchmarks/speed_hostile.py [LENGTH]``.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

from ragviz.claims import extractors
from ragviz.consistency.checking import check
from ragviz.evidence import injection, near_quotes, quotes, select, windows
from ragviz.figures import highlight
from ragviz.records import Passage, Side, Trace
from ragviz.text import citation_marks, dates, idle, markup, names, normalize, quantities, redaction, refusals, sentences, tokens

FACTOR = 4
FAULT = 9.0
SHAPES: dict[str, str] = {
    "one line": "The item can be returned within 30 days and ", "citations": "Fact [1]. ", "citations alone": "[1]", "one word again": "na ", "one letter": "a", "brackets": "[",
    "parentheses": "(", "digits": "1 ", "commas": "a, ", "stars": "*", "table": "|a", "spaces": " ", "initials": "A B. ", "list": "\n- a", "dashes": "-", "quotes": '"',
    "open citation": "[1, ", "dates": "1 May ", "backticks": "`", "headings": "# ", "tags": "<a ", "addresses": "http://a.", "names": "A and B ", "dots": ".", "not": "not ", "mail": "a@",
}
CLAIM = "The item can be returned within 30 days"
HIDER = redaction.Redactor(redaction.rules_of(["emails", "phones"]), key=b"")


def trace(response: str) -> Trace:
    return Trace(id="t", question="?", response=response, passages=(Passage(id="p", text=CLAIM, rank=1),))


READERS: dict[str, Callable[[str], object]] = {
    "citations": lambda t: citation_marks.resolve_citations(trace(t)), "sentences": sentences.sentence_spans, "refusals": refusals.refusal_sentences, "tokens": tokens.tokens,
    "folding": normalize.fold, "names": names.names, "quantities": quantities.quantities, "dates": dates.dates, "markup": markup.markup,
    "claims": lambda t: extractors.make("rules").extract([trace(t)], side=Side.RESPONSE), "quote": lambda t: quotes.find_quote(t[:200], "x" + t),
    "near quote": lambda t: near_quotes.find_near(("zz" + t)[:300], t), "alarm": lambda t: (injection.may_address_judge(t), injection.addresses_judge(t)),
    "index": windows.index_premise, "evidence": lambda t: select.best_evidence(CLAIM, t), "checks": lambda t: check(CLAIM, t), "reveal": highlight.reveal, "idle": idle.is_idle,
    "redaction": HIDER.text,
}


def seconds(read: Callable[[str], object], text: str) -> float:
    began = time.process_time()
    read(text)
    return time.process_time() - began


def main() -> None:
    length = int(sys.argv[1]) if len(sys.argv) > 1 else 12_000
    faults = 0
    print(f"{'reader':<12} {'slowest shape':<16} {'s at ' + str(length * FACTOR):>12}   {'worst growth':<16} ×")
    for name, read in READERS.items():
        read(CLAIM)
        found = []
        for shape, unit in SHAPES.items():
            short, long = ((unit * (n // len(unit) + 1))[:n] for n in (length, length * FACTOR))
            first, second = seconds(read, short), seconds(read, long)
            found.append((second, second / max(first, 0.01), shape))
        slow, grows = max(found), max(found, key=lambda f: f[1])
        faults += grows[1] > FAULT
        print(f"{name:<12} {slow[2]:<16} {slow[0]:>12.2f}   {grows[2]:<16} {grows[1]:.1f}")
    raise SystemExit(f"{faults} readers grow faster than the text" if faults else 0)


if __name__ == "__main__":
    main()
