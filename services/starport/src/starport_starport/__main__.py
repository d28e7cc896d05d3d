"""`python -m starport_starport`: the `starport` command where it is not on the path."""

from starport_starport.cli import main

main()
