"""Penguins in text: placements `c5`, moves `c5e7`, positions `1212332/…/23112111 a4,b3/b4,b6 7,7 6,6 1`.

A position is the fish on the tiles of each row (also under penguins; 0 where the tile is gone), the penguins of each
player in reading order (`-` for none), the fish and the tiles that each has taken, and the player to move.
"""

from palabre.author import (
    ImpossiblePosition,
    Message,
    Options,
    UnreadableText,
    fields,
    listing,
    lowest,
    number,
    numbers,
    own_words,
    player_from_text,
    the_player,
)
from palabre.games.penguins.rules import (
    BOARD,
    CODES,
    DIRECTIONS,
    FISH,
    FISH_VALUE,
    PLAYER_BITS,
    ROW_LENGTHS,
    TILES,
    TILES_WITH,
    State,
    final_score,
    fish_on,
    free_tiles,
    is_over,
    is_placing,
    origin,
    pass_on,
    penguins_each,
    penguins_of,
    planes,
    slides,
)

say = own_words(__file__)

ROW_NAMES = "abcdefgh"
ROWS = [[f"{row}{1 + column}" for column in range(length)] for row, length in zip(ROW_NAMES, ROW_LENGTHS, strict=True)]
TILE_NAMES = [name for row in ROWS for name in row]
ALL_TILES = say("all_tiles")
TILE_NUMBERS = {name: tile for tile, name in enumerate(TILE_NAMES)}
MOST_FISH = max(TILES_WITH)


def move_to_text(state: State, move: int) -> str:
    """`c5` for a placement, `c5e7` for a move."""
    left = origin(state.own, move)
    return (TILE_NAMES[lowest(left)] if left else "") + TILE_NAMES[move % CODES]


def tiles_in(tiles: int) -> list[int]:
    """A set of tiles as their numbers, in reading order."""
    return [tile for tile in range(TILES) if tiles >> tile & 1]


def state_to_text(state: State) -> str:
    rows = ["".join(str(fish_on(state, TILE_NUMBERS[name])) for name in row) for row in ROWS]
    players = range(state.players)
    flocks = [",".join(TILE_NAMES[tile] for tile in tiles_in(penguins_of(state, player))) for player in players]
    taken = [divmod(final_score(state, player), FISH_VALUE) for player in players]
    fish = ",".join(str(fish) for fish, _ in taken)
    tiles = ",".join(str(tiles) for _, tiles in taken)
    return f"{'/'.join(rows)} {'/'.join(flock or '-' for flock in flocks)} {fish} {tiles} {state.player + 1}"


def text_to_state(text: str, options: Options) -> State:
    players = options.number("players")
    form = say("form", players=players)
    row_texts, flock_texts, fish_texts, tile_texts, player_text = fields(text, 5, form)
    fish = _read_fish(fields(row_texts, len(ROWS), form, separator="/"))
    flocks = [_read_penguins(flock) for flock in fields(flock_texts, players, form, separator="/")]
    taken_fish = numbers(fish_texts, players, FISH, form)
    taken_tiles = numbers(tile_texts, players, TILES, form)
    player = player_from_text(player_text, players)
    _check_penguins(fish, flocks, player)
    _check_taken(fish, flocks, taken_fish, taken_tiles)
    words = [sum(1 << tile for tile in flock) for flock in flocks]
    seats = words[player:] + words[:player] + [0, 0]
    taken = sum(
        FISH_VALUE * fish + tiles << PLAYER_BITS * taker
        for taker, (fish, tiles) in enumerate(zip(taken_fish, taken_tiles, strict=True))
    )
    state = State(*planes(fish), seats[0], seats[1], seats[2], seats[3], taken, player, players)
    return pass_on(state) if is_over(state) else state


def _read_fish(rows: list[str]) -> list[int]:
    fish: list[int] = []
    for name, length, row in zip(ROW_NAMES, ROW_LENGTHS, rows, strict=True):
        if len(row) != length:
            raise UnreadableText(say("error.row", row=name, digits=row, length=length))
        fish += [number(digit, MOST_FISH, say("form_row", most=MOST_FISH, row=name)) for digit in row]
    for count, most in TILES_WITH.items():
        if fish.count(count) > most:
            raise ImpossiblePosition(say("error.too_many_tiles", tiles=fish.count(count), fish=count, most=most))
    return fish


def _read_penguins(text: str) -> list[int]:
    names = [] if text == "-" else text.split(",")
    for name in names:
        if name not in TILE_NUMBERS:
            raise UnreadableText(say("error.penguin_tile", penguins=text, name=name, tiles=ALL_TILES))
    if names != sorted(names):
        raise UnreadableText(say("error.penguin_order", penguins=text, right=",".join(sorted(names))))
    return [TILE_NUMBERS[name] for name in names]


def _check_penguins(fish: list[int], flocks: list[list[int]], player: int) -> None:
    everyone = [tile for flock in flocks for tile in flock]
    for tile in everyone:
        if everyone.count(tile) > 1:
            raise ImpossiblePosition(say("error.two_penguins", tile=TILE_NAMES[tile]))
        if fish[tile] == 0:
            raise ImpossiblePosition(say("error.penguin_in_water", tile=TILE_NAMES[tile]))
    players, each = len(flocks), penguins_each(len(flocks))
    placed = [(len(everyone) + players - 1 - seat) // players for seat in range(players)]
    counts = [len(flock) for flock in flocks]
    if counts != placed or max(counts) > each:
        raise ImpossiblePosition(say("error.penguin_counts", counts=listing(counts), players=players, each=each))
    if len(everyone) < players * each:
        _check_placing(fish, everyone, player, len(everyone) % players)


def _check_placing(fish: list[int], everyone: list[int], player: int, expected: int) -> None:
    """What must hold until all penguins are placed."""
    if player != expected:
        raise ImpossiblePosition(say("error.placing_order", player=player + 1, expected=expected + 1))
    if 0 in fish:
        raise ImpossiblePosition(say("error.gone_too_early", tile=TILE_NAMES[fish.index(0)]))
    for tile in everyone:
        if fish[tile] != 1:
            raise ImpossiblePosition(say("error.placed_on_fish", tile=TILE_NAMES[tile], fish=fish[tile]))


def _check_taken(fish: list[int], flocks: list[list[int]], taken_fish: list[int], taken_tiles: list[int]) -> None:
    under = [sum(fish[tile] for tile in flock) for flock in flocks]
    on_free = sum(fish) - sum(under)
    covered = fish.count(0) + sum(len(flock) for flock in flocks)
    if sum(taken_tiles) != covered:
        raise ImpossiblePosition(say("error.tiles_taken", tiles=sum(taken_tiles), right=covered))
    if sum(taken_fish) + on_free != FISH:
        raise ImpossiblePosition(
            say("error.fish_taken", taken=sum(taken_fish), free=on_free, total=sum(taken_fish) + on_free, right=FISH)
        )
    for player, flock in enumerate(flocks):
        tiles_left = taken_tiles[player] - len(flock)
        fish_left = taken_fish[player] - under[player]
        if not tiles_left <= fish_left <= MOST_FISH * tiles_left:
            raise ImpossiblePosition(
                say(
                    "error.fish_and_tiles",
                    player=player + 1,
                    fish=taken_fish[player],
                    tiles=taken_tiles[player],
                    penguins=len(flock),
                    under=under[player],
                    most=MOST_FISH,
                )
            )


def explain(state: State, text: str) -> Message:
    """Why a text is not a legal move."""
    placing = is_placing(state)
    if placing and len(text) != 2:
        return say("error.form_placement")
    if not placing and len(text) != 4:
        return say("error.form_move")
    names = [text[at : at + 2].lower() for at in range(0, len(text), 2)]
    for name in names:
        if name not in TILE_NUMBERS:
            return say("error.no_tile", name=name, tiles=ALL_TILES)
    tiles = [TILE_NUMBERS[name] for name in names]
    return _why_no_place(state, tiles[0]) if placing else _why_no_slide(state, tiles[0], tiles[1])


def _why_no_place(state: State, tile: int) -> Message:
    if free_tiles(state) >> tile & 1:
        return say("error.placed_on_fish", tile=TILE_NAMES[tile], fish=fish_on(state, tile))
    return _what_is_on(state, tile)


def _why_no_slide(state: State, left: int, target: int) -> Message:
    if not state.own >> left & 1:
        return say("error.not_yours", found=_what_is_on(state, left), player=the_player(state.player))
    if left == target:
        return say("error.must_leave")
    for direction in range(DIRECTIONS):
        line = tiles_in(slides(1 << left, BOARD, direction))
        if target in line:
            way = line if left < target else line[::-1]
            blocked = next(tile for tile in way if not free_tiles(state) >> tile & 1)
            return say("error.blocked", found=_what_is_on(state, blocked))
    return say("error.no_line", target=TILE_NAMES[target], origin=TILE_NAMES[left])


def _what_is_on(state: State, tile: int) -> Message:
    """Whose penguin stands on a tile, if any, or that the tile is gone."""
    for player in range(state.players):
        if penguins_of(state, player) >> tile & 1:
            return say("error.penguin_there", player=the_player(player), tile=TILE_NAMES[tile])
    return say("error.no_penguin" if fish_on(state, tile) else "error.gone", tile=TILE_NAMES[tile])


def why_over(state: State) -> Message:
    """Why the game has ended: there is only one way."""
    return say("over.nobody_can_move")
