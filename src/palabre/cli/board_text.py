"""What the terminal prints about a game beside the board: rules, players, signs, moves and how it ended."""

from palabre.core.errors import listing
from palabre.core.game import Game
from palabre.core.game_words import capital
from palabre.core.position import Position
from palabre.core.words import Message, own_words, text_of
from palabre.draw.descriptions import legend, move_in_words, moves_by_origin
from palabre.draw.terminal import PLAYER_SIGNS
from palabre.play.game import OngoingGame

say = own_words(__file__)


def rules(game: Game, language: str) -> str:
    """The game and its rules, and that there are others."""
    words, preset = game.words(language), game.options.preset
    summary = words.preset_summary(preset)
    line = say("table.rules", title=words.title, rules=words.preset_title(preset), summary=summary).text(language)
    return f"{line} {say('table.other_rules').text(language)}" if len(game.facts.presets) > 1 else line


def seats(game: OngoingGame, language: str) -> str:
    """Who sits where: people, bots, and the level of those that have one."""
    words = game.position.game.words(language)
    person = "table.you" if game.seats.count(None) == 1 else "table.person"
    texts = []
    for seat, (name, bot) in enumerate(zip(game.names, game.seats, strict=True)):
        params = {"sign": PLAYER_SIGNS[seat], "player": words.player(seat)}
        level = None if bot is None else dict(bot.options.values).get("level")
        if bot is None:
            message = say(person, **params)
        elif isinstance(level, int):  # a user's bot may call its levels by words
            message = say("table.level", bot=name.partition(":")[0], level=level, **params)
        else:
            message = say("table.bot", bot=name, **params)
        texts.append(message.text(language))
    return "   ".join(texts)


def signs(position: Position, language: str) -> str:
    """What the signs on the board mean."""
    texts = legend(position, position.game.words(language))
    if any(cell.owner is not None for cell in position.game.view.cells(position.game.options) if not cell.store):
        texts.append(say("table.owned").text(language))
    return say("table.signs", signs=say("table.between").text(language).join(texts)).text(language)


def last_round(game: OngoingGame, language: str) -> list[str]:
    """The moves since the last one of the player whose turn it is, that one included, and what they did."""
    words = game.position.game.words(language)
    return [
        f"{PLAYER_SIGNS[before.to_move]} {after.played[-1]}: {move_in_words(before, after, words)}"
        for before, after in game.last_round()
    ]


def example(position: Position, language: str) -> str:
    """A legal move and what it would do, which shows how moves are written and what is being placed or moved."""

    def lead(after: Position) -> int:
        return 2 * after.scores[position.to_move] - sum(after.scores)

    move = max(position.moves(), key=lambda move: lead(position.play(move)))  # no gift to others
    effect = move_in_words(position, position.play(move), position.game.words(language))
    return say("table.example", move=move.text, told=effect).text(language)


def moves(position: Position, language: str) -> list[str]:
    """The legal moves, a line for each cell that they begin on; in one line if each has a cell of its own."""
    groups = moves_by_origin(position)
    if all(len(group) == 1 for group in groups.values()):
        return [listing(position.moves())]
    heads = [say("table.from", origin=origin).text(language) for origin in groups]
    width = max(map(len, heads))
    return [f"  {head:<{width}}  {listing(group)}" for head, group in zip(heads, groups.values(), strict=True)]


def ending(game: OngoingGame, language: str) -> str:
    """Who has won an ended game, and why it has ended."""
    result = game.position.game.words(language).status(game.position, game.result)
    why = game.position.why_over if game.why_ended is None else game.why_ended
    message = say("table.over", result=result) if why is None else say("table.over_why", why=why, result=result)
    return message.text(language)


def reason_first(why: Message | str, language: str) -> str:
    """The reason for which something was refused, as the beginning of a sentence."""
    return capital(text_of(why, language))
