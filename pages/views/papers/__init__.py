"""What the page `papers` draws: `page.py` is its script, the others its parts."""
