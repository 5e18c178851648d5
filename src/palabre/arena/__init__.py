"""Where bots meet: the referee who believes none of them, matches, and what the results are worth."""
