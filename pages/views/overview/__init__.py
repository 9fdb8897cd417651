"""What the page `overview` draws: `page.py` is its script, the others its parts."""
