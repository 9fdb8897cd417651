"""Parts of the page Stories."""
