"""From pair verdicts to claim groundings: the four tables and their reading."""
