"""The dashboard: ``streamlit run app.py``."""

import streamlit as st

if __name__ == "__main__":  # Streamlit draws a page
    from ragviz.ui.shell import run_app

    run_app(__file__)
else:  # the server is being set up
    from ragviz.ui.headers import middleware
    from ragviz.ui.starting import warm

    app = st.App(__file__, middleware=middleware(), lifespan=warm)
