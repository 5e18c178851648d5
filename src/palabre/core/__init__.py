"""What a game is: verbs, states, specs, positions, records. Imports nothing else of Palabre."""
