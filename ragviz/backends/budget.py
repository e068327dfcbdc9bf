"""What may be spent on a service, in dollars and in tokens."""

from __future__ import annotations

import threading

from ragviz.text.counts import counted


class Budget:
    """Calls that would start above the limit do not start. One budget may be shared by several clients and all their threads."""

    def __init__(self, *, max_usd: float | None = None, max_tokens: int | None = None) -> None:
        """
        Args:
            max_usd: Limit in US dollars; None = none.
            max_tokens: Limit in tokens, sent and received together; None = none.
        """
        self.max_usd = max_usd
        self.max_tokens = max_tokens
        self.spent_usd = 0.0
        self.spent_tokens = 0
        self.n_refused = 0
        """Calls that were not made because of it."""
        self._lock = threading.Lock()

    def refusal(self) -> str:
        """Why no further call may start, which is counted; "" when one may."""
        with self._lock:
            reason = self._reason(self.spent_usd, self.spent_tokens, reached=True)
            self.n_refused += bool(reason)
        return reason

    def would_exceed(self, *, usd: float | None, tokens: int) -> str:
        """Why so much more may not be spent; "" when it may. An unknown price exceeds no limit in dollars: ask before whether it is known."""
        with self._lock:
            return self._reason(self.spent_usd + (usd or 0.0), self.spent_tokens + tokens, reached=False)

    def add(self, *, usd: float | None, tokens: int) -> None:
        """Count what was spent; ``usd`` None = at an unknown price."""
        with self._lock:
            self.spent_usd += usd or 0.0
            self.spent_tokens += tokens

    def _reason(self, usd: float, tokens: int, *, reached: bool) -> str:
        what = "is spent" if reached else "would be exceeded"
        if self.max_usd is not None and (usd >= self.max_usd if reached else usd > self.max_usd):
            return f"the budget of ${self.max_usd:g} {what}"
        if self.max_tokens is not None and (tokens >= self.max_tokens if reached else tokens > self.max_tokens):
            return f"the budget of {counted(self.max_tokens, 'token')} {what}"
        return ""
