"""How the command line speaks."""

from __future__ import annotations

import argparse
import io
import re
from pathlib import Path

import pytest

from ragviz.cli import main as command
from ragviz.cli.argument_types import cutoffs, field_mapping, positive
from ragviz.cli.opening import asks_who_comes_in, free_port, refuse_open_host
from ragviz.cli.printing import Progress, number, plain, table
from ragviz.errors import InputError, RagvizError, SetupError


class TestErrors:
    def test_are_one_sentence_and_one_fix(self, capsys: pytest.CaptureFixture[str]) -> None:
        """What and where, then what to do; exit code 2."""
        code = command.tell(InputError("a.jsonl:3: not JSON", fix="one object per line"))

        assert code == 2
        assert capsys.readouterr().err == "Error: a.jsonl:3: not JSON.\nFix: one object per line.\n"

    def test_from_a_command_have_no_traceback(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        """Anything ragviz raises on purpose ends in exit 2."""

        class Broken:
            @staticmethod
            def run(args: argparse.Namespace) -> int:
                raise RagvizError("the moon is full")

        monkeypatch.setattr(command.importlib, "import_module", lambda name: Broken)

        assert command.main(["formats"]) == 2
        assert "Traceback" not in capsys.readouterr().err

    def test_a_missing_file_is_named(self, capsys: pytest.CaptureFixture[str]) -> None:
        """The operating system's errors are told the same way."""
        assert command.main(["retrieval", "no/such.run", "no/such.qrels"]) == 2
        assert "no/such.run" in capsys.readouterr().err


class TestOptions:
    def test_cutoffs_are_sorted_and_unique(self) -> None:
        """5,1,5 means 1 and 5."""
        assert cutoffs("5,1,5") == [1, 5]

    def test_only_cutoffs_of_rankings_may_be_of_any_size(self) -> None:
        """A store counts to 2**63, a ranking is merely padded."""
        assert cutoffs(f"{10**20}") == [10**20]
        with pytest.raises(argparse.ArgumentTypeError, match="too large"):
            positive(f"{10**20}")

    @pytest.mark.parametrize("text", ["0", "-1", "x", "1.5", ""])
    def test_only_whole_numbers_from_one(self, text: str) -> None:
        """k is a count."""
        with pytest.raises(argparse.ArgumentTypeError):
            positive(text)

    def test_a_mapping_names_both_sides(self) -> None:
        """The path may hold brackets and dots."""
        assert field_mapping("passages=chunks[].body") == ("passages", "chunks[].body")
        with pytest.raises(argparse.ArgumentTypeError):
            field_mapping("passages")


class TestOpening:
    @pytest.mark.parametrize("host", ["0.0.0.0", "192.0.2.7", "example.org", "::"])
    def test_other_machines_are_kept_out(self, host: str) -> None:
        """An address that others can reach needs an explicit word, or that people sign in."""
        with pytest.raises(SetupError):
            refuse_open_host(host, understood=False, with_login=False)
        refuse_open_host(host, understood=True, with_login=False)
        refuse_open_host(host, understood=False, with_login=True)

    @pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1"])
    def test_this_machine_is_fine(self, host: str) -> None:
        """Loopback needs nothing; a name that only begins like it belongs to somebody else."""
        refuse_open_host(host, understood=False, with_login=False)
        with pytest.raises(SetupError, match=re.escape(f"other machines can reach {host}.evil.test,")):
            refuse_open_host(f"{host}.evil.test", understood=False, with_login=False)

    def test_streamlits_secrets_say_whether_people_sign_in(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Beside the app, in the working folder or at home; a file that cannot be read is no permission."""
        monkeypatch.setenv("HOME", str(tmp_path / "home"))
        monkeypatch.chdir(tmp_path)
        assert not asks_who_comes_in(tmp_path)
        secrets = tmp_path / ".streamlit" / "secrets.toml"
        secrets.parent.mkdir()
        secrets.write_text('[keys]\na = "b"\n')
        assert not asks_who_comes_in(tmp_path)
        secrets.write_text('[auth]\nclient_id = "x"\n')
        assert asks_who_comes_in(tmp_path)
        secrets.write_text("[auth\n")
        with pytest.raises(SetupError):
            asks_who_comes_in(tmp_path)

    def test_a_port_is_found(self) -> None:
        """From 8501 up."""
        assert 8501 <= free_port("127.0.0.1") <= 8599


class TestPrinting:
    def test_control_characters_stay_out_of_the_terminal(self) -> None:
        """Escape sequences, direction overrides and line breaks of a trace cannot move the cursor or hide text."""
        shown = plain("a\x1b[31mred\u202eevil\nb\u200bc")

        assert "\x1b" not in shown
        assert "\u202e" not in shown
        assert "\n" not in shown

    def test_long_lines_are_cut_visibly(self) -> None:
        """Four characters of room: three and an ellipsis."""
        assert plain("abcdef", 4) == "abc…"

    def test_a_missing_number_is_a_dash(self) -> None:
        """Never 0 or nan."""
        assert (number(None), number(0.5)) == ("–", "0.500")

    def test_columns_line_up(self) -> None:
        """Widths come from the widest cell."""
        assert table([["a", "10"], ["bbb", "2"]], heading=["n", "x"], right=[1]).splitlines() == ["n     x", "───  ──", "a    10", "bbb   2"]

    def test_progress_is_silent_without_a_terminal(self) -> None:
        """Logs stay clean."""
        stream = io.StringIO()
        progress = Progress("traces", stream)
        progress(1, 2)
        progress.end()

        assert stream.getvalue() == ""


@pytest.mark.parametrize("blank", ["", "   "])
@pytest.mark.parametrize("words", [
    "import f.jsonl --store", "import f.jsonl --run", "runs --store", "judge r --store", "evaluate f.jsonl --run", "open --run", "watch f --run", "receive --run", "receive --store",
    "export r --store", "store copy a b --run", "remedy r verify --store", "feedback f --run", "compare a b --store", "gate a --store", "calibrate --store",
])
def test_a_blank_place_or_name_is_told(words: str, blank: str, capsys: pytest.CaptureFixture[str]) -> None:
    """An unset variable in a script: one sentence, exit code 2, no file and no run without a name."""
    with pytest.raises(SystemExit) as caught:
        command.main([*words.split(), blank])

    assert 2 == caught.value.code
    assert "needs a" in capsys.readouterr().err
