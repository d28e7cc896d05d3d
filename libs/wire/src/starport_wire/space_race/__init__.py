"""Space Race between schema and engine."""
