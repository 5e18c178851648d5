"""What the terminal prints about a game beside the board: rules, players, signs, moves and how it ended."""

from collections.abc import Iterator

from palabre.core.errors import listing
from palabre.core.game_words import GameWords
from palabre.core.position import Position
from palabre.core.words import Message, own_words
from palabre.draw.descriptions import legend, move_in_words, moves_by_origin
from palabre.draw.terminal import PLAYER_SIGNS
from palabre.play.game import OngoingGame

say = own_words(__file__)


def introduction(game: OngoingGame, words: GameWords) -> Iterator[Message]:
    """All that a newcomer needs: the rules and that there are others, who plays, what the signs mean, what to type."""
    view, options = game.position.game.view, game.position.game.options
    title, summary = words.preset_title(options.preset), words.preset_summary(options.preset)
    yield say("table.rules", title=words.title, rules=title, summary=summary)
    if len(words.facts.presets) > 1:
        yield say("table.other_rules")
    for seat, (name, bot) in enumerate(zip(game.names, game.seats, strict=True)):
        level = None if bot is None else dict(bot.options.values).get("level")
        if bot is None:
            id = "table.you" if game.seats.count(None) == 1 else "table.person"
        else:
            id = "table.level" if isinstance(level, int) else "table.bot"  # a user's bot may call its levels by words
        called = name.partition(":")[0] if id == "table.level" else name
        yield say(id, sign=PLAYER_SIGNS[seat], player=words.player(seat), bot=called, level=level)
    yield say("table.signs", signs=legend(game.position, words))
    if any(cell.owner is not None for cell in view.cells(options) if not cell.store):
        yield say("table.owned")
    yield say("table.words")


def last_round(game: OngoingGame, words: GameWords) -> Iterator[str]:
    """The moves since the last one of the player whose turn it is, that one included, and what they did."""
    for before, after in game.last_round():
        yield f"{PLAYER_SIGNS[before.to_move]} {after.played[-1]}: {move_in_words(before, after, words)}"


def example(position: Position, words: GameWords) -> Message:
    """A legal move and what it would do, which shows how moves are written and what is being placed or moved."""

    def lead(after: Position) -> int:
        return 2 * after.scores[position.to_move] - sum(after.scores)

    after = max(map(position.play, position.moves()), key=lead)  # no gift to others
    return say("table.example", move=after.played[-1].text, effect=move_in_words(position, after, words))


def moves(position: Position, words: GameWords) -> Iterator[str]:
    """The legal moves, a line for each cell that they begin on; in one line if each has a cell of its own."""
    groups = moves_by_origin(position)
    if all(len(group) == 1 for group in groups.values()):
        yield listing(position.moves())
        return
    heads = {origin: say("table.from", origin=origin).text(words.language) for origin in groups}
    width = max(map(len, heads.values()))
    for origin, group in groups.items():
        yield f"  {heads[origin]:<{width}}  {listing(group)}"


def ending(game: OngoingGame, words: GameWords) -> Message:
    """Who has won an ended game, and why it has ended."""
    why = game.position.why_over if game.why_ended is None else game.why_ended
    result = words.status(game.position, game.result)
    return say("table.over", result=result) if why is None else say("table.over_why", why=why, result=result)
