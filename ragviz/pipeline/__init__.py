"""
Traces to verdicts to scores: the only place where rooms are put together.

What it offers is loaded when it is asked for: listing runs needs no judge, and reading all of them takes longer than most commands.
"""

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ragviz.pipeline.batching import judge_in_batches
    from ragviz.pipeline.choices import JudgeChoice, claim_set_of, default_judge, judges_here, make_judge
    from ragviz.pipeline.copying import copy_runs
    from ragviz.pipeline.curves import RetrievalCurves, retrieval_curves
    from ragviz.pipeline.evaluating import evaluate, evaluate_run
    from ragviz.pipeline.evaluation import Evaluation
    from ragviz.pipeline.exporting import export_run
    from ragviz.pipeline.importing import ImportReport, import_files
    from ragviz.pipeline.jobs import Handle, Jobs, JobState, JobStatus
    from ragviz.pipeline.judging import JudgeReport, best_view, judge_run, view_of
    from ragviz.pipeline.planning import Plan, plan
    from ragviz.pipeline.rejudging import rejudge_claim, rejudge_claims
    from ragviz.pipeline.scoring import Progress, annotate, result_of, score_view
    from ragviz.pipeline.verdict_cache import export_cache, load_cache

_HOMES = {
    "batching": ("judge_in_batches",),
    "choices": ("JudgeChoice", "claim_set_of", "default_judge", "judges_here", "make_judge"),
    "copying": ("copy_runs",),
    "curves": ("RetrievalCurves", "retrieval_curves"),
    "evaluating": ("evaluate", "evaluate_run"),
    "evaluation": ("Evaluation",),
    "exporting": ("export_run",),
    "importing": ("ImportReport", "import_files"),
    "jobs": ("Handle", "JobState", "JobStatus", "Jobs"),
    "judging": ("JudgeReport", "best_view", "judge_run", "view_of"),
    "planning": ("Plan", "plan"),
    "rejudging": ("rejudge_claim", "rejudge_claims"),
    "scoring": ("Progress", "annotate", "result_of", "score_view"),
    "verdict_cache": ("export_cache", "load_cache"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> object:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found: object = getattr(importlib.import_module(f"{__name__}.{_HOME_OF[name]}"), name)
    globals()[name] = found
    return found


__all__ = [
    "Evaluation", "Handle", "ImportReport", "JobState", "JobStatus", "Jobs", "JudgeChoice", "JudgeReport", "Plan", "Progress",
    "RetrievalCurves", "annotate", "best_view", "claim_set_of", "copy_runs", "default_judge", "evaluate", "evaluate_run", "export_cache", "export_run", "import_files", "judge_in_batches", "judge_run",
    "judges_here", "load_cache", "make_judge", "plan", "rejudge_claim", "rejudge_claims", "result_of", "retrieval_curves", "score_view", "view_of",
]
