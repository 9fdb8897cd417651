"""The pages: one file each in `views`, what they share in `parts`.

The views stand one folder down because Streamlit takes any script directly in `pages` for a page
of its own before `st.navigation` has run once: the first visitor with a deep link would meet a
page without its sidebar and state.
"""
