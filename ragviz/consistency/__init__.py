"""Typed, localised clashes between a claim and its aligned evidence."""
