"""Experiments: what somebody has claimed about a game's bots, tried again with enough games, and judged by a rule."""
