"""Charts and HTML as pure functions."""
