"""From a filter to SQL: allow-listed columns, bound values, and the shortest way to the keys of the traces that pass."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, FromClause, LargeBinary, Select, Text, and_, bindparam, func, literal, or_, select

from ragviz.contracts import View
from ragviz.errors import UnknownName
from ragviz.records import Grounding
from ragviz.store import schema, search
from ragviz.store.filters import FAILING_QUADRANTS, FAILING_VERDICTS, OF_TRACES, TraceFilter
from ragviz.store.plain import Plain, Source
from ragviz.store.results import VERDICT_COLUMNS, column_of, view_hash
from ragviz.store.terms import term_of

_T, _R = schema.trace.c, schema.result.c
TRACE_SORTS: dict[str, ColumnElement[Any]] = {
    "id": _T.trace_id, "started_at": _T.started_at, "latency_ms": _T.latency_ms, "cost_usd": _T.cost_usd,
}
RESULT_SORTS: dict[str, ColumnElement[Any]] = {name: _R[name] for name in ("quadrant", "cause", *schema.SORTABLE_SCORES, *VERDICT_COLUMNS)}


@dataclass(frozen=True)
class Scope:
    """A view inside the database."""

    run: int
    view: View
    n_traces: int
    first_key: int
    last_key: int
    view_key: int | None
    """None when nothing was computed for the view yet."""
    names: bytes
    sqlite: bool

    @property
    def in_one_piece(self) -> bool:
        """True when no other run's traces lie between: then the range of keys says which run a trace belongs to."""
        return self.last_key - self.first_key + 1 == self.n_traces


def _end(position: ColumnElement[int]) -> ColumnElement[int]:
    at = schema.trace.alias()
    return select(at.c.key).where(at.c.run == schema.run.c.key, at.c.position == position).scalar_subquery()


# Built once: SQLAlchemy takes longer to put such a statement together than the database takes to answer it.
_SCOPE = Plain(
    select(
        schema.run.c.key, schema.run.c.n_traces, _end(literal(0)).label("first"), _end(schema.run.c.n_traces - 1).label("last"), schema.view.c.key,
        schema.view.c.names,
    )
    .select_from(schema.run.outerjoin(schema.view, schema.view.c.hash == bindparam("hash", type_=LargeBinary)))
    .where(schema.run.c.run_id == bindparam("run_id", type_=Text))
)
_EMPTY_LIST = b"\x90"


def scope_of(conn: Source, view: View, where: str) -> Scope:
    """Look the view up."""
    row = next(iter(_SCOPE.ask(conn, {"hash": view_hash(view), "run_id": view.run_id})), None)
    if row is None:
        raise UnknownName(f"no run {view.run_id!r} in {where}", fix="see the runs with: ragviz open, page Data")
    run, n, first, last, view_key, names = row
    return Scope(
        run=run, view=view, n_traces=n, first_key=first or 0, last_key=last if last is not None else -1, view_key=view_key,
        names=names or _EMPTY_LIST, sqlite=not isinstance(conn, Connection) or conn.dialect.name == "sqlite",
    )


def sort_column(name: str, view: View) -> ColumnElement[Any] | None:
    """
    The column behind a sort name; None for the order of the file.

    Raises:
        UnknownName: Not a column one can sort by.
    """
    if name in ("order", ""):
        return None
    column = TRACE_SORTS.get(name)
    if column is None:
        column = RESULT_SORTS.get(column_of(name, view.retrieval_k))
    if column is None:
        raise UnknownName(f"traces cannot be sorted by {name!r}", fix=f"Known: order, {', '.join([*TRACE_SORTS, *RESULT_SORTS])}")
    return column


@dataclass(frozen=True)
class Keys:
    """A FROM clause and conditions that give the keys of the traces that pass a filter."""

    key: ColumnElement[int]
    source: FromClause
    conditions: tuple[ColumnElement[bool], ...]

    def select(self, *columns: ColumnElement[Any]) -> Select[Any]:
        """These columns of the traces that pass (their keys if none are named)."""
        return select(*(columns or (self.key,))).select_from(self.source).where(*self.conditions)

    def also(self, *conditions: ColumnElement[bool]) -> Keys:
        """Narrowed further."""
        return Keys(self.key, self.source, (*self.conditions, *conditions))


def keys(
    scope: Scope, where: TraceFilter, *, sort: ColumnElement[Any] | None = None, with_result: bool = False, by_mark: bool = True, of_others: bool = False
) -> Keys:
    """
    What passes the filter.

    ``sort`` is joined in if it needs its table; ``with_result`` joins results even where no condition asks for them (traces without
    one stay in, with NULLs). ``by_mark``: start from the tag or source that is asked for, which gives keys in ascending order; best
    unless it is a frequent one and something else decides the order. ``of_others``: keys of other runs' traces that lie between are told apart by the caller,
    who knows those of the run; looking each one up takes longer than finding its words.
    """
    inner = where.needs_results and "unknown" not in where.quadrants and not where.lacking
    conditions: list[ColumnElement[bool]] = []
    words = search.words_of(where.text)
    by_words = bool(words) and scope.sqlite
    sorts_trace = sort is not None and any(sort is column for column in TRACE_SORTS.values())
    sorts_result = sort is not None and not sorts_trace
    needs_trace = sorts_trace or where.needs_traces or (by_words and not scope.in_one_piece and not of_others) or (bool(words) and not scope.sqlite)
    terms = _terms(scope, where)
    source: FromClause
    key: ColumnElement[Any]
    if by_mark and terms and not by_words:
        source, key = schema.mark, schema.mark.c.trace
        conditions.append(schema.mark.c.term == terms.pop())
    elif by_words:
        source, key, found = search.index_matches(where.text)
        conditions += [found, key.between(scope.first_key, scope.last_key)]
    elif inner and not needs_trace:
        source, key = schema.result, _R.trace
    else:
        source, key, needs_trace = schema.trace, _T.key, True
    if needs_trace and source is not schema.trace:
        source = source.join(schema.trace, _T.key == key)
    if source is not schema.result and (where.needs_results or sorts_result or with_result):
        source = source.join(schema.result, and_(_R.view == scope.view_key, _R.trace == key), isouter=not inner)
    elif source is schema.result:
        conditions.append(_R.view == scope.view_key)
    if needs_trace:
        conditions.append(_T.run == scope.run)
    for term in terms:
        other = schema.mark.alias()
        conditions.append(select(literal(1)).where(other.c.term == term, other.c.trace == key).exists())
    conditions += _conditions(scope, where)
    return Keys(key, source, tuple(conditions))


def _terms(scope: Scope, where: TraceFilter) -> list[int]:
    asked = [("tag", name, value) for name, value in where.tags.items()]
    asked += [("source", "", where.source)] if where.source is not None else []
    return [term_of(scope.run, kind, name, value) for kind, name, value in asked]


def is_rare(conn: Connection, scope: Scope, where: TraceFilter, *, below: int = 3_000) -> bool:
    """True when one of the tags or sources asked for belongs to few traces."""
    m = schema.mark.c
    return any(
        conn.execute(select(func.count()).select_from(select(m.trace).where(m.term == term).limit(below).subquery())).scalar_one() < below
        for term in _terms(scope, where)
    )


def _conditions(scope: Scope, where: TraceFilter) -> list[ColumnElement[bool]]:
    found: list[ColumnElement[bool]] = []
    if where.quadrants:
        one_of = _R.quadrant.in_(where.quadrants)
        found.append(or_(one_of, _R.quadrant.is_(None)) if "unknown" in where.quadrants else one_of)
    if where.causes:
        found.append(_R.cause.in_(where.causes))
    if where.verdicts:
        found.append(or_(*(schema.has_some(Grounding(verdict)) for verdict in where.verdicts)))
    if where.failing:
        by_claim = and_(_R.quadrant == "unknown", or_(*(schema.has_some(verdict) for verdict in FAILING_VERDICTS)))
        found.append(or_(_R.quadrant.in_(FAILING_QUADRANTS), by_claim))
    if where.lacking:
        found.append(or_(*(_number(scope, name).is_(None) for name in where.lacking)))
    for name, lo, hi in where.ranges:
        column = _number(scope, name)
        found.append(column.is_not(None))
        found += [column >= lo] if lo is not None else []
        found += [column <= hi] if hi is not None else []
    if where.ids:
        found.append(_T.trace_id.in_(where.ids))
    if where.text and not scope.sqlite:
        condition = search.document_matches(where.text)
        found += [condition] if condition is not None else []
    return found


def _number(scope: Scope, name: str) -> ColumnElement[Any]:
    column = TRACE_SORTS[name] if name in OF_TRACES else RESULT_SORTS.get(column_of(name, scope.view.retrieval_k))
    if column is None:
        raise UnknownName(f"traces cannot be filtered by {name!r}", fix=f"Known: {', '.join([*OF_TRACES, *RESULT_SORTS])}")
    return column


def is_empty(where: TraceFilter) -> bool:
    """True when every trace passes."""
    return where == TraceFilter() or (where == TraceFilter(text=where.text) and not search.words_of(where.text))


def total(conn: Connection, scope: Scope, where: TraceFilter) -> int:
    """How many traces pass; from the kept counts where these can say."""
    if is_empty(where):
        return scope.n_traces
    t = schema.tally.c
    for kind, names, alone in (
        ("quadrant", where.quadrants, TraceFilter(quadrants=where.quadrants)), ("cause", where.causes, TraceFilter(causes=where.causes)),
    ):
        if names and "unknown" not in names and where == alone:
            kept = select(func.coalesce(func.sum(t.n), 0)).where(t.view == scope.view_key, t.kind == kind, t.name.in_(names))
            return int(conn.execute(kept).scalar_one())
    return int(conn.execute(keys(scope, where).select(func.count())).scalar_one())
