"""What makes a better answer out of one that failed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import msgspec

from ragviz.backends.anthropic_client import Prompt, Reply
from ragviz.records import Attempt, Citation, Claim, JudgedTrace, Remedied, RemedySettings


class RemedyInfo(msgspec.Struct, frozen=True, kw_only=True):
    """What a remedy is, in words."""

    name: str
    version: str
    """Raised when the same input could give another answer."""
    label: str
    summary: str
    """One sentence for people."""
    hosted: bool
    """True when it asks a hosted model."""
    prompt_version: str | None = None


class Treated(msgspec.Struct, frozen=True, kw_only=True):
    """An answer after a remedy, and what was done to it."""

    response: str
    remedied: Remedied
    citations: tuple[Citation, ...] | None = None
    """Where it cites; None = to be read off the text."""
    claims: tuple[Claim, ...] = ()
    """Claims of the old answer that stand in the new one, at their places there; () where the answer is another."""


class Remedy(Protocol):
    """
    A pure step: same case and settings, same answer; no I/O, no model.

    Laws: the input is unchanged; a status of FAILED or UNCHANGED keeps the old answer; an empty answer is never given, it abstains in words.
    """

    @property
    def info(self) -> RemedyInfo:
        """Name, version, words."""
        ...

    def treat(self, case: JudgedTrace, settings: RemedySettings) -> Treated:
        """
        The answer after the remedy.

        Raises:
            InputError: A setting it needs is missing.
        """
        ...


class HostedRemedy(Protocol):
    """
    Asks a model in rounds; who asks, waits and pays is the pipeline. Pure as well: a prompt from a case, an answer from a reply.

    Laws: text of a trace stands between boundary lines only; an unreadable, cut or refused reply is an attempt with a ``failure``.
    """

    @property
    def info(self) -> RemedyInfo:
        """Name, version, words."""
        ...

    @property
    def schema(self) -> dict[str, Any]:
        """JSON schema replies are constrained to."""
        ...

    def prompt(self, case: JudgedTrace, settings: RemedySettings, earlier: Sequence[Attempt], *, token: Callable[[], str]) -> Prompt | None:
        """
        The next call; None when no further one is wanted.

        Args:
            case: The trace; where there were rounds, with the latest answer, its claims and their verdicts.
            settings: Of the remedy.
            earlier: The rounds so far; the first is round 0, the answer as it was.
            token: Source of unguessable boundary words.
        """
        ...

    def read(self, reply: Reply, case: JudgedTrace, settings: RemedySettings, *, round_: int) -> Attempt:
        """What a reply comes to; ``failure`` set where it is of no use."""
        ...

    def choose(self, attempts: Sequence[Attempt], settings: RemedySettings) -> int:
        """Place of the attempt that becomes the answer; 0 keeps the old one."""
        ...
