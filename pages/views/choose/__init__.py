"""What the page `choose` draws: `page.py` is its script, the others its parts."""
