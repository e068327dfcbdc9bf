"""Streamlit lives here and in the pages."""
