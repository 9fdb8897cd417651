"""What the page `use` draws: `page.py` is its script, the others its parts."""
