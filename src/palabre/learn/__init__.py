"""Learning from games: what their results say about the weights of an evaluation."""
