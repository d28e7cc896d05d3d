"""What every game shares: the contract, the deal generator, effects, errors and the text format."""
