"""
Ragas' own metrics through its collections API, over the official SDK of whoever is asked.

Source: https://docs.ragas.io, ``ragas.metrics.collections`` and ``ragas.llms.llm_factory`` (0.4.3).
"""

from __future__ import annotations

import asyncio
import importlib.util
import inspect
import logging
import warnings
from collections.abc import Mapping, Sequence
from importlib import metadata
from typing import Any, Literal, NamedTuple, Self

import msgspec

from ragviz.backends.embedder import BackendState, Embedder
from ragviz.backends.ragas_faults import KEY_REFUSED, reason_of
from ragviz.errors import JudgeUnavailable

Provider = Literal["anthropic", "openai"]
Status = Literal["", "undefined", "missing input", "failed"]

PIN = "pip install 'ragviz[ragas]', which pins ragas==0.4.3 with langchain-community==0.4.1"
"""ragas 0.4.3 imports a module that langchain-community 0.4.2 no longer has, and asks for no version of it."""

METRICS = {
    "faithfulness": "Faithfulness",
    "answer_relevancy": "AnswerRelevancy",
    "context_precision": "ContextPrecision",
    "context_utilization": "ContextUtilization",
    "context_recall": "ContextRecall",
    "context_relevance": "ContextRelevance",
    "context_entity_recall": "ContextEntityRecall",
    "noise_sensitivity": "NoiseSensitivity",
    "factual_correctness": "FactualCorrectness",
    "answer_correctness": "AnswerCorrectness",
    "answer_accuracy": "AnswerAccuracy",
    "response_groundedness": "ResponseGroundedness",
    "semantic_similarity": "SemanticSimilarity",
}
"""Ragas' names of metrics and of their classes."""
EMBEDDED = frozenset({"answer_relevancy", "answer_correctness", "semantic_similarity"})
"""Metrics that compare embeddings."""
MAX_TOKENS = 8_192
"""Ragas' own 1,024 cut off the verdicts on an answer of some twenty statements."""
CONCURRENCY = 8
LOCAL = "local"


class RagasSettings(msgspec.Struct, frozen=True, kw_only=True):
    """Whom Ragas asks. The key is no part of what is stored."""

    provider: Provider = "anthropic"
    model: str
    api_key: str | None
    base_url: str | None = None
    embeddings: str = LOCAL
    """``local`` for the sentence embeddings of this machine, else the name of an OpenAI-compatible model at ``base_url``."""
    timeout_s: float = 120.0
    max_retries: int = 4


class RagasValue(NamedTuple):
    """One metric on one sample."""

    value: float | None
    status: Status = ""
    reason: str = ""


def installed_version() -> str | None:
    """The version that is there, without importing it (which takes seconds)."""
    try:
        return metadata.version("ragas") if importlib.util.find_spec("ragas") is not None else None
    except metadata.PackageNotFoundError:
        return None


def state() -> BackendState:
    """Whether Ragas can be imported: really tried, since its versions and those of what it stands on often do not fit together."""
    try:
        _collections()
    except JudgeUnavailable as exc:
        return BackendState(ok=False, reason=exc.message, fix=exc.fix)
    return BackendState(ok=True)


def _collections() -> Any:
    if importlib.util.find_spec("ragas") is None:
        raise JudgeUnavailable("ragas is not installed", fix=PIN)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import ragas.metrics.collections as found  # noqa: PLC0415 - ten seconds and a hundred packages
            from ragas import _analytics  # noqa: PLC0415
    except (ImportError, AttributeError, TypeError) as exc:
        versions = ", ".join(f"{name} {version}" for name in ("ragas", "langchain-community", "instructor", "openai") if (version := _version(name)))
        raise JudgeUnavailable(f"ragas cannot be imported with what is installed beside it ({versions}): {str(exc).splitlines()[0]}", fix=PIN) from exc
    if not hasattr(_analytics, "do_not_track"):
        raise JudgeUnavailable(f"the usage reports of ragas {_version('ragas')} cannot be switched off from here", fix=PIN)
    # It reports every call to a server of its makers, unless the environment says no; nobody here has agreed to that.
    _analytics.do_not_track = lambda: True
    # What went wrong stands in the score's reason; instructor would write each attempt to stderr as well.
    logging.getLogger("instructor").setLevel(logging.CRITICAL)
    return found


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


class RagasScorer:
    """Some metrics, ready to score samples. Use as a context manager: it holds connections and an event loop."""

    def __init__(self, metrics: Sequence[str], settings: RagasSettings) -> None:
        """
        Imports Ragas.

        Raises:
            JudgeUnavailable: It cannot be imported, or key or embeddings are missing.
        """
        self.settings = settings
        if not settings.api_key:
            name = "ANTHROPIC_API_KEY" if settings.provider == "anthropic" else "OPENAI_API_KEY"
            raise JudgeUnavailable("ragas: no API key", fix=f"set {name} in the environment")
        collections = _collections()
        self._runner = asyncio.Runner()
        self._clients: list[Any] = []
        llm, embeddings = self._llm(), self._embeddings() if EMBEDDED & set(metrics) else None
        self._metrics = {name: _made(getattr(collections, METRICS[name]), llm=llm, embeddings=embeddings) for name in metrics}

    def made_with(self, metric: str) -> dict[str, str]:
        """Library, version, model and settings behind a score: what somebody needs to get it again."""
        s = self.settings
        found = {"library": f"ragas {installed_version()}", "metric": METRICS[metric], "provider": s.provider, "model": s.model, "max_tokens": str(MAX_TOKENS)}
        if s.base_url:
            found["address"] = s.base_url.rpartition("@")[2]
        if metric in EMBEDDED:
            found["embeddings"] = Embedder().name if s.embeddings == LOCAL else s.embeddings
        return found

    def score(self, asked: Sequence[tuple[str, Mapping[str, Any]]]) -> list[RagasValue]:
        """
        One value per (metric, sample), in order; a sample has the fields of Ragas' ``SingleTurnSample``.

        Raises:
            JudgeUnavailable: The service refuses the key.
        """
        found = self._runner.run(self._all(asked))
        if any(value.reason == KEY_REFUSED for value in found):
            raise JudgeUnavailable(f"ragas: {KEY_REFUSED}", fix="check the key in the environment")
        return found

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exc: object) -> None:
        for client in self._clients:
            self._runner.run(client.close())
        self._runner.close()

    async def _all(self, asked: Sequence[tuple[str, Mapping[str, Any]]]) -> list[RagasValue]:
        slots = asyncio.Semaphore(CONCURRENCY)
        return list(await asyncio.gather(*(self._one(slots, *one) for one in asked)))

    async def _one(self, slots: asyncio.Semaphore, metric: str, sample: Mapping[str, Any]) -> RagasValue:
        scorer = self._metrics[metric]
        fields = [name for name in inspect.signature(scorer.ascore).parameters if name != "kwargs"]
        lacking = [name for name in fields if not sample.get(name)]
        if lacking:
            return RagasValue(None, "missing input", f"Ragas needs {' and '.join(lacking)} for it")
        async with slots:
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    result = await scorer.ascore(**{name: sample[name] for name in fields})
            except Exception as exc:  # noqa: BLE001 - four libraries between us and the service, each with errors of its own; the run must go on
                return RagasValue(None, "failed", reason_of(exc))
        value = float(result.value)
        if value != value or value in (float("inf"), float("-inf")):  # noqa: PLR0124 - NaN
            return RagasValue(None, "undefined", "Ragas gave no number")
        return RagasValue(value, "", str(result.reason or ""))

    def _llm(self) -> Any:
        from ragas.llms import llm_factory  # noqa: PLC0415

        s = self.settings
        settings: dict[str, Any] = {"api_key": s.api_key, "base_url": s.base_url, "timeout": s.timeout_s, "max_retries": s.max_retries}
        if s.provider == "anthropic":
            import anthropic  # noqa: PLC0415

            client: Any = anthropic.AsyncAnthropic(**settings)
        else:
            import openai  # noqa: PLC0415

            client = openai.AsyncOpenAI(**settings)
        self._clients.append(client)
        llm = llm_factory(s.model, provider=s.provider, client=client, max_tokens=MAX_TOKENS)
        if s.provider == "anthropic":
            # Ragas sets both, which Claude's newer models refuse.
            llm.model_args.pop("top_p", None)
            llm.model_args.pop("temperature", None)
        return llm

    def _embeddings(self) -> Any:
        s = self.settings
        if s.embeddings == LOCAL:
            embedder = Embedder()
            found = embedder.available()
            if not found.ok:
                raise JudgeUnavailable(
                    f"ragas: no sentence embeddings here: {found.reason}", fix=f"{found.fix}, or name a model of the service: --embeddings NAME"
                )
            return _local_embeddings(embedder)
        import openai  # noqa: PLC0415
        from ragas.embeddings import OpenAIEmbeddings  # noqa: PLC0415

        client = next((c for c in self._clients if isinstance(c, openai.AsyncOpenAI)), None)
        if client is None:
            raise JudgeUnavailable(f"ragas: {s.provider} has no embeddings", fix="use --embeddings local, or --provider openai")
        return OpenAIEmbeddings(client=client, model=s.embeddings)


def _made(kind: Any, **parts: Any) -> Any:
    wanted = inspect.signature(kind).parameters
    return kind(**{name: part for name, part in parts.items() if name in wanted})


def _local_embeddings(embedder: Embedder) -> Any:
    """Our sentence embeddings in the form that Ragas asks for."""
    from ragas.embeddings.base import BaseRagasEmbedding  # noqa: PLC0415

    class LocalEmbeddings(BaseRagasEmbedding):  # type: ignore[misc]
        """Computed in a thread, so that calls under way go on."""

        def embed_text(self, text: str, **_: Any) -> list[float]:
            return [float(x) for x in embedder.encode([text])[0]]

        async def aembed_text(self, text: str, **_: Any) -> list[float]:
            return await asyncio.to_thread(self.embed_text, text)

    return LocalEmbeddings()


__all__ = ["EMBEDDED", "LOCAL", "METRICS", "PIN", "RagasScorer", "RagasSettings", "RagasValue", "installed_version", "state"]
