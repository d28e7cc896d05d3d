"""`python -m starport_games`."""

import sys

from starport_games.cli import main

sys.exit(main(sys.argv[1:]))
