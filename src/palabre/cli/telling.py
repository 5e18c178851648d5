"""What a game in the terminal tells a person, as lines of text: who plays, what happened, what the signs mean."""

from collections.abc import Iterator, Sequence

from palabre.bots.bot import Bot
from palabre.core.board import Cell, Piece
from palabre.core.errors import listing
from palabre.core.game import Game
from palabre.core.game_words import capital
from palabre.core.position import Move, Position
from palabre.core.words import Message, own_words, text_of
from palabre.draw.story import sayings
from palabre.draw.terminal import PLAYER_SIGNS, sign
from palabre.play.game import OngoingGame
from palabre.play.guard import name

say = own_words(__file__)


def rules_line(game: Game, language: str) -> str:
    """The game and its rules, and that there are others."""
    words, preset = game.words(language), game.options.preset
    summary = words.preset_summary(preset)
    line = say("table.rules", title=words.title, rules=words.preset_title(preset), summary=summary).text(language)
    has_others = len(game.facts.presets) > 1
    return f"{line} {say('table.other_rules').text(language)}" if has_others else line


def seats_line(game: OngoingGame, language: str) -> str:
    """Who sits where: people, bots, and the level of those that have one."""
    words = game.position.game.words(language)
    is_alone = sum(seated is None for seated in game.seats) == 1
    told = []
    for seat, seated in enumerate(game.seats):
        params = {"sign": PLAYER_SIGNS[seat], "player": words.player(seat)}
        level = level_of(seated)
        if seated is None:
            told.append(say("table.you" if is_alone else "table.person", **params))
        elif level is None:
            told.append(say("table.bot", bot=name(seated), **params))
        else:
            told.append(say("table.level", bot=name(seated).partition(":")[0], level=level, **params))
    return "   ".join(one.text(language) for one in told)


def level_of(seated: Bot | None) -> int | None:
    """The level that a bot plays, None for people and for bots that have no levels."""
    level = None if seated is None else dict(seated.options.values).get("level")
    return level if isinstance(level, int) else None  # somebody's bot may call its levels by words


def signs_line(position: Position, language: str) -> str:
    """What the signs on the board mean, each kind of piece by an example that lies there."""
    game = position.game
    words = game.words(language)
    cells: list[Cell] = [cell for cell in game.view.cells(game.options) if not cell.store]
    names = {cell.name for cell in cells}
    examples: dict[tuple[str, int | None, str, bool], Piece] = {}
    for piece in game.view.pieces(position.state):
        if piece.cell in names and piece.count and piece.kind not in ("tile", "label"):
            examples.setdefault((piece.kind, piece.player, piece.colour, piece.faded), piece)
    told = []
    for piece in examples.values():
        params = {"count": piece.count, "height": piece.height, "text": piece.text, "kind": piece.kind}
        shown = {**params, "player": "" if piece.player is None else words.player(piece.player)}
        told.append(f"{sign(piece).text} = {words.text(f'piece.{_kind(piece)}', **shown).strip()}")
    if any(cell.owner is not None for cell in cells):
        told.append(say("table.owned").text(language))
    return say("table.signs", signs=say("table.between").text(language).join(told)).text(language)


def _kind(piece: Piece) -> str:
    """The id of what is said of a piece."""
    if piece.kind == "seeds":
        return f"seeds.{piece.colour or 'mixed'}"
    known = ("fish", "marble", "tower", "penguin", "disc")
    done = "_done" if piece.kind == "penguin" and piece.faded else ""
    return piece.kind + done if piece.kind in known else "other"


def last_round(game: OngoingGame, language: str) -> Iterator[str]:
    """The moves since the last one of the player whose turn it is now, that one included, and what they did."""
    movers = [position.to_move for position in game.positions[:-1]]
    own = [at for at, mover in enumerate(movers) if mover == game.position.to_move]
    for at in range(own[-1] if own else 0, len(movers)):
        before, after = game.positions[at], game.positions[at + 1]
        yield f"{PLAYER_SIGNS[movers[at]]} {after.played[-1]}: {in_words(before, after, language)}"


def in_words(before: Position, after: Position, language: str) -> str:
    """What the last move did."""
    words = after.game.words(language)
    return " ".join(words.saying(saying.id, saying.params) for saying in sayings(before, after))


def kind_of_turn(position: Position) -> str:
    """What the moves of this turn do, so that a change can be told: a piece is placed, or moved."""
    told = sayings(position, position.play(position.moves()[0]))
    return told[0].id if told else ""


def example_line(position: Position, language: str) -> str:
    """A legal move and what it would do, which shows how moves are written and what is being placed or moved."""
    move = max(position.moves(), key=lambda one: _lead(position.play(one), position.to_move))  # no gift to others
    told = in_words(position, position.play(move), language)
    return say("table.example", move=move.text, told=told).text(language)


def _lead(position: Position, player: int) -> int:
    return 2 * position.scores[player] - sum(position.scores)


def moves_by_origin(position: Position, language: str) -> list[str]:
    """The legal moves, a line for each cell that they begin on; in one line if each has a cell of its own."""
    groups: dict[str, list[Move]] = {}
    for move in position.moves():
        groups.setdefault(position.game.view.clicks(position.state, move.code)[0][0], []).append(move)
    if all(len(moves) == 1 for moves in groups.values()):
        return [listing(position.moves())]
    order = {cell.name: at for at, cell in enumerate(position.game.view.cells(position.game.options))}
    origins = sorted(groups, key=lambda origin: order.get(origin, len(order)))
    heads = {origin: say("table.from", origin=origin).text(language) for origin in origins}
    width = max(map(len, heads.values()))
    return [f"  {heads[origin]:<{width}}  {listing(groups[origin])}" for origin in origins]


def over_line(game: OngoingGame, language: str) -> str:
    """Who has won an ended game, and why it has ended."""
    words = game.position.game.words(language)
    result = words.status(game.position, game.result)
    why = game.position.why_over if game.why_ended is None else game.why_ended
    if why is None:
        return say("table.over", result=result).text(language)
    return say("table.over_why", why=why, result=result).text(language)


def reason_first(why: Message | str, language: str) -> str:
    """The reason for which something was refused, as the beginning of a sentence."""
    return capital(text_of(why, language))


def names_of(bots: Sequence[Bot]) -> str:
    """What the bots are called, each once."""
    return listing(dict.fromkeys(map(name, bots)))
