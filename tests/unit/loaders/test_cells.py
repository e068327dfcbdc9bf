"""Lists, objects, numbers and times as tables write them."""

from __future__ import annotations

from datetime import UTC, datetime

import pandas as pd
import pytest

from ragviz.loaders.cells import id_of, is_null, number, structure, text_of
from ragviz.loaders.times import moment
from ragviz.records.codec import decode, encode


class TestStructure:
    @pytest.mark.parametrize(
        "cell", ['["a", "b"]', "['a', 'b']", "('a', 'b')", "['a' 'b']", "['a'\n 'b']", "array(['a', 'b'], dtype=object)", "[array(['a', 'b'])]"]
    )
    def test_two_elements_stay_two(self, cell: str) -> None:
        """numpy's print-out has no comma: Python would read it as one joined text without any error."""
        found = structure(cell)

        assert found in (["a", "b"], [["a", "b"]]) or cell.startswith("array")

    def test_quotes_and_brackets_inside_texts(self) -> None:
        """What looks like the end of an element inside one is none."""
        assert structure("""["It's 3 days.", 'say "x"', "[1], ', ' and (2)"]""") == ["It's 3 days.", 'say "x"', "[1], ', ' and (2)"]

    def test_calls_inside_literals_become_text(self) -> None:
        """TruLens and pandas write datetime.datetime(…) and Timestamp('…'), which are no literals."""
        cell = "{'at': datetime.datetime(2026, 3, 1, 12, 0, tzinfo=datetime.timezone.utc), 'on': Timestamp('2026-03-01'), 'id': UUID('12-34'), 'x': nan}"

        assert structure(cell) == {"at": "2026-03-01T12:00:00+00:00", "on": "2026-03-01", "id": "12-34", "x": None}

    def test_a_call_named_inside_a_text_stays_text(self) -> None:
        """Only what stands outside quotes is rewritten."""
        assert structure("['call UUID(\"x\") or nan', datetime.date(2026, 1, 2)]") == ['call UUID("x") or nan', "2026-01-02T00:00:00+00:00"]

    def test_ordinary_text_stays(self) -> None:
        """Square brackets at both ends do not make a list."""
        assert structure("[see page 3]") == "[see page 3]"
        assert structure("plain") == "plain"

    def test_code_is_never_run(self) -> None:
        """A cell is data."""
        assert structure("[__import__('os').getcwd()]") == "[__import__('os').getcwd()]"


class TestNumber:
    @pytest.mark.parametrize(
        ("value", "wanted"),
        [("0.5", 0.5), ("50%", 0.5), (3, 3.0), ("1e-3", 0.001), ("nan", None), ("inf", None), (True, None), ("1_000", None), ("v2", None), ("", None)],
    )
    def test_reads_numbers_only(self, value: object, wanted: float | None) -> None:
        """Percentages are fractions; infinities, truth values and Python's digit groups are no numbers."""
        assert number(value) == wanted


class TestMoment:
    @pytest.mark.parametrize(
        "value", ["2024-06-03T09:00:00Z", "2024-06-03 09:00:00+00:00", "2024-06-03 09:00:00.000000", 1717405200, 1717405200000, "1717405200000000000"]
    )
    def test_all_ways_to_write_one_moment(self, value: object) -> None:
        """ISO text with and without zone, seconds, milliseconds, nanoseconds in text."""
        assert moment(value) == datetime(2024, 6, 3, 9, tzinfo=UTC)

    @pytest.mark.parametrize("value", [None, "", "yesterday", -1, 0, 1e300, "9" * 500])
    def test_no_moment(self, value: object) -> None:
        """Anything else is None, never an error."""
        assert moment(value) is None


def test_nulls() -> None:
    """What a table writes for nothing; the word inside a sentence is none."""
    assert all(is_null(v) for v in (None, "", " NaN ", "null", "None", "<NA>", float("nan")))
    assert not any(is_null(v) for v in (0, False, "no", "none of them"))


def test_ids_are_text() -> None:
    """17 and "17" are the same document; objects are no ids."""
    assert (id_of(17), id_of("17"), id_of(17.0), id_of(None), id_of({})) == ("17", "17", "17", None, None)


def test_text_loses_what_cannot_be_stored() -> None:
    """NUL and lone surrogates become U+FFFD; null is empty; objects are JSON."""
    assert text_of("a\x00b\ud800") == "a\ufffdb\ufffd"
    assert text_of(None) == ""
    assert text_of({"é": [1]}) == '{"é": [1]}'


class TestMomentsOfOtherTools:
    @pytest.mark.parametrize(
        ("written", "read"),
        [
            ("1732872312.53", datetime(2024, 11, 29, 9, 25, 12, 530000, tzinfo=UTC)),
            ("1.73287231253e9", datetime(2024, 11, 29, 9, 25, 12, 530000, tzinfo=UTC)),
            ("20260301", datetime(2026, 3, 1, tzinfo=UTC)),
            (20260301, datetime(2026, 3, 1, tzinfo=UTC)),
            ("2026/03/01 10:00", datetime(2026, 3, 1, 10, tzinfo=UTC)),
            ("2026/3/1", datetime(2026, 3, 1, tzinfo=UTC)),
            ("2026-03-01 10:00:00.000 +0200", datetime(2026, 3, 1, 8, tzinfo=UTC)),
            ("Sun, 01 Mar 2026 10:00:00 GMT", datetime(2026, 3, 1, 10, tzinfo=UTC)),
            ("1 Mar 2026 10:00:00 +0100", datetime(2026, 3, 1, 9, tzinfo=UTC)),
            ({"$date": "2026-03-01T10:00:00Z"}, datetime(2026, 3, 1, 10, tzinfo=UTC)),
            ({"$date": {"$numberLong": "1772359200000"}}, datetime(2026, 3, 1, 10, tzinfo=UTC)),
        ],
    )
    def test_other_writings(self, written: object, read: datetime) -> None:
        """Seconds with a fraction in a CSV, days without dashes, mail headers, MongoDB's objects."""
        assert moment(written) == read

    @pytest.mark.parametrize("written", ["03/01/2026 10:00 AM", "01.03.2026", "March", "Monday", "2026/13/45", "20261399", {"$date": None}, {}])
    def test_what_can_be_read_in_two_ways_or_in_none(self, written: object) -> None:
        """The third of January or the first of March: nobody knows."""
        found = moment(written)
        assert found is None or found.year < 1971, found

    @pytest.mark.parametrize(
        ("written", "read"),
        [
            (pd.Timestamp("2026-01-02 03:04:05.123456789"), datetime(2026, 1, 2, 3, 4, 5, 123456, tzinfo=UTC)),
            (pd.Timestamp("2026-01-02", tz="Asia/Tokyo"), datetime(2026, 1, 1, 15, tzinfo=UTC)),
            (pd.NaT, None),
            (datetime(2026, 1, 2, tzinfo=UTC).replace(tzinfo=None), datetime(2026, 1, 2, tzinfo=UTC)),
            ("2026-01-02T01:02:03+01:02:03", datetime(2026, 1, 2, tzinfo=UTC)),
            ("0001-01-01T00:00:00+14:00", None),
            ("9999-12-31T23:59:59-14:00", None),
        ],
    )
    def test_every_kind_of_time_can_be_written_again(self, written: object, read: datetime | None) -> None:
        """Parquet brings pandas' own class, NaT included; UTC has no year 0 and no year 10000."""
        found = moment(written)

        assert (found, type(found)) == (read, type(read))
        assert decode(encode(found), datetime | None) == read  # type: ignore[arg-type]
