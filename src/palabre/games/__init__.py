"""The games that come with Palabre, one folder each; a folder here is a game, nothing else registers it."""
