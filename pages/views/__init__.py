"""The pages: one folder each, `page.py` is the script."""
