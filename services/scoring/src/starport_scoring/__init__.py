"""Results, score breakdowns, ratings and leaderboards."""
