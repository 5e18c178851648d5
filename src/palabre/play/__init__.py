"""A game in progress: its clocks, its referee, and what it asks of bots."""
