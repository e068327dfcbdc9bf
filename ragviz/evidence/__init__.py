"""Evidence spans: windows, quotes, selection."""
