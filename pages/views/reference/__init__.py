"""What the page `reference` draws: `page.py` is its script, the others its parts."""
