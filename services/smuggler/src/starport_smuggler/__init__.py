"""The AI that plays the Smuggler and the house bots."""
