"""What people type wrong: one sentence, the right exit code, the promised shape."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ragviz.cli.main import main
from tests.cli.test_commands import FIVE, as_json, check_one_clear_sentence, ragviz


@pytest.mark.parametrize(
    "args",
    [
        ("evaluate",),
        ("nonsense",),
        ("evaluate", FIVE, "-k", "0"),
        ("evaluate", FIVE, "-k", "x"),
        ("evaluate", FIVE, "--policy", "mine"),
        ("open", "--port", "99999"),
        ("import", FIVE, "--map", "question"),
        ("import", FIVE, "--map", "topic=name"),
        ("retrieval", "a", "b", "-k", "0"),
        ("judge", "x", "--limit", "-1"),
        ("import", FIVE, "--bogus"),
    ],
    ids=str,
)
def test_wrong_options(args: tuple[str | Path, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """No page of usage: one sentence, and where help is."""
    with pytest.raises(SystemExit) as ended:
        main([str(a) for a in args])

    said = capsys.readouterr().err
    assert ended.value.code == 2
    assert [line.split(":")[0] for line in said.splitlines()] == ["Error", "Fix"]


@pytest.mark.parametrize("command", [("import",), ("evaluate",), ("evaluate", "--documents", str(FIVE))], ids=str)
def test_an_empty_name_is_not_the_current_folder(command: tuple[str, ...], tmp_path: Path) -> None:
    """An unset variable must not read everything that lies around."""
    (tmp_path / "private.json").write_bytes(FIVE.read_bytes())
    done = ragviz(*command, "", cwd=tmp_path)

    check_one_clear_sentence(done)
    assert "empty file name" in done.stderr


def test_names_cannot_steer_the_terminal(tmp_path: Path) -> None:
    """A run's name with an escape sequence is harmless in messages."""
    assert ragviz("import", FIVE, "--run", "\x1b[31mred\u202e", cwd=tmp_path).returncode == 0
    done = ragviz("judge", "blue", cwd=tmp_path)

    check_one_clear_sentence(done)
    assert not {"\x1b", "\u202e"} & set(done.stderr + done.stdout)


def test_a_path_is_named_once(tmp_path: Path) -> None:
    """Not "x.json: /tmp/x.json: no such file"."""
    assert ragviz("import", tmp_path / "x.json", cwd=tmp_path).stderr.splitlines()[0] == "Error: x.json: no such file."


@pytest.mark.parametrize("content", [b"", b"\n\n", "q1 0 d1 1\n".encode("utf-16"), b"\xff\xfe\xfa", b"q1 0 d1\n", b"q1 0 d1 x\n"])
def test_damaged_judgements(content: bytes, tmp_path: Path) -> None:
    """Exit 2; UTF-16 is read."""
    (tmp_path / "run").write_text("q1 Q0 d1 1 0.5 tag\n", encoding="utf-8")
    (tmp_path / "qrels").write_bytes(content)
    done = ragviz("retrieval", "run", "qrels", "--json", cwd=tmp_path)

    if content.startswith(b"\xff\xfeq"):
        assert json.loads(done.stdout)["mean"]["P@1"] == 1.0
    else:
        check_one_clear_sentence(done)


def test_judgements_that_are_not_utf8_are_a_guess(tmp_path: Path) -> None:
    """They are read, and a note says that it is one."""
    (tmp_path / "run").write_bytes("q1 Q0 café 1 0.5 tag\n".encode("cp1252"))
    (tmp_path / "qrels").write_bytes("q1 0 café 1\n".encode())
    done = ragviz("retrieval", "run", "qrels", "--json", cwd=tmp_path)

    assert json.loads(done.stdout)["mean"]["P@1"] == 1.0
    assert "Windows-1252, which is a guess" in done.stderr


@pytest.mark.parametrize("rules", [b"", b"\xff\xfe[each]", b"[each]\nfaithfulness = nan\n", b'no_regression = ["faithfulness"]\n'])
def test_rules_that_would_let_everything_pass(rules: bytes, tmp_path: Path) -> None:
    """Exit 2, never a green gate."""
    (tmp_path / "gate.toml").write_bytes(rules)

    check_one_clear_sentence(ragviz("gate", FIVE, "--against", FIVE, "--judge", "facts", "--rules", "gate.toml", cwd=tmp_path))


def test_every_rejected_row_is_saved(tmp_path: Path) -> None:
    """Two thousand bad lines, two thousand rows in the list, though JSON shows the first thousand."""
    (tmp_path / "bad.jsonl").write_text(json.dumps({"question": "q", "answer": "a", "contexts": ["p"]}) + "\n" + "=1+1\n" * 2000, encoding="utf-8")
    got = as_json(ragviz("import", "bad.jsonl", "--rejects", "out.csv", "--json", cwd=tmp_path))
    saved = (tmp_path / "out.csv").read_text(encoding="utf-8-sig").splitlines()

    assert (got["traces"], got["files"][0]["issues"], len(got["issues"])) == (1, 2000, 1000)  # type: ignore[arg-type, index]
    assert len(saved) == 2001
