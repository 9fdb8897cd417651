"""The dashboard from a command or a call: a server process, and the private folder by which it is told what to show."""
