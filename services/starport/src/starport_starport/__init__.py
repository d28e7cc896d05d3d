"""The `starport` command: everything in one process on an embedded store, and a game in the terminal."""
