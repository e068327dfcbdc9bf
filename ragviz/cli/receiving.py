"""``ragviz receive``: spans of OpenTelemetry as traces, judged as they come in."""

from __future__ import annotations

import argparse
import os
import sys
import threading
from collections import deque

from ragviz.backends import otlp_http
from ragviz.cli.interrupting import stop_on_interrupt
from ragviz.cli.printing import plain
from ragviz.cli.stores import api_key, opened_store
from ragviz.errors import Cancelled, JudgeUnavailable, RagvizError, SetupError
from ragviz.figures.plot_text import counted
from ragviz.pipeline import judge_run, make_judge
from ragviz.pipeline.growing import GrowingRun
from ragviz.pipeline.receiving import Receiver
from ragviz.store import Store
from ragviz.text.hosts import is_this_machine

TICK_S = 0.25
AT_ONCE = 20
"""Traces judged before late spans have their turn again."""
TOKEN = "RAGVIZ_RECEIVE_TOKEN"  # noqa: S105 - the name of a variable


def run(args: argparse.Namespace) -> int:
    """Listen until Ctrl+C; what is still waiting is stored before the end."""
    token = os.environ.get(TOKEN) or None
    if not is_this_machine(args.host) and token is None and not args.i_understand_no_auth:
        raise SetupError(f"other machines can reach {args.host}, and anyone there could write traces",
                         fix=f"leave --host out, or set {TOKEN} and send it as Authorization: Bearer, or add --i-understand-no-auth")
    otlp_http.require()
    if args.judge is not None:
        state = make_judge(args.judge, api_key=api_key()).available()
        if not state.ok:
            raise JudgeUnavailable(state.reason, fix=state.fix)
    with opened_store(args.store) as store, stop_on_interrupt() as cancel:
        receiver = Receiver(GrowingRun(store, args.run, kind="receive"))
        changed: deque[str] = deque()

        def take(payload: object) -> tuple[int, int, str]:
            taken = receiver.take(payload)  # type: ignore[arg-type]
            return taken.n_taken, taken.n_rejected, taken.why

        app = otlp_http.OtlpApp(take, hosts=frozenset({"localhost", "127.0.0.1", "::1", args.host.lower()}), token=token)
        with otlp_http.OtlpServer(app, host=args.host, port=args.port) as server:
            shown = f"[{args.host}]" if ":" in args.host else args.host
            say(f"Receiving spans at http://{shown}:{server.port}{otlp_http.PATH} into run {args.run!r}. Stop with Ctrl+C.")
            judging = threading.Thread(target=_judge, args=(store, receiver, args, changed, cancel), name="ragviz-receive-judge", daemon=True)
            if not args.no_judge:
                judging.start()
            _store_until(receiver, changed, cancel)
        _store(receiver, changed, everything=True)
        if judging.is_alive():
            judging.join(30)
    say(f"{counted(receiver.n_traces, 'trace')} stored, {receiver.n_updated:,} told anew by late spans.")
    return 0


def say(line: str) -> None:
    """One line on stdout, at once."""
    sys.stdout.write(f"{plain(line)}\n")
    sys.stdout.flush()


def _store_until(receiver: Receiver, changed: deque[str], cancel: threading.Event) -> None:
    while not cancel.wait(TICK_S):
        _store(receiver, changed, everything=False)


def _store(receiver: Receiver, changed: deque[str], *, everything: bool) -> None:
    """A store that is locked for a moment must not end the server: what was not stored is tried again."""
    try:
        fresh = receiver.store_ready(everything=everything)
    except RagvizError as exc:
        sys.stderr.write(f"Not stored yet: {plain(exc.message)}. {plain(exc.fix)}\n")
        return
    changed.extend(fresh)
    if fresh:
        say(f"{counted(len(fresh), 'trace')} stored" if len(fresh) > 1 else f"trace {fresh[0]} stored")


def _judge(store: Store, receiver: Receiver, args: argparse.Namespace, changed: deque[str], cancel: threading.Event) -> None:
    """Beside the receiving, so that a slow judge keeps no span waiting. What an earlier start left unjudged comes first."""
    judge, told = args.judge, ""
    open_: list[str] = store.trace_ids(receiver.run.run_id) if receiver.run.exists else []
    while not cancel.wait(TICK_S):
        while changed:
            open_.append(changed.popleft())
        if not open_:
            continue
        try:
            with receiver.judging:
                report = judge_run(store, receiver.run.run_id, judge, trace_ids=open_[:AT_ONCE], api_key=api_key(), cancel=cancel)
            judge = judge or report.judge.judge
            del open_[:AT_ONCE]
        except Cancelled:
            return
        except RagvizError as exc:
            if exc.message != told:
                told = exc.message
                sys.stderr.write(f"Not judged: {plain(exc.message)}. {plain(exc.fix)}\n")
