"""Where bots meet: games in progress, the referee who believes no bot, matches, and what their results are worth."""
