"""Quadrants, causes, slices."""
