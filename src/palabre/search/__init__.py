"""Finding a move: one file per algorithm, generic over games and evaluations."""
