"""One person's session: its state as one value, changes of it, the link to it, the uploaded file."""
