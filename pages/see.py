"""Entry script of this page for a link to a new server; the page itself is in `views`."""

from pages.parts.frame import entry

entry.enter()
