"""The door to this page for a link on a fresh server; the page itself is in `views`."""

from pages.parts.frame import door

door.enter()
