"""A game in progress, its referee and its guard."""
