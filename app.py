"""The dashboard: ``streamlit run app.py``."""

from ragviz.ui.shell import run_app

run_app(__file__)
