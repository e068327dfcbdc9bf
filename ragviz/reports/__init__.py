"""Markdown, JUnit and HTML files as pure functions."""
