"""What a game is, and what everything else builds on. Imports nothing else of Palabre."""
