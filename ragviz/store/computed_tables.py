"""Tables of what is worked out from traces and the words on them: results of a view, their counts, whole columns. All of it can be worked out again."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Column,
    ColumnElement,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    literal_column,
)

from ragviz.store.table_types import Key, Ordered, metadata

view = Table(
    "view", metadata,
    Column("key", Key, primary_key=True),
    Column("run", ForeignKey("run.key"), nullable=False),
    Column("hash", LargeBinary, nullable=False, unique=True),
    Column("fingerprint", Text, nullable=False),
    Column("claim_set", String, nullable=False),
    Column("body", LargeBinary, nullable=False),
    Column("names", LargeBinary, nullable=False),  # names of the values in result.scores, in their order
    Column("dictionary", LargeBinary, nullable=False),  # what detail.body is compressed against: a few typical bodies
)

SORTABLE_SCORES = (
    "faithfulness", "hallucination", "correctness", "relevance", "context_recall", "context_precision", "recall_at_k", "precision_at_k",
)

result = Table(
    "result", metadata,
    Column("view", ForeignKey("view.key"), nullable=False),
    Column("trace", BigInteger, nullable=False),
    Column("quadrant", Ordered, nullable=False),
    Column("cause", Ordered, nullable=False),
    *(Column(name, Float) for name in SORTABLE_SCORES),
    Column("n_claims", Integer, nullable=False),
    Column("n_supported", Integer, nullable=False),
    Column("n_not_supported", Integer, nullable=False),
    Column("n_contradicted", Integer, nullable=False),
    Column("n_conflicted", Integer, nullable=False),
    Column("n_unjudged", Integer, nullable=False),
    Column("scores", LargeBinary, nullable=False),  # float64, NaN where there is no value
    PrimaryKeyConstraint("view", "trace"),
    sqlite_with_rowid=False,
)

for _name in ("quadrant", "cause", *SORTABLE_SCORES[:4], "n_claims"):
    Index(f"result_by_{_name}", result.c.view, result.c[_name], result.c.trace)


def has_some(verdict: str) -> ColumnElement[bool]:
    """Some response claim has that verdict. With the number written out: a bound one would hide the index from the database."""
    return result.c[f"n_{verdict}"] > literal_column("0")


for _name in ("not_supported", "contradicted", "conflicted", "unjudged"):
    Index(f"result_with_{_name}", result.c.view, result.c.trace, result.c[f"n_{_name}"], sqlite_where=has_some(_name), postgresql_where=has_some(_name))

# Kept apart, so that sorting and counting read short rows.
detail = Table(
    "detail", metadata,
    Column("view", ForeignKey("view.key"), nullable=False),
    Column("trace", BigInteger, nullable=False),
    Column("worst_verdict", String),
    Column("worst_claim", Text, nullable=False),
    Column("body", LargeBinary, nullable=False),
    PrimaryKeyConstraint("view", "trace"),
)

# Counts over a whole view, kept up to date with every result that comes or goes.
tally = Table(
    "tally", metadata,
    Column("view", ForeignKey("view.key"), nullable=False),
    Column("kind", String, nullable=False),
    Column("name", String, nullable=False),
    Column("n", BigInteger, nullable=False),
    PrimaryKeyConstraint("view", "kind", "name"),
)

# Since schema 5. Whole columns of a run, some thousand traces a row, so that pages over a million traces read numbers instead of records.
# Made from the tables above when they are looked at or a run is complete; deleted by whatever changes one of their traces.
block = Table(
    "block", metadata,
    Column("run", ForeignKey("run.key"), nullable=False),
    Column("view", BigInteger, nullable=False),  # 0: of the traces themselves, whoever judged them
    Column("n", Integer, nullable=False),
    Column("name", Text, nullable=False),
    Column("version", BigInteger, nullable=False),  # the run's, when it was made
    Column("body", LargeBinary, nullable=False),
    PrimaryKeyConstraint("run", "view", "n", "name"),
)
