"""See which sentence of which answer is wrong, against which passage, and why."""

__version__ = "0.1.0"
