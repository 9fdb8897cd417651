"""What the page `stories` draws: `page.py` is its script, the others its parts."""
