"""Moves that are tried out in a room: listed below those of the game, which stays as it is."""

import random

from playwright.sync_api import Locator, expect

from palabre.web.refusal import in_language
from tests.browser.conftest import Visit
from tests.browser.visitor import Visitor

GAME = "awele"


def tried(visitor: Visitor) -> Locator:
    """The moves of variations."""
    return visitor.page.locator(".variation .move")


def played(visitor: Visitor) -> list[str]:
    """The moves of the game."""
    return visitor.page.locator(".moves li > .move").all_text_contents()


def try_out(visitor: Visitor, move: str) -> None:
    before = tried(visitor).count()
    visitor.find("move-field").fill(move)
    visitor.find("move-field").press("Enter")
    expect(tried(visitor)).to_have_count(before + 1)
    expect(tried(visitor).and_(visitor.page.locator("[aria-current]"))).to_have_text(move)


def test_after_the_end_of_a_game(operator: Visit) -> None:
    player = operator()
    address = player.begin(GAME, "me", "other")
    player.type_moves("C", "c", "A")
    for _ in range(2):
        player.find("resign").click()
    expect(player.find("end")).to_be_visible()
    seen = player.cells
    player.page.keyboard.press("ArrowLeft")
    player.page.keyboard.press("ArrowLeft")
    try_out(player, "f")
    try_out(player, "B")
    expect(player.status).to_contain_text("Tried out, not played.")
    assert played(player) == ["C", "c", "A"]
    player.page.keyboard.press("ArrowLeft")
    player.page.keyboard.press("ArrowLeft")
    try_out(player, "e")  # another one in the same position
    player.find("back-to-game").click()
    assert player.cells == seen
    expect(tried(player)).to_have_text(["f", "B", "e"])
    try_out(player, "d")  # what might have come after the game was given up
    expect(player.page.locator(".moves .variation")).to_have_count(3)
    player.visit(address)
    expect(player.page.locator(".moves .move")).to_have_text(["C", "c", "A"])
    assert player.cells == seen


def test_clicks_try_moves_out_against_a_bot_while_the_game_goes_on(operator: Visit) -> None:
    player = operator()
    player.begin(GAME, "me", "idiot")
    player.play(2, random.Random(1))
    seen = player.cells, played(player)
    player.find("first").click()
    expect(player.page.locator(".cell.lit")).to_have_count(6)
    other = next(cell for cell in "ABCDEF" if cell != seen[1][0])
    player.page.locator(f'[data-cell="{other}"]').click()
    expect(tried(player)).to_have_text([other])
    expect(player.page.locator(".plate.turn")).to_have_count(1)
    assert played(player) == seen[1]
    player.find("undo").click()  # takes back in the game, of which this is a variation
    expect(player.page.locator(".moves li > .move")).to_have_count(2)
    expect(tried(player)).to_have_text([other])
    player.find("back-to-game").click()
    player.play(1, random.Random(2))
    assert len(played(player)) == 4


def test_what_hangs_on_a_move_that_is_taken_back_goes_with_it(operator: Visit) -> None:
    player = operator()
    player.begin(GAME, "me", "other")
    player.type_moves("C", "c", "A", "f")
    player.page.locator(".moves [data-ply='3']").click()
    try_out(player, "e")
    for count in (3, 2):
        player.find("undo").click()
        expect(player.page.locator(".moves li > .move")).to_have_count(count)
    expect(tried(player)).to_have_count(0)
    expect(player.status).to_contain_text("Your turn")
    player.type_moves("B")


def test_a_move_that_was_tried_out_can_be_played(operator: Visit) -> None:
    player = operator()
    player.begin(GAME, "me", "other")
    player.type_moves("C", "c")
    player.find("undo").click()
    expect(player.page.locator(".moves .move")).to_have_count(1)
    player.page.keyboard.press("ArrowLeft")
    try_out(player, "D")
    player.find("undo").click()
    expect(player.page.locator(".moves li > .move")).to_have_count(0)
    expect(tried(player)).to_have_text(["D"])  # in the first position
    player.find("back-to-game").click()
    player.find("move-field").fill("D")
    player.find("move-field").press("Enter")
    expect(player.page.locator(".moves li > .move")).to_have_text(["D"])
    expect(tried(player)).to_have_count(0)


def test_nobody_tries_moves_out_in_a_running_game_between_people(operator: Visit, guest: Visit) -> None:
    host = operator()
    address = host.begin(GAME, "me", "guest")
    host.find("invite").click()
    player = guest()
    player.visit(host.page.locator("input[data-id=invitation]").input_value())
    for mover, move in ((host, "C"), (player, "c"), (host, "A")):
        mover.next_clicks()
        mover.type_moves(move)
    watcher = operator()
    watcher.visit(address)
    for visitor in (host, player, watcher):
        expect(visitor.page.locator(".moves .move")).to_have_count(3)
        visitor.page.keyboard.press("ArrowLeft")
        expect(visitor.status).to_have_text("Position 2 of 3")
    try_out(watcher, "B")  # who only looks on helps nobody
    for visitor in (host, player):
        expect(visitor.page.locator(".cell.lit")).to_have_count(0)
        expect(visitor.find("move-field")).to_be_disabled()
    player.visit(f"/analyse?game={GAME}&moves=C+c+A")
    player.find("think").click()
    expect(player.page.locator(".engine-state")).to_contain_text(in_language("refusal.no_help", "en"))
    player.visit(address)
    for _ in range(2):
        player.find("resign").click()
    expect(player.find("end")).to_be_visible()
    player.page.keyboard.press("ArrowLeft")
    try_out(player, "B")
