"""What every loader must keep, whatever it reads."""

from __future__ import annotations

import io
from collections.abc import Callable

from ragviz.contracts import Loader
from ragviz.loaders import detect, loaders
from ragviz.records import LoadIssue, Trace
from ragviz.records.codec import decode, encode
from tests.contracts.loader_samples import SAMPLES, Sample

JUNK = (
    b"", b"\n\n", b"\x00\x01\x02\xff", b"[", b"{", b"{}", b"[]", b"null", b"[[[[[[", b"nonsense", b"a,b,c\n1,2", b"PAR1", b"SQLite format 3\x00", b'{"data": 3}', b'{"results": null}',
    b"\xef\xbb\xbf", b"\xff\xfe", b'"text"', b"[" * 100_000, b'{"a":' * 100_000, b"\x1f\x8b\x08", b"PK\x03\x04", b"1 2 3 4 5 6", '{"q": "\u2028"}'.encode(), b"[1, 2, {}, null]", b"[{}, {}]",
)


def load(loader: Loader, data: bytes) -> list[Trace | LoadIssue]:
    """All parts of a file in memory."""
    return list(loader.load(io.BytesIO(data), filename="sample"))


def check_recognises_its_own(loader: Loader, sample: Sample) -> None:
    """Of all loaders it is the surest of its own sample."""
    best, *others = detect(sample.data, "x.dat")

    assert best[0].name == loader.name
    assert 0 < best[1] <= 1
    assert all(sure < best[1] for _, sure in others)


def check_sniff_never_raises(loader: Loader, sample: Sample) -> None:
    """Junk, other formats and cut heads give a number from 0 to 1."""
    heads = [*JUNK, *(s.data for s in SAMPLES.values()), *(sample.data[:n] for n in range(0, len(sample.data), max(1, len(sample.data) // 20)))]

    assert all(0 <= loader.sniff(head, "x") <= 1 for head in heads)


def check_every_row_comes_out(loader: Loader, sample: Sample) -> None:
    """As many traces as the file holds; a companion says what it needs."""
    parts = load(loader, sample.data)

    assert sum(isinstance(p, Trace) for p in parts) == sample.traces
    assert sample.traces or any(isinstance(p, LoadIssue) and p.message and p.fix for p in parts)


def check_loads_twice_alike(loader: Loader, sample: Sample) -> None:
    """The same file gives equal traces with the same, unique ids."""
    first, second = load(loader, sample.data), load(loader, sample.data)
    ids = [p.id for p in first if isinstance(p, Trace)]

    assert first == second
    assert len(ids) == len(set(ids))


def check_traces_hold_together(loader: Loader, sample: Sample) -> None:
    """Passage ids are unique, ranks ascend from 1, spans lie in the answer, verdicts name a premise that exists, the origin is said."""
    for trace in load(loader, sample.data):
        if isinstance(trace, LoadIssue):
            continue
        ids = [p.id for p in trace.passages or ()]
        ranks = [p.rank for p in trace.passages or ()]
        assert len(ids) == len(set(ids))
        assert ranks == sorted(set(ranks))
        assert min(ranks, default=1) >= 1
        assert all(c.span.fits(trace.response) and c.span.of(trace.response) == c.marker for c in trace.citations or ())
        assert all(p in ids for c in trace.citations or () for p in c.passage_ids)
        assert all(s.fits(trace.response if c.side == "response" else trace.reference or "") for c in trace.claims or () for s in c.spans)
        assert all(v.premise_id in {*ids, "*", "reference", "response"} for c in trace.claims or () for v in c.verdicts)
        assert trace.origin.startswith("sample")


def check_junk_gives_issues(loader: Loader, sample: Sample) -> None:
    """Junk, other tools' files and a file cut anywhere give traces or issues, never an exception, and no issue without a word."""
    step = max(1, len(sample.data) // 25)
    files = [*JUNK, *(s.data for s in SAMPLES.values()), *(sample.data[:n] for n in range(0, len(sample.data), step))]
    for data in files:
        for part in load(loader, data):
            assert isinstance(part, Trace) or part.message


def check_bom_changes_nothing(loader: Loader, sample: Sample) -> None:
    """A byte order mark in front, as Windows programs write it."""
    if sample.data.startswith((b"PAR1", b"SQLite")):
        return

    assert load(loader, b"\xef\xbb\xbf" + sample.data) == load(loader, sample.data)


def check_utf16_changes_nothing(loader: Loader, sample: Sample) -> None:
    """The same text as UTF-16, as spreadsheets export it."""
    if sample.data.startswith((b"PAR1", b"SQLite")):
        return

    assert load(loader, sample.data.decode().encode("utf-16")) == load(loader, sample.data)


def check_windows_1252_is_read_and_told(loader: Loader, sample: Sample) -> None:
    """The same text in the code page of old Windows programs: equal traces, and one sentence more that says it is a guess."""
    if sample.data.startswith((b"PAR1", b"SQLite")):
        return
    text = sample.data.decode().replace("refund", "réfünd").replace("plan", "plän").replace("🙂", "…")
    if text.isascii() or loader.name == "gemini":  # whose places are bytes of UTF-8
        return
    there, here = load(loader, text.encode()), load(loader, text.encode("cp1252"))
    more = [part for part in here if part not in there]

    assert [part for part in here if part not in more] == there
    assert ["which is a guess" in part.message if isinstance(part, LoadIssue) else "" for part in more] == [True]


def check_traces_can_be_stored(loader: Loader, sample: Sample) -> None:
    """Every trace is written and read back equal: no tool's own class (a pandas Timestamp, a numpy number) hides in a field."""
    for part in load(loader, sample.data):
        assert decode(encode(part), type(part)) == part


def check_says_what_it_is(loader: Loader, sample: Sample) -> None:
    """Name, label, recognition in one sentence, file endings."""
    assert loader.name in loaders.names()
    assert loader.label
    assert loader.recognised_by
    assert all(s.startswith(".") for s in loader.suffixes)


LAWS: tuple[Callable[[Loader, Sample], None], ...] = (
    check_recognises_its_own, check_sniff_never_raises, check_every_row_comes_out, check_loads_twice_alike, check_traces_hold_together, check_junk_gives_issues,
    check_bom_changes_nothing, check_utf16_changes_nothing, check_windows_1252_is_read_and_told, check_traces_can_be_stored, check_says_what_it_is,
)
