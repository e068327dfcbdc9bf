"""
A stand-in for the model that remedies ask: answers with sentences of the passages it is given, so that nothing it says is invented.

    with MessagesServer(remedy_reply) as server: …

A refinement corrects one finding a round: several rounds are then really needed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from ragviz.testing.messages_server import message, prompt_of
from ragviz.testing.scripted import Scripted
from ragviz.text.lexical import overlap
from ragviz.text.sentences import sentence_spans
from ragviz.text.tokens import content_tokens

DECLINES = re.compile(r"^Abstention sentence: (.*)$", re.MULTILINE)
ENOUGH = 0.34
"""Share of the question's words a sentence must hold to count as an answer."""


def material(request: Mapping[str, Any]) -> dict[str, str]:
    """What stands between boundary lines, by name: QUESTION, ``PASSAGE P1``, ANSWER, FINDINGS."""
    found = {}
    for name, body in re.findall(r"^\[\w+ BEGIN ([^\]\n]+)\]\n(.*?)\n\[\w+ END", prompt_of(request), re.MULTILINE | re.DOTALL):
        found[name if name.startswith("PASSAGE") else name.split()[0]] = body
    return found


def best_sentence(parts: Mapping[str, str], wanted: str) -> tuple[str, str] | None:
    """Label and sentence of the passage that has most of the wanted words; None when none has enough."""
    asked = dict.fromkeys(token.stem for token in content_tokens(wanted))
    rows = [
        (overlap(asked, {t.stem for t in content_tokens(span.of(body))}) or 0.0, -n, name.split()[-1], span.of(body))
        for n, (name, body) in enumerate(parts.items()) if name.startswith("PASSAGE") for span in sentence_spans(body)
    ]
    best = max(rows, default=None)
    return (best[2], best[3]) if best is not None and best[0] >= ENOUGH else None


def remedy_reply(request: Mapping[str, Any]) -> Scripted:
    """The reply to a remedy's call, by its last line."""
    parts, text = material(request), prompt_of(request)
    declines = (DECLINES.findall(text) or [""])[-1]
    order = text.rstrip().rsplit("\n", 1)[-1]
    found = best_sentence(parts, parts.get("QUESTION", ""))
    if order == "Give the claims of the answer.":
        claims = [{"text": found[1], "sources": [found[0]], "quote": found[1], "confidence": 0.9}] if found else []
        return message(json.dumps({"claims": claims, "unanswered": "" if claims else "Nothing answers it."}))
    if order == "Correct the answer.":
        return message(json.dumps({"answer": _corrected(parts, found) or declines, "changes": "Corrected one statement."}))
    answer = f"{found[1].rstrip('.')} [{found[0][1:]}]." if found else declines
    return message(json.dumps({"draft": answer, "self_check": [], "answer": answer, "uncertainty": "" if found else "No passage is about it."}))


def _corrected(parts: Mapping[str, str], found: tuple[str, str] | None) -> str:
    """The answer without the sentence of its first finding; a sentence of a passage where nothing would be left."""
    answer = parts.get("ANSWER", "")
    claim = next(iter(re.findall(r"^- (.*?): (?:no passage|contradicted)", parts.get("FINDINGS", ""), re.MULTILINE)), "")
    kept = [span.of(answer) for span in sentence_spans(answer)]
    asked = dict.fromkeys(token.stem for token in content_tokens(claim))
    worst = max(kept, key=lambda sentence: overlap(asked, {t.stem for t in content_tokens(sentence)}) or 0.0, default=None)
    kept = [sentence for sentence in kept if sentence is not worst]
    if not kept and found:
        kept = [f"{found[1].rstrip('.')} [{found[0][1:]}]."]
    return " ".join(kept)
