"""Space Race: the rules of docs/rules/space-race.md."""
