"""Thresholds to pass or fail."""
