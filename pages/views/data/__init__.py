"""What the page `data` draws: `page.py` is its script, the others its parts."""
