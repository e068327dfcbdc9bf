"""Options of the commands that bring traces in: open, import, watch, receive, feedback."""

from __future__ import annotations

from ragviz.cli.argument_types import port, run_name
from ragviz.cli.shared_options import (
    Commands,
    command,
    json_option,
    judge_option,
    reading_options,
    redact_option,
    split_options,
    store_option,
)


def add_open(commands: Commands) -> None:
    """Declare ``ragviz open``."""
    parser = command(commands, "open", "opening", "import files if given, and open the dashboard")
    parser.add_argument("files", nargs="*", metavar="FILE")
    store_option(parser)
    reading_options(parser)
    redact_option(parser, "before anything is stored")
    parser.add_argument("--port", type=port, help="port (default: 8501, or the next free one)")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: this machine only)")
    parser.add_argument("--allowed-host", metavar="NAME", action="append", default=[],
                        help="a further name the server answers to, as dash.example.com or *.example.com; all other names are refused")
    parser.add_argument(
        "--i-understand-no-auth",
        action="store_true",
        help="allow an address that others can reach although nobody has to sign in: anyone there can read every trace",
    )
    parser.add_argument("--no-browser", action="store_true", help="do not open a browser window")


def add_import(commands: Commands) -> None:
    """Declare ``ragviz import``."""
    parser = command(commands, "import", "importing", "read files into the store")
    parser.add_argument("files", nargs="+", metavar="FILE", help="files, folders, globs; - for standard input")
    reading_options(parser)
    parser.add_argument(
        "--separate",
        action="store_true",
        help="one run per file, each file of a folder too, named after it (default: all files are one run); documents, questions and relevance labels in a folder go with each run of it; with --json a list of reports",
    )
    split_options(parser)
    store_option(parser)
    redact_option(parser, "before anything is stored")
    parser.add_argument("--rejects", metavar="OUT", help="save the rejected rows with reasons (CSV)")
    json_option(parser)


def add_watch(commands: Commands) -> None:
    """Declare ``ragviz watch``."""
    parser = command(commands, "watch", "watching", "import and judge the files of a folder as they appear, until Ctrl+C")
    parser.add_argument("folder", metavar="FOLDER", help="watched with its subfolders; hidden and temporary files are left out")
    parser.add_argument("--run", metavar="NAME", type=run_name, help="name of the run that all files go to (default: the folder's name)")
    judge_option(parser)
    parser.add_argument("--once", action="store_true", help="end when every file was read")
    store_option(parser)


def add_receive(commands: Commands) -> None:
    """Declare ``ragviz receive``."""
    parser = command(commands, "receive", "receiving", "receive OpenTelemetry spans (OTLP over HTTP) as traces, and judge them, until Ctrl+C")
    parser.add_argument("--port", type=port, default=4318, help="port (default: 4318, where tracers look first)")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: this machine only)")
    parser.add_argument("--run", metavar="NAME", type=run_name, default="received", help="name of the run that the traces go to (default: received)")
    judge_option(parser)
    parser.add_argument("--no-judge", action="store_true", help="store the traces only")
    parser.add_argument(
        "--i-understand-no-auth", action="store_true", help="allow an address that others can reach without RAGVIZ_RECEIVE_TOKEN: anyone there can write traces"
    )
    store_option(parser)


def add_feedback(commands: Commands) -> None:
    """Declare ``ragviz feedback``."""
    parser = command(commands, "feedback", "feedback", "put errors that users reported onto the traces of a run")
    parser.add_argument("file", metavar="FILE", help="CSV, JSON or JSON Lines: trace_id or question; optionally claim, verdict, reporter, reason, time")
    parser.add_argument("--run", metavar="RUN", type=run_name, required=True, help="the run they speak of")
    judge_option(parser)
    parser.add_argument("--reporter", metavar="NAME", default="user", help="who reported, for rows that do not say (default: user)")
    store_option(parser)
    json_option(parser)
