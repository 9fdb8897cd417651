"""What the page `depth` draws: `page.py` is its script, the others its parts."""
