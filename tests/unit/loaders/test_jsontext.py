"""JSON as tools really write it."""

from __future__ import annotations

import pytest

from ragviz.errors import InputError
from ragviz.loaders.jsontext import parse, salvage, shallow, values


def test_nan_is_no_value() -> None:
    """Python writes NaN and Infinity, which are not JSON."""
    assert parse(b'{"a": NaN, "b": [Infinity, 1]}') == {"a": None, "b": [None, 1]}


def test_lone_surrogates_and_nul_are_replaced() -> None:
    """Neither can be stored."""
    assert parse('"\\ud800 \\u0000"') == "\ufffd \ufffd"


@pytest.mark.parametrize("raw", [b"", b"{", b"nope", b"\xff\xfe", b"[" * 100_000, b'{"a":' * 100_000])
def test_what_is_no_json_is_said(raw: bytes) -> None:
    """One sentence with a fix; deep nesting does not end in a traceback."""
    with pytest.raises(InputError) as caught:
        parse(raw)

    assert caught.value.fix


class TestSalvage:
    def test_the_cut_record_is_dropped(self) -> None:
        """Half a record misleads: the three whole ones are kept, the fourth is not."""
        text = '[{"a": 1}, {"a": 2}, {"a": [3]}, {"a": 4, "b": "cut'

        assert salvage(text, whole_records=True)[0] == [{"a": 1}, {"a": 2}, {"a": [3]}]

    def test_records_inside_an_object(self) -> None:
        """The outermost list that the cut goes through counts; lists inside a record do not."""
        text = '{"v": 3, "rows": [{"m": [1, 2]}, {"m": [3'

        assert salvage(text, whole_records=True)[0] == {"v": 3, "rows": [{"m": [1, 2]}]}

    def test_every_piece_for_recognition(self) -> None:
        """To recognise a format even half of the first record helps."""
        assert salvage('[{"user_input": "x", "contexts": ["a", "b', whole_records=False)[0] == [{"user_input": "x", "contexts": ["a"]}]

    def test_a_cut_number_is_not_taken(self) -> None:
        """12 may be the beginning of 123."""
        assert salvage('{"a": 1, "b": 12', whole_records=False)[0] == {"a": 1}

    def test_nothing_to_save(self) -> None:
        """No bracket was opened."""
        assert salvage("text", whole_records=True) == (None, 0)


def test_objects_back_to_back() -> None:
    """The console exporter writes pretty objects without commas; the broken tail gives None."""
    assert [v for _, v in values('{"a": 1}\n{\n "b": 2\n}\n{"c"')] == [{"a": 1}, {"b": 2}, None]


@pytest.mark.parametrize("levels", [1, 50, 198])
def test_what_is_read_whole_stays_as_it_is(levels: int) -> None:
    """Brackets inside texts count for nothing."""
    text = '{"a": ["]", "[[", ' * levels + "1" + "]}" * levels

    assert levels > 99 or shallow(text) == text


@pytest.mark.parametrize("levels", [201, 3_000, 100_000])
def test_only_what_lies_too_deep_is_left_out(levels: int) -> None:
    """The records before and after it, and the rest of its own, are whole."""
    deep = '{"d":' * levels + "[1]" + "}" * levels

    found = parse(shallow(f'[{{"a": 1}}, {{"x": {deep}, "b": 2}}, {{"c": "]"}}]'))

    assert (found[0], found[1]["b"], found[2]) == ({"a": 1}, 2, {"c": "]"})
