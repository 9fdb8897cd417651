"""What the page `curves` draws: `page.py` is its script, the others its parts."""
