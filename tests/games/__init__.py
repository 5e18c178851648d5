"""One file of rule tests per game: one position, one rule."""
