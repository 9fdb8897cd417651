"""What the page `alike` draws: `page.py` is its script, the others its parts."""
