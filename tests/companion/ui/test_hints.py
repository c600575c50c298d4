"""Hints: consent, limits and secrecy."""

from collections.abc import Callable
from dataclasses import replace
from itertools import permutations

import pytest

from companion.session.hints import possible_ranks, threatened
from companion.ui.widgets.buttons import HOLD_SECONDS
from engine import Rank, Referee, Side
from engine.board.geometry import Square, name, names, square, squares_in
from engine.board.ranks import RankSet, ranks_in
from engine.game.position import Position
from engine.rules.editions import EDITIONS
from tests.campaigns import RARE
from tests.companion.ui import playing
from tests.companion.ui.driver import Driver
from tests.companion.ui.running_app import Script
from tests.companion.ui.solo_hands import sit_down

Drive = Callable[..., Driver]
Answer = Callable[[Position, Square], RankSet]
SILENT = replace(EDITIONS["isf"], silent_defence=True)


def agree(driver: Driver, *sides: str) -> None:
    """Open the consent dialog for hints, and hold down the button of each of the `sides`."""
    driver.tap("help")
    for side in sides:
        driver.hold(side, HOLD_SECONDS + 0.1)


@pytest.fixture
def game(driver: Driver) -> Driver:
    """Two-player game in which each side has three hints."""
    playing.begin(driver)
    agree(driver, "red", "blue")
    return driver


@RARE
def test_hints_need_both_players(driver: Driver) -> None:
    playing.begin(driver)
    agree(driver, "red")
    driver.tap("close")
    driver.tap_square(square("e7"))
    assert "can still be" not in driver.texts()
    agree(driver, "blue", "red")
    assert driver.find("help").text == "Hint (3)"


def test_hints_need_both_players_on_a_simulated_board(drive: Drive) -> None:
    driver = drive(source=Script.with_simulated_board())
    driver.connect()
    for button in ("begin", "set_up"):
        driver.tap(button)
    driver.show_virtual()
    for side in ("red", "blue"):
        driver.tap_inside(side, "ready")
    driver.show_virtual()
    agree(driver, "red")
    driver.tap("close")
    assert driver.app.presenter.hints.agreed is None
    assert not driver.app.presenter.hints.can_ask
    driver.tap_square(square("e7"))
    assert "can still be" not in driver.texts()


def test_changed_limit_needs_agreement(driver: Driver) -> None:
    playing.begin(driver)
    agree(driver, "red")
    driver.tap_answer("limits", "unlimited")
    driver.hold("blue", HOLD_SECONDS + 0.1)
    assert driver.on_top("red")
    driver.hold("red", HOLD_SECONDS + 0.1)
    assert driver.find("help").text == "Hint"


def test_no_hints_after_the_first_move(driver: Driver) -> None:
    playing.begin(driver)
    playing.play(driver, playing.STANDING, "e4 e5")
    assert driver.on_top("help") is None


def test_hint_limit(game: Driver) -> None:
    turns = ("a4 a5", "a7 a6", "b4 b5", "f7 f6", "e4 e5", "i7 i6", "f4 f5", "k7 k6")
    image = playing.play(game, playing.STANDING, *turns)
    labels = []
    for at in ("a6", "f6", "f6", "i6"):  # asking about the same square again costs nothing
        labels.append(game.find("help").text)
        game.tap_square(square(at))
        assert f"{at} can still be: 10, 9, 8, 7, 6, 5, 4, 3, 2, 1" in game.texts()
    assert labels == ["Hint (3)", "Hint (2)", "Hint (1)", "Hint (1)"]
    assert game.find("help").text == "Hint (0)", "the button stays where it was"
    game.tap("help")
    assert "can be attacked" not in game.texts()
    assert "Hold to get hints" not in game.texts()
    game.tap_square(square("k6"))
    assert "k6 can still be" not in game.texts()
    assert "No hints left" in game.texts()
    game.tap_square(square("i6"))
    assert "i6 can still be" in game.texts(), "an answer can be read again"
    playing.play(game, image, "e5 e6")
    assert game.find("help").text == "Hint (3)", "each player has three hints"


def test_hint_that_excludes_nothing_is_free(game: Driver) -> None:
    for at in ("e7", "f7", "b7", "a10"):
        game.tap_square(square(at))
        assert f"{at} can still be: bomb, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, flag" in game.texts()
    assert game.find("help").text == "Hint (3)"


def test_hints_survive_a_restart(drive: Drive) -> None:
    driver = drive()
    playing.begin(driver)
    agree(driver, "red", "blue")
    image = playing.play(driver, playing.STANDING, "e4 e5", "f7 f6")
    driver.tap_square(square("f6"))
    driver = drive()
    driver.connect()
    driver.tap("resume")
    driver.show(image)
    assert driver.find("help").text == "Hint (2)"


def test_hints_of_the_next_game(game: Driver) -> None:
    """Neither the answers nor the agreement of a game are valid in the next game."""
    game.tap("help")
    assert "can be attacked" in game.texts()
    for button in ("menu", "leave"):
        game.tap(button)
    playing.begin(game)
    assert "can be attacked" not in game.texts()
    agree(game, "red", "blue")
    assert game.find("help").text == "Hint (3)"
    game.tap("help")
    assert game.find("help").text == "Hint (2)"


def test_hint_for_a_moved_piece(game: Driver) -> None:
    playing.play(game, playing.STANDING, "e4 e5", "f7 f6")
    game.tap_square(square("f6"))
    assert "f6 can still be: 10, 9, 8, 7, 6, 5, 4, 3, 2, 1" in game.texts()
    assert "bomb" not in game.texts()


def test_hint_names_threatened_pieces(game: Driver) -> None:
    image = playing.play(game, playing.STANDING, "e4 e5", "f7 f6")
    game.tap("help")
    # Along open columns, a scout can attack over any distance.
    open_columns = "a4 b4 f4 i4 k4 e5"
    assert game.face.marked == playing.squares(open_columns)
    assert f"Your pieces that can be attacked: {', '.join(open_columns.split())}" in game.texts()
    playing.play(game, image, "a4 a5")
    assert "can be attacked" not in game.texts()


def test_touching_an_enemy_piece_attacks(game: Driver) -> None:
    playing.play(game, playing.STANDING, "e4 e5", "a7 a6", "e5 e6", "a6 a5")
    game.tap_square(square("e6"))
    game.tap_square(square("e7"))
    assert game.find("attack").text == "Attack e7 with e6"


def test_hint_hides_no_fault_of_the_board(game: Driver) -> None:
    game.tap_square(square("e7"))
    game.complain(square("e4"), None)
    game.show(playing.after(playing.STANDING, "b4"))
    game.feel(Side.RED, 1.0, 3.5)
    for text in ("e7 can still be", "between b4 and b5", "sensor of e4", "too little power"):
        assert text in game.texts()


def test_hints_alone_need_no_agreement(drive: Drive) -> None:
    hands = sit_down(drive, EDITIONS["isf"].with_army("barrage"), 3)
    driver = hands.driver
    agree(driver)
    assert "Hold to get hints" in driver.texts()
    assert "agree" not in driver.texts()
    driver.hold("red", HOLD_SECONDS + 0.1)
    assert driver.find("help").text == "Hint (3)"
    enemy = next(squares_in(driver.tabletop.standing.blue))
    driver.tap_at(*driver.on_board(names(1 << enemy)))
    assert "can still be: bomb, 10, 9, 3, 2, 1, flag" in driver.texts()


def test_hint_about_the_piece_that_the_computer_moved(drive: Drive) -> None:
    """The computer's own piece is not selected for an attack, not even directly after its move."""
    hands = sit_down(drive, EDITIONS["isf"], 3)
    driver, table = hands.driver, hands.driver.app.presenter.table
    agree(driver)
    driver.tap_answer("limits", "unlimited")
    driver.hold("red", HOLD_SECONDS + 0.1)
    while not any(hands.side_at(each) is Side.BLUE for each in table.view.may_strike):
        turns = [(at, to) for at in hands.own() for to in hands.reach(at)]
        hands.play(*max(turns, key=lambda turn: turn[1] - turn[0]))
    (moved,) = table.view.may_strike
    other = next(each for each in squares_in(table.expected.blue) if each != moved)
    for enemy in (moved, other):
        driver.tap_at(*driver.on_board(name(enemy)))
        assert f"{name(enemy)} can still be" in driver.texts()
        assert driver.on_top("attack") is None


def silent_game(attacker: Rank, defender: Rank) -> Referee:
    """Return a game in which a silent defender has won, so its declared rank is secret."""
    game = Referee(SILENT)
    for turn in ("e4-e5", "k7-k6", "e5-e6", "k6-k5", "e6xe7"):
        game.push(turn)
    game.declare(Side.RED, attacker)
    game.declare(Side.BLUE, defender)
    return game


def answers(game: Referee, answer: Answer) -> dict[Square, RankSet]:
    occupied = game.position.board.occupied
    return {at: answer(game.position, at) for at in squares_in(occupied)}


def interferes(answer: Answer) -> bool:
    """Whether an answer differs between games that differ only in a hidden rank."""
    stronger = (Rank.CAPTAIN, Rank.MAJOR, Rank.COLONEL, Rank.GENERAL, Rank.MARSHAL, Rank.BOMB)
    for attacker in (Rank.SERGEANT, Rank.LIEUTENANT):
        for one, other in permutations(stronger, 2):
            games = silent_game(attacker, one), silent_game(attacker, other)
            first, second = (answers(game, answer) for game in games)
            if first != second:
                return True
            assert threatened(games[0].position, Side.RED) == threatened(
                games[1].position, Side.RED
            )
    return False


def test_hint_is_independent_of_hidden_ranks() -> None:
    assert not interferes(possible_ranks)
    found = possible_ranks(silent_game(Rank.SERGEANT, Rank.MAJOR).position, square("e7"))
    assert Rank.SERGEANT not in ranks_in(found)
    assert {Rank.LIEUTENANT, Rank.MAJOR, Rank.BOMB} <= set(ranks_in(found))


def test_planted_hint_leak_is_found() -> None:
    def leak(position: Position, at: Square) -> RankSet:
        """Return the rank that was declared in secret."""
        deduction, piece = position.deduction_at(at)
        for side in Side:
            secret = position.player(side).unnamed.get(piece)
            if secret and side is position.board.side_at(at):
                return 1 << secret.unseal()
        return deduction.possible(piece)

    assert interferes(leak)


@RARE
def test_hints_with_silent_defence(drive: Drive) -> None:
    shown = set()
    for defender in (Rank.MAJOR, Rank.BOMB):
        driver = drive(edition=SILENT)
        playing.begin(driver)
        agree(driver, "red", "blue")
        image = playing.play(driver, playing.STANDING, "e4 e5", "k7 k6", "e5 e6", "k6 k5")
        playing.defend_in_silence(driver, image, attack="e6 e7", defender=defender)
        playing.play(driver, playing.after(image, "e6"), "k5 k6")
        driver.tap_square(square("e7"))
        shown.add(driver.face.notice)
    assert len(shown) == 1
