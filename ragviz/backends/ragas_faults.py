"""Why a metric of Ragas gave nothing, in one sentence: its errors are wrapped several times over and quote whole prompts."""

from __future__ import annotations

from collections.abc import Iterator

KEY_REFUSED = "the key was refused (401)"
MAX_CHARS = 160


def reason_of(exc: BaseException) -> str:
    """
    The first cause that says something, without any text of ours and without the key.

    Ragas calls instructor, which calls the SDK, which calls an HTTP library; each raises its own error from the one below.
    """
    for cause in _chain(exc):
        status = getattr(cause, "status_code", None)
        if status == 401:
            return KEY_REFUSED
        if isinstance(status, int):
            return f"rate limit ({status})" if status == 429 else f"the service answered {status}"
        name = type(cause).__name__
        if "Timeout" in name:
            return "no reply in time"
        if "ConnectionError" in name or "ProtocolError" in name:
            return "the connection failed or was cut"
        if "IncompleteOutput" in name:
            return "the reply was cut off"
        if name in ("ValidationError", "JSONDecodeError", "ResponseParsingError"):
            return "the reply does not have the form that Ragas asks for"
    kinds = [type(cause).__name__ for cause in _chain(exc)]
    return f"Ragas failed ({', '.join(dict.fromkeys(kinds))})"[:MAX_CHARS]


def _chain(exc: BaseException) -> Iterator[BaseException]:
    """The error and what it came from: causes, and the attempts that instructor collects."""
    seen: set[int] = set()
    waiting: list[BaseException] = [exc]
    while waiting:
        one = waiting.pop(0)
        if id(one) in seen:
            continue
        seen.add(id(one))
        yield one
        waiting += [e for e in (one.__cause__, one.__context__) if e is not None]
        attempts = getattr(one, "failed_attempts", None)
        if isinstance(attempts, list):
            waiting += [e for e in (getattr(attempt, "exception", None) for attempt in attempts) if isinstance(e, BaseException)]
        waiting += [e for e in one.args if isinstance(e, BaseException)]
