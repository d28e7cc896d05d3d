"""Players, tables, seats, matchmaking and tokens."""
