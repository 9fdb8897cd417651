"""What the page `gram` draws: `page.py` is its script, the others its parts."""
