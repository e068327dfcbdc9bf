"""Files that are not UTF-8: read, and told as a guess; binary files refused in one sentence."""

from __future__ import annotations

import io
import json
import zlib
from collections.abc import Callable

import pytest

from ragviz.loaders import read
from ragviz.records import LoadIssue, Trace

ROWS = [
    {"question": "Is the café open?", "answer": "Oui, déjà — “à midi”.", "contexts": ["Ouvert à midi."]},
    {"question": "Plain?", "answer": "Yes.", "contexts": ["Plain."]},
    {"question": "Was kostet das?", "answer": "Größer: 5 €. „Spaß“", "contexts": ["Größer: 5 €."]},
]
TABLE = "question,answer,contexts\n" + "".join(f'"{r["question"]}","{r["answer"]}","{r["contexts"][0]}"\n' for r in ROWS)
WRITTEN: dict[str, tuple[str, int]] = {
    "lines": ("".join(json.dumps(r, ensure_ascii=False) + "\n" for r in ROWS), 1),
    "json": (json.dumps(ROWS, ensure_ascii=False), 1),
    "indented": (json.dumps(ROWS, ensure_ascii=False, indent=1), 3),
    "table": (TABLE, 2),
}
"""What is written, and the first line that is not ASCII."""


def loaded(data: bytes) -> tuple[list[Trace], list[LoadIssue]]:
    parts = list(read(io.BytesIO(data), filename="f"))
    return [p for p in parts if isinstance(p, Trace)], [p for p in parts if isinstance(p, LoadIssue)]


@pytest.mark.parametrize("form", WRITTEN)
def test_windows_1252_is_read_and_told_once(form: str) -> None:
    """All letters as they were written, quotes and dashes too; one sentence with the place and the word guess."""
    text, first = WRITTEN[form]
    traces, issues = loaded(text.encode("cp1252"))

    assert [(t.question, t.response, t.passages[0].text) for t in traces if t.passages] == [(r["question"], r["answer"], r["contexts"][0]) for r in ROWS]
    assert [(i.where, i.rejected) for i in issues] == [(f"f:{first}", False)]
    assert "Windows-1252, which is a guess" in issues[0].message
    assert "iconv" in issues[0].fix


@pytest.mark.parametrize("form", WRITTEN)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_what_is_no_guess_is_not_told(form: str, encoding: str) -> None:
    """Unicode in every writing gives equal traces in silence."""
    traces, issues = loaded(WRITTEN[form][0].encode(encoding))

    assert ([t.response for t in traces], issues) == ([r["answer"] for r in ROWS], [])


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_chinese_in_utf_16_without_a_mark(encoding: str) -> None:
    """Few of its bytes are zero, and on both sides: JSON is known by how it begins."""
    row = {"question": "一年有多少天?" * 40, "answer": "一年有三百六十五天。" * 40, "contexts": ["一年有三百六十五天。" * 40]}
    traces, issues = loaded(json.dumps(row, ensure_ascii=False).encode(encoding))

    assert ([t.response for t in traces], issues) == ([row["answer"]], [])


def test_letters_far_behind_the_head_are_read_too() -> None:
    """The first letter that is not ASCII stands behind the 256 KiB that recognise the format."""
    rows = [{"question": f"q{n}?", "answer": "a" * 100, "contexts": ["c"]} for n in range(4000)] + [ROWS[0]]
    for text in ("".join(json.dumps(r, ensure_ascii=False) + "\n" for r in rows), "question,answer,contexts\n" + "".join(f'{r["question"]},"{r["answer"]}",c\n' for r in rows)):
        traces, issues = loaded(text.encode("cp1252"))

        assert traces[-1].response == ROWS[0]["answer"]
        assert len(traces) == 4001
        assert [i.rejected for i in issues] == [False]


def test_lines_of_two_encodings_are_each_read() -> None:
    """Logs of two servers in one file."""
    lines = [(json.dumps(r, ensure_ascii=False) + "\n").encode("utf-8" if n else "cp1252") for n, r in enumerate([ROWS[0], *ROWS, *ROWS])]
    traces, issues = loaded(b"".join(lines))

    assert [t.response for t in traces] == [r["answer"] for r in [ROWS[0], *ROWS, *ROWS]]
    assert [(i.where, i.rejected) for i in issues] == [("f:1", False)]


@pytest.mark.parametrize("form", WRITTEN)
def test_a_damaged_byte_is_told_and_costs_one_letter(form: str) -> None:
    """In a file of UTF-8 it is no letter of Windows-1252."""
    whole = WRITTEN[form][0].encode()
    traces, issues = loaded(whole.replace("Größer: 5".encode(), b"Gr\xc3\xc3\x9fer: 5", 1))

    assert [t.question for t in traces] == [r["question"] for r in ROWS]
    assert traces[2].response.startswith("Gr\ufffdßer")
    assert [i.rejected for i in issues] == [False]
    assert "damaged" in issues[0].message


def test_a_letter_cut_at_the_end_is_no_other_encoding() -> None:
    """The file is cut off; nothing is said of code pages."""
    whole = WRITTEN["lines"][0].encode()
    _, issues = loaded(whole[: whole.index("ö".encode()) + 1])

    assert ["cut off" in i.message for i in issues] == [True]


def a_picture() -> bytes:
    return b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + zlib.compress(bytes(range(256)) * 20)


@pytest.mark.parametrize(
    "made", [a_picture, lambda: bytes(range(256)) * 8, lambda: b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n" + zlib.compress(bytes(range(256)) * 40), lambda: b"\x80\x04\x95" + b"\x8c\x08question\x94" * 40],
    ids=["picture", "bytes", "pdf", "pickle"],
)
def test_binary_files_are_refused_in_one_sentence(made: Callable[[], bytes]) -> None:
    """Not read as letters."""
    traces, issues = loaded(made())

    assert traces == []
    assert [(i.rejected, "binary" in i.message) for i in issues] == [(True, True)]
