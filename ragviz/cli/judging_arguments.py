"""Options of the commands that judge and measure judges: judge, evaluate, ragas, calibrate, stability."""

from __future__ import annotations

from ragviz.cli.argument_types import names, positive
from ragviz.cli.shared_options import (
    Commands,
    budget_options,
    claims_and_raters,
    command,
    json_option,
    judge_option,
    k_option,
    output_options,
    reading_options,
    store_option,
)

POLICIES = ("default", "strict", "ragas", "deepeval", "ragchecker")
PROBES = ("repeated", "shuffled", "distractor", "reworded")


def add_judge(commands: Commands) -> None:
    """Declare ``ragviz judge``."""
    parser = command(commands, "judge", "judging", "judge the claims of a run that is in the store, or of a folder of Parquet files")
    parser.add_argument(
        "run", metavar="RUN", help="a run of the store; with --out: a folder, or an address such as s3://bucket/traces, with Parquet that ragviz exported"
    )
    parser.add_argument(
        "--out", metavar="FOLDER", help="write judged traces there as Parquet, past the store; `ragviz import FOLDER` reads them back with their verdicts"
    )
    judge_option(parser)
    claims_and_raters(parser)
    budget_options(parser)
    parser.add_argument(
        "--batch",
        action="store_true",
        help="send everything through the service's batches: half the price, within a day; stop at any time, the same command goes on",
    )
    parser.add_argument(
        "--engine",
        choices=("local", "ray"),
        default="local",
        help="where batches run: in this process, or on the workers of a Ray cluster (needs 'ragviz[ray]')",
    )
    parser.add_argument(
        "--address", metavar="ADDRESS", help="with --engine ray: a cluster that runs, auto on one of its nodes (default: one is started on this machine)"
    )
    parser.add_argument(
        "--workers",
        type=positive,
        metavar="N",
        help="so many processes that hold the model, for judges without network: of this machine (default: none but this one), or with --engine ray (default: one for each processor)",
    )
    parser.add_argument("--limit", type=positive, metavar="N", help="only the first N traces")
    store_option(parser)
    json_option(parser)


def add_evaluate(commands: Commands) -> None:
    """Declare ``ragviz evaluate``."""
    parser = command(commands, "evaluate", "evaluating", "judge a file or a run and print every score")
    parser.add_argument("files", nargs="+", metavar="FILE|RUN", help="a file (several that belong together), or a run of the store")
    judge_option(parser)
    claims_and_raters(parser)
    k_option(parser)
    parser.add_argument("--strict-k", action="store_true", help="refuse traces without exactly N distinct passages")
    parser.add_argument("--policy", choices=POLICIES, default="default", help="convention for refusals, conflicts, unjudged and empty claims")
    reading_options(parser)
    store_option(parser)
    output_options(parser)


def add_ragas(commands: Commands) -> None:
    """Declare ``ragviz ragas``."""
    parser = command(commands, "ragas", "foreign_scoring", "score a run of the store with Ragas' own metrics, kept as imported scores (needs 'ragviz[ragas]')")
    parser.add_argument("run", metavar="RUN")
    parser.add_argument(
        "--metrics",
        metavar="NAME,…",
        type=names,
        default=["faithfulness"],
        help="which: faithfulness, answer_relevancy, context_precision, context_recall, factual_correctness, … as Ragas names them (default: faithfulness)",
    )
    parser.add_argument("--model", metavar="NAME", help="the model that Ragas asks; has to be named")
    parser.add_argument(
        "--provider", choices=("anthropic", "openai"), default="anthropic", help="whose wire format; the key comes from ANTHROPIC_API_KEY or OPENAI_API_KEY"
    )
    parser.add_argument("--base-url", metavar="URL", help="another address that speaks the same wire format")
    parser.add_argument(
        "--embeddings", metavar="NAME", default="local", help="for answer_relevancy and the like: local, or an embedding model of the OpenAI-compatible address"
    )
    parser.add_argument("--limit", type=positive, metavar="N", help="only the first N traces")
    store_option(parser)
    json_option(parser)


def add_calibrate(commands: Commands) -> None:
    """Declare ``ragviz calibrate``."""
    parser = command(commands, "calibrate", "calibrating", "measure a judge against people's labels")
    parser.add_argument("labels", nargs="+", metavar="LABELS.jsonl")
    judge_option(parser)
    parser.add_argument("--limit", type=positive, metavar="N", help="only the first N labels")
    parser.add_argument(
        "--fit", action="store_true", help="correct the judge's confidence on a part of the labels and store that; the figures are those of the other part"
    )
    parser.add_argument(
        "--split", metavar="FRACTION|NAME", help="with --fit: the share of groups to fit on (default 0.5), or the rows whose own split has this name"
    )
    parser.add_argument("--seed", type=int, metavar="N", help="with --fit: parts the groups otherwise (default 0)")
    store_option(parser)
    json_option(parser)


def add_stability(commands: Commands) -> None:
    """Declare ``ragviz stability``."""
    parser = command(commands, "stability", "steadying", "ask a judge again, and the same in another dress: how many verdicts change")
    parser.add_argument("source", metavar="RUN|LABELS.jsonl", help="a run of the store, or a file with claims and passages")
    judge_option(parser)
    parser.add_argument(
        "--sample", type=positive, default=100, metavar="N", help="claims that are asked about, drawn by chance, one of each answer first (default 100)"
    )
    parser.add_argument("--repeats", type=positive, default=2, metavar="N", help="how often each is asked anew (default 2)")
    parser.add_argument("--probes", type=names, default=list(PROBES), metavar="NAME,…", help=f"of {', '.join(PROBES)} (default: all)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="draws other claims and asks anew (default 0)")
    store_option(parser)
    json_option(parser)
