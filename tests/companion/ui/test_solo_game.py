"""A single player against the computer on the simulated board."""

from collections.abc import Callable
from itertools import product
from typing import Final

import pytest

from companion.core.inputs import CommandInput
from companion.core.state import ToMove
from companion.reports.incident_sheet import incident_sheet
from companion.session.computer_side import ASIDE_SECONDS, AWAITED_SECONDS
from companion.speech.i18n import Language
from companion.ui.dialogs.game_choice import QUICK
from engine.board.geometry import SQUARES, Side, name, square
from engine.game.actions import Attack, ClaimStalemate, Move, Turn
from tests.campaigns import RARE, slow_after_first
from tests.companion.ui.driver import Driver
from tests.companion.ui.playing import enlarge
from tests.companion.ui.running_app import Script

Drive = Callable[..., Driver]


@pytest.fixture
def driver(drive: Drive) -> Driver:
    """Game against the computer, started with three taps."""
    driver = drive(source=Script.with_simulated_board())
    driver.connect()
    for button in ("alone", "chosen"):
        driver.tap(button)
    driver.show_virtual()
    driver.tap_inside("red", "ready")
    until(driver, lambda: driver.view == "turn")
    return driver


def until(driver: Driver, condition: Callable[[], object]) -> None:
    """Run frames until a condition is met."""
    for _ in range(60):
        if condition():
            return
        driver.show_virtual()
        driver.pass_time(0.6)
    raise AssertionError("the condition was never met")


def plies(driver: Driver) -> int:
    return int(driver.app.presenter.table.view.plies)


def drag(driver: Driver, source: str, target: str) -> None:
    driver.carry(source, target)


def turns(driver: Driver) -> list[Turn]:
    """Return all of Red's legal turns, given the actual ranks of its pieces."""
    referee, ranks = driver.app.presenter.table.referee, driver.app.host.printed(Side.RED)
    return [*referee.information_state(Side.RED, ranks).turns]


def turn(driver: Driver) -> Turn:
    """Return a legal turn, preferably an attack."""
    return max(turns(driver), key=lambda turn: isinstance(turn, Attack))


def play(driver: Driver) -> None:
    made, before = turn(driver), plies(driver)
    drag(driver, name(made.source), name(made.target))
    until(driver, lambda: plies(driver) > before)


@RARE
def test_no_instructions_for_the_computer_side(drive: Drive) -> None:
    driver = drive(source=Script.with_simulated_board())
    driver.connect()
    for button in ("alone", "chosen"):
        driver.tap(button)
    driver.show_virtual()
    own, other = (driver.find(side).ids.ready for side in ("red", "blue"))
    assert (own.opacity, own.disabled) == (1, False)
    assert (other.opacity, other.disabled) == (0, True)
    driver.tap_inside("red", "ready")
    until(driver, lambda: driver.view == "turn")
    assert driver.face.to_move == "Your turn"
    made = next(each for each in turns(driver) if not isinstance(each, Attack))
    drag(driver, name(made.source), name(made.target))
    driver.show_virtual()
    driver.wait(lambda: plies(driver) == 1)
    assert driver.face.side is Side.BLUE
    assert driver.face.to_move == ""


@pytest.mark.parametrize(
    ("code", "large"), slow_after_first("languages", [*product(("fi", "en", "de"), (True, False))])
)
def test_quick_game_in_four_touches(drive: Drive, code: str, *, large: bool) -> None:
    """It takes less than a minute to choose a quick game, get ready and make a move."""
    driver = drive(language=code, source=Script.with_simulated_board())
    if large:
        enlarge(driver)
    driver.connect()
    touches, began = driver.touches, driver.now
    for button in ("alone", "quick"):
        assert driver.on_top(button), "the button is visible without turning a page"
        driver.tap(button)
    driver.show_virtual()
    assert driver.on_top("red"), "the ready button is visible as well"
    driver.tap_inside("red", "ready")
    until(driver, lambda: driver.view == "turn")
    made = next(each for each in turns(driver) if not isinstance(each, Attack))
    drag(driver, name(made.source), name(made.target))
    until(driver, lambda: plies(driver) == 1)
    assert driver.app.host.players.alone is Side.RED
    assert driver.app.presenter.table.view.edition == QUICK
    assert driver.touches - touches == 4
    assert driver.now - began < 60


def test_solo_dialog_can_be_cancelled(drive: Drive) -> None:
    driver = drive(source=Script.with_simulated_board())
    driver.connect()
    for button in ("alone", "close", "begin"):
        driver.tap(button)
    assert driver.app.host.players.alone is None


def test_computer_answers_the_first_move(driver: Driver) -> None:
    assert driver.tabletop.alone is Side.RED
    play(driver)
    until(driver, lambda: plies(driver) == 2)


def test_solo_attack_without_a_curtain(driver: Driver) -> None:
    table = driver.app.presenter.table
    board = driver.tabletop.board
    while not any(table.view.captured.values()):
        play(driver)
        until(driver, lambda: table.view.to_move is Side.RED and table.state == ToMove())
    assert board.image() == table.expected


@RARE
def test_computer_waits_in_a_pause(driver: Driver, drive: Drive) -> None:
    for button in ("menu", "pause"):
        driver.tap(button)
    driver.pass_time(30)
    assert plies(driver) == 0
    driver.tap("leave")
    driver = drive(source=Script.with_simulated_board())
    driver.connect()
    driver.tap("resume")
    driver.show_virtual()
    driver.tap("go_on")
    assert driver.app.host.players.alone is Side.RED
    until(driver, lambda: driver.view == "turn")
    play(driver)
    until(driver, lambda: plies(driver) >= 2)


@RARE
def test_no_computer_for_two_people(drive: Drive) -> None:
    driver = drive(source=Script.with_simulated_board())
    driver.connect()
    driver.tap("begin")
    driver.tap("set_up")
    driver.show_virtual()
    driver.pass_time(30)
    assert driver.app.presenter.table.ready == frozenset()


def test_solo_menu(driver: Driver) -> None:
    driver.tap("menu")
    for offered in ("draw", "take_back", "resigns"):
        assert driver.on_top(f"red_{offered}")
        assert driver.on_top(f"blue_{offered}") is None
    driver.tap("arbiter")
    assert driver.find("blue_forfeits").disabled
    assert driver.find("both_forfeit").disabled


def test_no_claim_for_the_computer(driver: Driver) -> None:
    made = next(each for each in turns(driver) if not isinstance(each, Attack))
    drag(driver, name(made.source), name(made.target))
    driver.show_virtual()
    driver.wait(lambda: plies(driver) == 1)
    driver.tap("menu")
    assert driver.on_top("cannot_move") is None


def test_no_mistaken_claim_on_the_simulated_board(driver: Driver) -> None:
    """The program knows Red's ranks, and sees that Red can move."""
    driver.tap("menu")
    assert driver.on_top("cannot_move") is None
    presenter = driver.app.presenter
    presenter.submit(CommandInput(presenter.now(), ClaimStalemate()))
    driver.pass_time(2)
    assert presenter.table.view.outcome is None


def is_reds_turn(driver: Driver) -> bool:
    table = driver.app.presenter.table
    return table.state == ToMove() and table.view.to_move is Side.RED


def offer_draw(driver: Driver) -> None:
    for button in ("menu", "red_draw", "yes"):
        driver.tap(button)
    assert driver.on_top("accept") is None, "the computer answers the offer itself"


@RARE
def test_computer_accepts_a_draw(driver: Driver) -> None:
    offer_draw(driver)
    until(driver, lambda: driver.view == "end")
    outcome = driver.app.presenter.table.view.outcome
    assert outcome
    assert outcome.winner is None


@RARE
def test_leading_computer_declines_a_draw(driver: Driver) -> None:
    view = driver.app.presenter.table.view
    captured = view.captured
    while len(captured[Side.RED]) <= len(captured[Side.BLUE]):
        play(driver)
        until(driver, lambda: driver.view == "end" or is_reds_turn(driver))
        captured = driver.app.presenter.table.view.captured
    until(driver, lambda: driver.view == "turn" and is_reds_turn(driver))
    offer_draw(driver)
    until(driver, lambda: "Blue declines the draw." in driver.texts())
    assert driver.view == "turn"
    play(driver)
    assert "declines" not in driver.texts()


def test_take_back_asks_nobody(driver: Driver) -> None:
    play(driver)
    until(driver, lambda: driver.view == "turn" and is_reds_turn(driver))
    before = plies(driver)
    for button in ("menu", "red_take_back", "yes"):
        driver.tap(button)
    driver.settle()
    assert driver.face.offer == "Red takes back a move."
    until(driver, lambda: plies(driver) < before)


def test_refusal_has_no_citation(driver: Driver) -> None:
    drag(driver, "a4", "b5")
    until(driver, lambda: "Not allowed" in driver.texts())
    assert "Pieces move straight along a row or a column." in driver.texts().splitlines()
    game, incidents = driver.app.host.archive.incidents(1)
    sheet = " ".join(incident_sheet(game, incidents, Language("en")).split())
    assert "a row or a column. (Original Stratego 498: how pieces move)" in sheet


def test_menu_stays_open_during_computer_moves(driver: Driver) -> None:
    made = next(each for each in turns(driver) if not isinstance(each, Attack))
    drag(driver, name(made.source), name(made.target))
    driver.show_virtual()
    driver.wait(lambda: plies(driver) == 1)
    driver.tap("menu")
    until(driver, lambda: plies(driver) == 2)
    assert driver.on_top("red_resigns")


OFF: Final = (740, 240)
"""Place beside the board, as x and y."""


def drag_off(driver: Driver, source: str) -> None:
    driver.drag(driver.on_board(source), OFF)
    driver.show_virtual()


def test_piece_beside_the_board_is_asked_back(driver: Driver) -> None:
    stood = driver.tabletop.standing
    drag_off(driver, "b1")
    assert driver.view == "turn", "the person may still be moving the piece"
    driver.pass_time(ASIDE_SECONDS)
    assert driver.view == "recovery"
    assert driver.face.put == 1 << square("b1")
    assert "b1" in driver.texts()
    driver.tap("put_back")
    until(driver, lambda: driver.view == "turn")
    assert driver.tabletop.standing == stood
    play(driver)


@pytest.mark.parametrize("is_early", [False, True])
def test_computer_moves_although_a_piece_is_beside(driver: Driver, *, is_early: bool) -> None:
    """The piece is dragged off before the person's move, or during the computer's turn."""
    made = next(each for each in turns(driver) if isinstance(each, Move))
    if is_early:
        drag_off(driver, "b1")
    drag(driver, name(made.source), name(made.target))
    driver.show_virtual()
    for _ in range(20):
        driver.pass_time(0.3)
        if driver.view == "choose-move":
            driver.tap_at(*driver.middle(driver.find("candidates").children[0]))
        if plies(driver):
            break
    if not is_early:
        drag_off(driver, "b1")
    until(driver, lambda: plies(driver) >= 2)
    until(driver, lambda: driver.view == "turn")
    assert driver.tabletop.board.at(square("b1"))


def test_computer_asks_for_a_lifted_piece(driver: Driver) -> None:
    """During the computer's turn, a tap has lifted a piece, and the computer has to wait."""
    made = next(each for each in turns(driver) if isinstance(each, Move))
    drag(driver, name(made.source), name(made.target))
    until(driver, lambda: plies(driver) == 1)
    driver.tap_at(*driver.on_board("b1"))
    driver.show_virtual()
    driver.pass_time(AWAITED_SECONDS / 2)
    assert driver.view == "turn"
    driver.pass_time(AWAITED_SECONDS)
    assert driver.view == "recovery"
    driver.tap("put_back")
    until(driver, lambda: plies(driver) == 2)


def test_piece_dropped_on_the_computer_army_returns(drive: Drive) -> None:
    """Before the game, a piece cannot be lost by dropping it on the computer's army."""
    driver = drive(source=Script.with_simulated_board())
    driver.connect()
    for button in ("alone", "chosen"):
        driver.tap(button)
    driver.show_virtual()
    pieces = [driver.tabletop.board.at(each) for each in SQUARES]
    drag(driver, "c4", "c7")
    assert [driver.tabletop.board.at(each) for each in SQUARES] == pieces
    for each in ("c4", "c7"):
        driver.tap_at(*driver.on_board(each))
    driver.show_virtual()
    assert [driver.tabletop.board.at(each) for each in SQUARES] == pieces
    assert driver.texts().count("40 of 40") == len(Side)
