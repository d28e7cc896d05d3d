"""The match log and the bus over Redis streams, with a memory twin."""
