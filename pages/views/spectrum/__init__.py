"""What the page `spectrum` draws: `page.py` is its script, the others its parts."""
