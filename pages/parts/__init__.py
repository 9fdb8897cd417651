"""What the pages share, in rooms: each imports only what stands below it (see CONTRIBUTING)."""
