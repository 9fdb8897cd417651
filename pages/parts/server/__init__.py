"""One server for many people: limits of time and size, caches, background jobs, callbacks that are never cut off."""
