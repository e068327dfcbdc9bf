"""
Everything ragviz raises on purpose. The dashboard and the command line show these without a traceback.

RagvizError                 carries .fix, one sentence that says what to do
├── InputError              the user's file or text
│   ├── UnreadableFile      no loader fits, or the file is cut off
│   └── BadTrace            one record; its message starts with file:line
├── SetupError              something the user can install, choose or spell differently
│   ├── JudgeUnavailable    package, weights or key missing
│   └── UnknownName         no such judge, metric, loader, run
├── BackendError            a model or a service failed; carries .retryable
├── Cancelled               the user stopped the work; what was finished is kept
│   └── BudgetSpent         what may be spent is spent; the same
└── StoreError              database newer than this version, locked, damaged
"""

from __future__ import annotations


class RagvizError(Exception):
    """A fault with a message for people: one sentence saying what and where, and one saying how to fix it."""

    def __init__(self, message: str, *, fix: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.fix = fix


class InputError(RagvizError):
    """The user's file or text cannot be used as it is."""


class UnreadableFile(InputError):
    """No loader fits the file, or it is cut off before anything could be read."""


class BadTrace(InputError):
    """One record cannot become a trace; the others are not affected."""


class SetupError(RagvizError):
    """The user can repair this by installing, choosing or spelling something differently."""


class JudgeUnavailable(SetupError):
    """A judge or rater lacks its package, its weights or its key."""


class UnknownName(SetupError):
    """No judge, metric, loader or run of that name."""


class BackendError(RagvizError):
    """A model or a service failed while it was being used."""

    def __init__(self, message: str, *, fix: str = "", retryable: bool = False) -> None:
        super().__init__(message, fix=fix)
        self.retryable = retryable


class Cancelled(RagvizError):
    """The user stopped the work. Everything finished before is stored."""


class BudgetSpent(Cancelled):
    """What may be spent on a service is spent. Everything finished before is stored; the message says what is left."""


class StoreError(RagvizError):
    """The database is newer than this version, locked, full or damaged."""
