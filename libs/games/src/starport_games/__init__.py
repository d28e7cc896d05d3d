"""The rules of the games, as a pure library: no clock, no global random, no I/O beyond reading card files."""
