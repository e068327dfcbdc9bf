"""
A TruLens store with the traces of ``peer_traces``, and what writing them costs; the last line is JSON.

    Arguments: the SQLite file to make, how many records, and how many passages there are. The first records go TruLens' own way: an instrumented app and three
    local metrics over five
contexts, computed by TruLens. What that stored, thirteen events or so a record, is repeated for the others with their own texts, through its
``insert_events``: the fastest way in that it has, and without the seconds of its own evaluation.
"""

from __future__ import annotations

import argparse
import copy
import json
import os
import re
import sys
import time
import uuid
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from peer_traces import rows

OWN = 20
BATCH = 100


class App:
    """Answers from the traces."""

    def __init__(self, found: dict[str, dict[str, object]]) -> None:
        self.found = found


def instrumented() -> type[App]:
    from trulens.core.otel.instrument import instrument
    from trulens.otel.semconv.trace import SpanAttributes

    class Rag(App):
        @instrument(span_type=SpanAttributes.SpanType.RETRIEVAL, attributes=lambda ret, exc, *args, **kwargs: {  # noqa: ARG005
            SpanAttributes.RETRIEVAL.QUERY_TEXT: kwargs.get("query", args[1] if len(args) > 1 else ""), SpanAttributes.RETRIEVAL.RETRIEVED_CONTEXTS: ret,
        })
        def retrieve(self, query: str) -> list[str]:
            return [p["text"] for p in self.found[query]["passages"]]

        @instrument(span_type=SpanAttributes.SpanType.GENERATION)
        def generate(self, query: str, contexts: list[str]) -> str:  # noqa: ARG002
            return self.found[query]["response"]

        @instrument()
        def ask(self, query: str) -> str:
            return self.generate(query, self.retrieve(query))

    return Rag


def overlap(one: str, other: str) -> float:
    """Share of words in common."""
    a, b = set(one.lower().split()), set(other.lower().split())
    return len(a & b) / max(1, len(a))


def groundedness(source: str, statement: str) -> float:
    return overlap(statement, str(source))


def context_relevance(question: str, context: str) -> float:
    return overlap(question, context)


def answer_relevance(prompt: str, response: str) -> float:
    return overlap(prompt, response)


def own_way(session: object, some: list[dict[str, object]]) -> float:
    from trulens.apps.app import TruApp
    from trulens.core import Metric, Selector

    metrics = [
        Metric(
            implementation=groundedness,
            name="Groundedness",
            selectors={"source": Selector.select_context(collect_list=True), "statement": Selector.select_record_output()},
        ),
        Metric(
            implementation=context_relevance,
            name="Context Relevance",
            selectors={"question": Selector.select_record_input(), "context": Selector.select_context(collect_list=False)},
        ),
        Metric(
            implementation=answer_relevance,
            name="Answer Relevance",
            selectors={"prompt": Selector.select_record_input(), "response": Selector.select_record_output()},
        ),
    ]
    rag = instrumented()({row["question"]: row for row in some})
    begin = time.process_time()
    recorder = TruApp(rag, app_name="peer", app_version="r0", feedbacks=metrics, main_method=rag.ask)
    for row in some:
        with recorder:
            rag.ask(row["question"])
    session.force_flush()
    recorder.compute_feedbacks()
    session.force_flush()
    return time.process_time() - begin


def stored(session: object) -> list[object]:
    """All events that are in the store, as TruLens' own objects."""
    from trulens.core.schema.event import Event, EventRecordType

    database = session.connector.db
    with database.session.begin() as db:
        found = [
            {
                name: copy.deepcopy(getattr(e, name))
                for name in ("event_id", "record", "record_attributes", "record_type", "resource_attributes", "start_timestamp", "timestamp", "trace")
            }
            for e in db.query(database.orm.Event).order_by(database.orm.Event.start_timestamp)
        ]
    return [Event(**(one | {"record_type": EventRecordType(one["record_type"])})) for one in found]


class Template:
    """The events of one record, cut at its ids and texts, so that those of other records can be put there."""

    def __init__(self, events: list[object], row: dict[str, object]) -> None:
        self._events = events
        plain = json.dumps([[e.event_id, e.record, e.record_attributes, e.trace] for e in events])
        texts = [json.dumps(text)[1:-1] for text in self.texts(row)]
        ids = {str(e.record_attributes[key]) for e in events for key in e.record_attributes if key.endswith("record_id")}
        ids |= {str(word) for e in events for word in (e.event_id, e.trace.get("trace_id"), e.trace.get("parent_id"), e.trace.get("span_id")) if word}
        self._slots = {text: at for at, text in enumerate(texts)}
        self._ids = ids
        self._parts = re.split("(" + "|".join(map(re.escape, sorted({*texts, *ids}, key=len, reverse=True))) + ")", plain)

    @staticmethod
    def texts(row: dict[str, object]) -> list[str]:
        return [row["question"], row["response"], *(p["text"] for p in row["passages"])]

    def filled(self, row: dict[str, object]) -> list[object]:
        """The same events about another trace, with ids of their own."""
        texts = [json.dumps(text)[1:-1] for text in self.texts(row)]
        fresh = {word: str(uuid.uuid4()) if "-" in word else str(uuid.uuid4().int >> 64) for word in self._ids}
        # Every second part is one of those that the template was cut at.
        plain = "".join(part if not at % 2 else fresh[part] if part in fresh else texts[self._slots[part]] for at, part in enumerate(self._parts))
        return [
            type(event)(
                event_id=name,
                record=record,
                record_attributes=attributes,
                record_type=event.record_type,
                resource_attributes=event.resource_attributes,
                start_timestamp=event.start_timestamp,
                timestamp=event.timestamp,
                trace=trace,
            )
            for event, (name, record, attributes, trace) in zip(self._events, json.loads(plain), strict=True)
        ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("path", type=Path, metavar="FILE")
    parser.add_argument("n", type=int, metavar="RECORDS")
    parser.add_argument("pool", type=int, metavar="PASSAGES")
    args = parser.parse_args()
    path, n = args.path, args.n
    os.environ.setdefault("TRULENS_OTEL_TRACING", "1")
    begin = time.process_time()
    from trulens.core import TruSession
    from trulens.otel.semconv.trace import SpanAttributes

    loading = time.process_time() - begin
    session = TruSession(database_url=f"sqlite:///{path}")
    every = list(rows(n, pool=args.pool))
    own = own_way(session, every[:OWN])
    events = stored(session)
    first = next(e.record_attributes[SpanAttributes.RECORD_ID] for e in events)
    mine = [e for e in events if e.record_attributes.get(SpanAttributes.RECORD_ID) == first]
    old = next(row for row in every if row["question"] in json.dumps([e.record_attributes for e in mine]))
    spent, template = 0.0, Template(mine, old)
    for start in range(OWN, n, BATCH):
        made = [event for row in every[start : start + BATCH] for event in template.filled(row)]
        begin = time.process_time()
        session.connector.db.insert_events(made)
        spent += time.process_time() - begin
    size = sum(p.stat().st_size for p in path.parent.glob(f"{path.name}*"))
    print(
        json.dumps(
            {"n": n, "import_s": loading, "own_ms": own / OWN * 1000, "insert_ms": spent / max(1, n - OWN) * 1000, "bytes": size / n, "events": len(mine)}
        )
    )


if __name__ == "__main__":
    main()
