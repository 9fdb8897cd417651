"""Pure functions from results to Plotly figures; never imported by `kernlib` itself.

Import the subject you draw: ``from kernlib.figures import gram, depth, spectrum, curves, data, theme``.
"""
