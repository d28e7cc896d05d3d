"""Wild Space: the rules of docs/rules/wild-space.md."""
