"""Wild Space between schema and engine."""
