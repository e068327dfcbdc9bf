"""
Traces of ``peer_traces`` into a running Phoenix; the last line is JSON.

Arguments: the address of the server, how many traces, a word that makes the ids of this call new ones, the server's process, whose CPU is read, and how many
passages there are. OTLP over HTTP, protobuf and gzip, 50 traces a request, three spans a trace (chain, retriever with its documents, model) and three
annotations on the chain. Ends when every trace can be seen; then one trace is opened, three times, by the query for its spans with all their attributes and
annotations.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from peer_traces import rows

PER_REQUEST = 50
START_NS = 1_767_225_600_000_000_000


def cpu_s(pid: int) -> float:
    return time.clock_gettime((~pid << 3) | 2)


def ask(url: str, body: bytes | None = None, **headers: str) -> bytes:
    request = urllib.request.Request(url, data=body, headers={name.replace("_", "-"): value for name, value in headers.items()})
    with urllib.request.urlopen(request, timeout=120) as answer:
        return answer.read()


def graphql(address: str, query: str, **variables: Any) -> Any:
    answer = json.loads(ask(f"{address}/graphql", json.dumps({"query": query, "variables": variables}).encode(), content_type="application/json"))
    if answer.get("errors"):
        raise RuntimeError(answer["errors"][0]["message"])
    return answer["data"]


def identifier(*words: object, length: int) -> bytes:
    return hashlib.blake2b("/".join(map(str, words)).encode(), digest_size=length).digest()


def put(span: Any, **attributes: object) -> None:
    for name, value in attributes.items():
        attribute = span.attributes.add()
        attribute.key = name.replace("__", ".")
        if isinstance(value, float):
            attribute.value.double_value = value
        else:
            attribute.value.string_value = str(value)


def span_of(scope: Any, ids: tuple[str, str], *, name: str, kind: str, at: int, parent: str | None = None) -> Any:
    span = scope.spans.add()
    span.trace_id, span.span_id, span.name = identifier(*ids, length=16), identifier(*ids, name, length=8), name
    if parent is not None:
        span.parent_span_id = identifier(*ids, parent, length=8)
    span.start_time_unix_nano, span.end_time_unix_nano = at, at + 1_000_000_000
    put(span, openinference__span__kind=kind)
    return span


def requests(some: list[dict[str, Any]], word: str) -> list[bytes]:
    from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

    made = []
    for start in range(0, len(some), PER_REQUEST):
        request = ExportTraceServiceRequest()
        scope = request.resource_spans.add().scope_spans.add()
        for at, row in enumerate(some[start : start + PER_REQUEST], start=start):
            begin, ids = START_NS + at * 1_000_000_000, (word, row["id"])
            put(span_of(scope, ids, name="chain", kind="CHAIN", at=begin), input__value=row["question"], output__value=row["response"])
            retriever = span_of(scope, ids, name="retriever", kind="RETRIEVER", at=begin, parent="chain")
            put(retriever, input__value=row["question"])
            for n, p in enumerate(row["passages"]):
                put(
                    retriever,
                    **{
                        f"retrieval.documents.{n}.document.id": p["id"],
                        f"retrieval.documents.{n}.document.content": p["text"],
                        f"retrieval.documents.{n}.document.score": p["score"],
                    },
                )
            put(span_of(scope, ids, name="model", kind="LLM", at=begin, parent="chain"), input__value=row["question"], output__value=row["response"])
        made.append(gzip.compress(request.SerializeToString()))
    return made


def annotations(some: list[dict[str, Any]], word: str) -> list[bytes]:
    every = [{"span_id": identifier(word, row["id"], "chain", length=8).hex(), "name": name, "annotator_kind": "CODE", "result": {"score": 0.5, "label": "ok"}}
             for row in some for name in ("groundedness", "context relevance", "answer relevance")]
    return [json.dumps({"data": every[at : at + 300]}).encode() for at in range(0, len(every), 300)]


COUNT = "query { projects { edges { node { id name traceCount } } } }"
OPEN = """query ($id: ID!, $trace: ID!) { node(id: $id) { ... on Project { trace(traceId: $trace) { spans(first: 1000) { edges { node {
  spanId name spanKind startTime endTime attributes input { value } output { value } spanAnnotations { name score label } } } } } } } }"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("address", metavar="URL")
    parser.add_argument("n", type=int, metavar="TRACES")
    parser.add_argument("word", metavar="WORD")
    parser.add_argument("pid", type=int, metavar="PID")
    parser.add_argument("pool", type=int, metavar="PASSAGES")
    args = parser.parse_args()
    address, n, word, pid = args.address, args.n, args.word, args.pid
    some = list(rows(n, pool=args.pool))
    bodies, noted = requests(some, word), annotations(some, word)

    def seen() -> tuple[str, int]:
        projects = graphql(address, COUNT)["projects"]["edges"]
        return max(((p["node"]["id"], p["node"]["traceCount"]) for p in projects), key=lambda one: one[1], default=("", 0))

    before, begin, wall = seen()[1], cpu_s(pid), time.monotonic()
    for body in bodies:
        ask(f"{address}/v1/traces", body, content_type="application/x-protobuf", content_encoding="gzip")
    while seen()[1] < before + n:
        if time.monotonic() - wall > 600:
            raise TimeoutError("not all traces could be seen after ten minutes")
        time.sleep(0.5)
    spans, visible = cpu_s(pid) - begin, time.monotonic() - wall
    begin = cpu_s(pid)
    for body in noted:
        ask(f"{address}/v1/span_annotations?sync=true", body, content_type="application/json")
    annotating = cpu_s(pid) - begin
    opened = []
    project = seen()[0]
    for row in (some[0], some[n // 2], some[-1]):
        begin = cpu_s(pid)
        found = graphql(address, OPEN, id=project, trace=identifier(word, row["id"], length=16).hex())
        assert len(found["node"]["trace"]["spans"]["edges"]) == 3, found
        opened.append(cpu_s(pid) - begin)
    print(
        json.dumps({"n": n, "spans_ms": spans / n * 1000, "annotations_ms": annotating / n * 1000, "visible_s": visible, "open_ms": sorted(opened)[1] * 1000})
    )


if __name__ == "__main__":
    main()
