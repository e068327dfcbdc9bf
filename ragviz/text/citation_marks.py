"""Where an answer cites, in whatever style, and which retrieved passages that means."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping

import msgspec

from ragviz.records import Citation, Passage, Span, Trace
from ragviz.text.source_lists import trailing_sources

__all__ = ["CitationMark", "citation_marks", "resolve_citations", "trailing_sources"]


class CitationMark(msgspec.Struct, frozen=True, kw_only=True):
    """One mark as written; several labels where it names several sources."""

    span: Span
    text: str
    labels: tuple[str, ...]
    """As written, ranges spelled out: "[1, 3-5]" gives 1, 3, 4, 5."""


_WORD = (
    r"(?:sources?|docs?|documents?|passages?|chunks?|contexts?|refs?\.?|references?|citations?|excerpts?|snippets?|results?|nodes?"
    r"|quellen?|dokumente?|textstellen?|extraits?|fuentes?|documentos?|出典|来源|資料|文献)"
)
_JOIN = r"\s{0,3}(?:,|;|&|/|[\u2010-\u2015-]|\band\b|\bto\b|\bund\b|\bbis\b|\bet\b|\by\b|、|，)\s{0,3}"
_NUMBERS = rf"\^?\d{{1,5}}(?:{_JOIN}\^?\d{{1,5}}){{0,200}}"
_LABELLED = rf"{_WORD}(?:\s{{0,2}}[:#]?\s{{0,2}}|\s?(?:no|nr)\.?\s?){_NUMBERS}"
_LINK = r"(?:\((?:[a-z][a-z0-9+.-]{1,20}:|www\.|/|#)[^\s()]{0,500}(?:\([^\s()]{0,80}\)[^\s()]{0,80})?\))?"
_MARK = re.compile(
    rf"\[(?P<numbers>{_NUMBERS})\](?!:){_LINK}"
    rf"|[\[(](?:see\s|siehe\s|vgl\.\s|cf\.\s)?(?P<labelled>{_LABELLED}(?:{_JOIN}{_LABELLED}){{0,50}})[\])]{_LINK}"
    r"|\u3010(?P<corner>[^\u3011\n]{1,120})\u3011"
    r"|(?<=[^\W\d_]{3})(?P<raised>[\u00b9\u00b2\u00b3\u2070\u2074-\u2079]{1,3}(?:[,\u207b\u02d2 ]{1,2}[\u00b9\u00b2\u00b3\u2070\u2074-\u2079]{1,3}){0,20})"
    r"|(?<=[.,;:!?)\"\u201d])(?P<raised2>[\u00b9\u00b2\u00b3\u2070\u2074-\u2079]{1,3}(?:[,\u207b ]{1,2}[\u00b9\u00b2\u00b3\u2070\u2074-\u2079]{1,3}){0,20})"
    r"|\((?P<key>[^\W\d_][\w\u2019'-]{0,60}\d{4}[a-z]?\s(?:pages?|pp?\.|chunks?|sections?|sec\.)\s?[\d\u2013-]{1,15}(?:[,;]\s?[^\W\d_][\w\u2019'-]{0,60}\d{4}[a-z]?\s(?:pages?|pp?\.|chunks?|sections?|sec\.)\s?[\d\u2013-]{1,15}){0,30})\)"
    r"|\[(?P<name>[^\[\]\n]{1,200})\](?P<target>\((?P<url>[^\s()]{1,500})\))?"
    r"|(?<!\])\((?P<round>[^()\n]{1,200})\)",
    re.IGNORECASE,
)
_MAY_CITE = re.compile(r"[\[(\u3010\u00b9\u00b2\u00b3\u2070\u2074-\u2079]")
"""Every style of mark begins with one of these; most answers of a system that does not cite have none."""
_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]{1,200}`", re.DOTALL)
_SUPERSCRIPTS = str.maketrans("\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079\u207b", "0123456789-")
_RANGE_OR_NUMBER = re.compile(r"(\d{1,5})(?:\s{0,3}(?:[\u2010-\u2015-]|\bto\b|\bbis\b)\s{0,3}(\d{1,5}))?")
_LONGEST_RANGE = 50


def _may_cite(text: str) -> bool:
    """False for a text in which no mark can be: looking for two letters is ten times faster than for a dozen, and most answers are ASCII."""
    if text.isascii():
        return "[" in text or "(" in text
    return _MAY_CITE.search(text) is not None


def citation_marks(text: str, names: Collection[str] = ()) -> list[CitationMark]:
    """
    All marks in order, those of a trailing list of sources left out. Linear.

    Args:
        text: The answer.
        names: Ids, titles and addresses of sources: ``[doc_7]`` or ``(Returns policy)`` is a mark only when it names one of them,
            or looks like them (``[doc_99]`` beside known ``doc_1`` … ``doc_5`` is an invented source).
    """
    if not _may_cite(text):
        return []
    known = {name.casefold() for name in names}
    shapes = {s for s in map(_shape, known) if any(c in s for c in "0-_:./")}
    sources = trailing_sources(text)
    limit = sources.start if sources else len(text)
    code = [m.span() for m in _CODE.finditer(text)]
    found: list[CitationMark] = []
    at = 0
    for match in _MARK.finditer(text, 0, limit):
        while at < len(code) and code[at][1] <= match.start():
            at += 1
        if at < len(code) and code[at][0] <= match.start():
            continue
        labels = _labels(match, known, shapes)
        if labels:
            start, end = match.span()
            found.append(CitationMark(span=Span(start, end), text=text[start:end], labels=labels))
    return found


def _labels(match: re.Match[str], known: set[str], shapes: set[str]) -> tuple[str, ...]:
    kind = match.lastgroup
    if match["numbers"]:
        inner = match["numbers"].replace("^", "")
        return () if re.fullmatch(r"(?:19|20)\d\d", inner) and inner not in known else _spell_out(inner)
    if match["labelled"]:
        return _spell_out(match["labelled"])
    raised = match["raised"] or match["raised2"]
    if raised:
        return _spell_out(raised.translate(_SUPERSCRIPTS))
    if match["corner"]:
        number, dagger, name = match["corner"].partition("\u2020")
        return (name.strip(),) if dagger and name.strip().casefold() in known else (number.strip(),)
    if match["key"]:
        return tuple(part.strip() for part in re.split(r"[,;]", match["key"]))
    inner = match["name"] or match["round"] or ""
    if match["url"] and match["url"].casefold() in known:
        return (match["url"],)
    return _names(inner, known, shapes, brackets=kind != "round")


def _names(inner: str, known: set[str], shapes: set[str], *, brackets: bool) -> tuple[str, ...]:
    """Labels when the whole content, or each part of it, names a source or (in brackets) looks like one."""
    whole = inner.strip().strip("\"'`\u201c\u201d")
    if whole.casefold() in known:
        return (whole,)
    parts = [re.sub(rf"^{_WORD}\s?[:#]\s?", "", part.strip(), flags=re.IGNORECASE).strip("\"'`\u201c\u201d ") for part in re.split(r"[,;]", inner)]
    hits = [part.casefold() in known for part in parts]
    if all(hits):
        return tuple(parts)
    if brackets and parts and all(hit or _shape(part.casefold()) in shapes for hit, part in zip(hits, parts, strict=True)):
        return tuple(parts)
    return ()


def _shape(name: str) -> str:
    """"kb-0012" and "kb-7" have one shape: a-0, with the leading letters kept."""
    return "" if " " in name or not re.search(r"\d", name) else re.sub(r"\d+", "0", name)


def _spell_out(inner: str) -> tuple[str, ...]:
    labels: list[str] = []
    for match in _RANGE_OR_NUMBER.finditer(inner):
        first, last = match.groups()
        if last is None:
            labels.append(first)
        elif int(first) <= int(last) <= int(first) + _LONGEST_RANGE:
            labels.extend(str(n) for n in range(int(first), int(last) + 1))
        else:
            labels.extend((first, last))
    return tuple(dict.fromkeys(labels))


def resolve_citations(trace: Trace) -> tuple[Citation, ...]:
    """
    The answer's marks with the passages they name; citations that came with the file are returned as they are.

    A number is the rank of a passage, from 1; where some number exceeds the ranks and all are document ids, it is the document id.
    Any other label is a passage's id, document id, title or source. What names no passage is kept in ``unresolved``.
    """
    if trace.citations is not None:
        return trace.citations
    if not _may_cite(trace.response):
        return ()
    passages = trace.passages or ()
    by_name = _by_name(passages)
    marks = citation_marks(trace.response, [*by_name])
    numbers = {label for mark in marks for label in mark.labels if label.isdigit()}
    ranks = {str(p.rank): (p.id,) for p in passages}
    by_rank: Mapping[str, tuple[str, ...]] = {} if numbers - ranks.keys() and numbers <= by_name.keys() else ranks
    return tuple(_resolve(mark, by_rank, by_name) for mark in marks)


def _by_name(passages: Iterable[Passage]) -> dict[str, tuple[str, ...]]:
    """Casefolded id, document id, title, source, in this order of precedence; a title of several passages names them all."""
    found: dict[str, dict[str, None]] = {}
    kinds: dict[str, int] = {}
    rows = list(passages)
    for kind, field in enumerate(("id", "doc_id", "title", "source")):
        for passage in rows:
            name = (getattr(passage, field) or "").strip().casefold()
            if name and kinds.setdefault(name, kind) == kind:
                found.setdefault(name, {})[passage.id] = None
    return {name: tuple(ids) for name, ids in found.items()}


def _resolve(mark: CitationMark, by_rank: Mapping[str, tuple[str, ...]], by_name: Mapping[str, tuple[str, ...]]) -> Citation:
    ids: dict[str, None] = {}
    unresolved = []
    for label in mark.labels:
        named = by_rank.get(label.lstrip("0") or label) or by_name.get(label.casefold())
        if named:
            ids.update(dict.fromkeys(named))
        else:
            unresolved.append(label)
    return Citation(span=mark.span, marker=mark.text, passage_ids=tuple(ids), unresolved=tuple(unresolved))
