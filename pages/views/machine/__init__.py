"""What the page `machine` draws: `page.py` is its script, the others its parts."""
