"""Two runs, paired."""
