"""Traces to a judged run: the only orchestration."""
