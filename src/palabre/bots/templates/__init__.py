"""Bots to start one's own from: `palabre new bot FILE --template NAME` copies one of these files."""

TEMPLATES = {
    "simple": "looks one move ahead, by the scoreboard",
    "evaluation": "looks one move ahead, by an evaluation with weights of your own",
    "search": "searches as deep as its time allows, by alpha-beta; for two players",
    "learning": "learns its weights by playing against itself",
}
