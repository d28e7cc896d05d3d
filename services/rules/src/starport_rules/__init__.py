"""The only writer of match logs: validates moves, keeps clocks, tells viewers what they may know."""
