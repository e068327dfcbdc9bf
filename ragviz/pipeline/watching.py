"""A folder whose files are imported and judged as they appear: looked at every second, so that it works on any file system."""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from ragviz.errors import InputError, JudgeUnavailable, RagvizError
from ragviz.loaders import read_many
from ragviz.pipeline.choices import make_judge
from ragviz.pipeline.growing import GrowingRun
from ragviz.pipeline.judging import judge_run
from ragviz.records import LoadIssue, Trace
from ragviz.store import Store
from ragviz.text.counts import counted

INTERVAL_S = 1.0
SETTLED_S = 2.0
"""A file is read once nothing was written to it for so long."""
CUT_S = 60.0
"""A file that ends in the middle of a record is waited for so long."""
BATCH = 500
UNFINISHED = (".tmp", ".temp", ".part", ".partial", ".crdownload", ".swp", ".lock", "~")
Say = Callable[[str], None]


class Seen(msgspec.Struct, frozen=True, kw_only=True):
    """A file as it was when it was last read."""

    size: int
    mtime_ns: int
    digest: str
    """Of its content: a copy under another name brings nothing new."""
    problem: str = ""


class Watcher:
    """Reads what is new, one file after the other. What was done is noted in the store, so a killed watcher goes on where it was."""

    def __init__(
        self, store: Store, folder: Path, *, run_name: str | None = None, judge: str | None = None, api_key: str | None = None, say: Say = lambda _: None,
        cancel: threading.Event | None = None, settled_s: float = SETTLED_S,
    ) -> None:
        """
        Args:
            store: Where the run is.
            folder: Watched with its subfolders; hidden and temporary files are left out.
            run_name: What the run is called; None = the folder's name.
            judge: Who judges; None = the verdicts that came with the first file, else ``local``.
            api_key: For judges that need one.
            say: Told one line for each file.
            cancel: Stops between batches.
            settled_s: See ``SETTLED_S``.

        Raises:
            InputError: No such folder.
            JudgeUnavailable: The judge cannot work here.
        """
        if not folder.is_dir():
            raise InputError(f"{folder} is not a folder", fix="name the folder that the files are written to; single files are read by: ragviz import FILE")
        if judge is not None:
            state = make_judge(judge, api_key=api_key).available()
            if not state.ok:
                raise JudgeUnavailable(state.reason, fix=state.fix)
        self.run = GrowingRun(store, run_name or folder.resolve().name or "watched", kind="watch")
        self.n_files = self.n_traces = self.n_bad = 0
        self._store, self._folder, self._judge, self._api_key, self._say, self._settled_s = store, folder, judge, api_key, say, settled_s
        self._cancel = cancel or threading.Event()
        self._first_met: dict[tuple[str, int, int], float] = {}
        """When each state of a file was met, by our own clock: a file system's may run differently."""

    def run_until_cancelled(self, *, interval_s: float = INTERVAL_S) -> None:
        """Look again and again until the event is set."""
        while not self._cancel.is_set():
            self.look()
            self._cancel.wait(interval_s)

    def run_once(self, *, interval_s: float = INTERVAL_S) -> None:
        """Until nothing is waited for any more."""
        while self.look() and not self._cancel.is_set():
            self._cancel.wait(interval_s)

    def look(self) -> int:
        """Read what is new and complete; says how many files are still waited for."""
        known = {
            name.removeprefix(f"{self.run.run_id}/"): seen for name, seen in self._store.kept("watched", Seen).items() if name.startswith(f"{self.run.run_id}/")
        }
        waiting = 0
        for name, path in self._files():
            if self._cancel.is_set():
                return waiting
            try:
                stat = path.stat()
            except OSError:
                continue  # gone again, or not ours to read: nothing to say until it is back
            before = known.get(name)
            if before is not None and (before.size, before.mtime_ns) == (stat.st_size, stat.st_mtime_ns):
                continue
            now = time.monotonic()
            age = now - self._first_met.setdefault((name, stat.st_size, stat.st_mtime_ns), now)
            if age < self._settled_s:
                waiting += 1
                continue
            waiting += not self._take(name, path, size=stat.st_size, mtime_ns=stat.st_mtime_ns, known=known, patient=age < CUT_S)
        self._judge_rest()
        return waiting

    def _files(self) -> Iterator[tuple[str, Path]]:
        """Relative name and path of each file, in order of names."""
        for path in sorted(self._folder.rglob("*")):
            name = path.relative_to(self._folder).as_posix()
            if not any(part.startswith(".") for part in name.split("/")) and not name.lower().endswith(UNFINISHED) and path.is_file():
                yield name, path

    def _take(self, name: str, path: Path, *, size: int, mtime_ns: int, known: dict[str, Seen], patient: bool) -> bool:
        """Read one file; False when it is to be waited for."""
        try:
            with path.open("rb") as opened:
                content = hashlib.file_digest(opened, "sha256").hexdigest()
        except OSError as exc:
            return self._note(
                name, Seen(size=size, mtime_ns=mtime_ns, digest="", problem=exc.strerror or "cannot be read"), known, fix="change its permissions"
            )
        if any(other != name and seen.digest == content for other, seen in known.items()):
            self._say(f"{name}: the same as a file that was read before")
            return self._note(name, Seen(size=size, mtime_ns=mtime_ns, digest=content), known)
        rows, problem, fix = self._read(name, path)
        if any(isinstance(row, LoadIssue) and "cut off" in row.message for row in rows) and patient:
            return False
        n_new = self._store_rows(name, rows)
        if n_new is None:
            return False
        self.n_files += 1
        self.n_traces += n_new
        n_told, n_issues = sum(isinstance(r, Trace) for r in rows), sum(isinstance(r, LoadIssue) for r in rows)
        if n_told:
            self._say(
                f"{name}: {counted(n_new, 'new trace')}"
                + (f", {n_told - n_new:,} known" if n_told > n_new else "")
                + (f", {counted(n_issues, 'issue')}" if n_issues else "")
            )
        return self._note(name, Seen(size=size, mtime_ns=mtime_ns, digest=content, problem=problem), known, fix=fix)

    def _read(self, name: str, path: Path) -> tuple[list[Trace | LoadIssue], str, str]:
        """Its rows; and, where there is no trace among them, why and what would help."""
        try:
            rows = list(read_many([path]))
        except RagvizError as exc:
            return [], exc.message, exc.fix
        if any(isinstance(row, Trace) for row in rows):
            return rows, "", ""
        first = next((row for row in rows if isinstance(row, LoadIssue)), None)
        return rows, first.message if first else "no trace in it", first.fix if first else f"see what {name} holds with: ragviz import"

    def _store_rows(self, name: str, rows: list[Trace | LoadIssue]) -> int | None:
        """In batches; None when stopped before the end."""
        n_new = 0
        for start in range(0, len(rows), BATCH):
            if self._cancel.is_set():
                return None
            n_new += len(self.run.add(self._told_apart(name, rows[start : start + BATCH])))
        return n_new

    def _told_apart(self, name: str, rows: list[Trace | LoadIssue]) -> list[Trace | LoadIssue]:
        """Two files may both call their first trace row-1: the later one's gets the file's name in front."""
        made: list[Trace | LoadIssue] = [
            msgspec.structs.replace(r, origin=_in_folder(r.origin, name))
            if isinstance(r, Trace)
            else msgspec.structs.replace(r, where=_in_folder(r.where, name))
            for r in rows
        ]
        known = self.run.origins([r.id for r in made if isinstance(r, Trace)])
        return [
            msgspec.structs.replace(r, id=f"{name}/{r.id}") if isinstance(r, Trace) and r.id in known and _file_of(known[r.id]) != name else r for r in made
        ]

    def _note(self, name: str, seen: Seen, known: dict[str, Seen], *, fix: str = "") -> bool:
        """Write down what became of a file; a problem is said once."""
        if seen.problem:
            self.n_bad += 1
            self._say(f"{name}: {seen.problem}" + (f" → {fix}" if fix else ""))
        self._store.keep("watched", f"{self.run.run_id}/{name}", seen)
        known[name] = seen
        return True

    def _judge_rest(self) -> None:
        """All that is not judged, also what a killed watcher left behind. Cancelled when stopped between batches."""
        if not self.run.exists or self._cancel.is_set():
            return
        judge = self._judge or self._judge_of_run()
        report = judge_run(self._store, self.run.run_id, judge, api_key=self._api_key, cancel=self._cancel)
        self._judge = judge or report.judge.judge
        if report.n_traces:
            self._say(
                f"judged by {report.judge.judge}: {counted(report.n_traces, 'trace')}"
                + (f", {counted(report.n_unjudged, 'pair')} unjudged" if report.n_unjudged else "")
            )

    def _judge_of_run(self) -> str | None:
        """Who judged the run before: a file with verdicts of its own must not change the judge on the way."""
        views = self._store.views(self.run.run_id)
        name = views[0][0].judge.split(":")[0] if views else None
        return name if name in ("local", "facts", "imported") else None


def _in_folder(where: str, name: str) -> str:
    """``x.jsonl:17`` with the file's name in the folder, since two subfolders may hold files of one name."""
    head, colon, line = where.rpartition(":")
    return f"{name}:{line}" if colon and head else name


def _file_of(origin: str) -> str:
    return origin.rpartition(":")[0] or origin
