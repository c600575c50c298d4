"""Play whole sessions at the touchscreen with a real journal."""

from collections.abc import Callable

import pytest

from companion.core.recognition_limits import LIMITS
from companion.ui.base.presenter import BOOM_SECONDS
from engine.board.geometry import Side, square
from engine.board.ranks import Rank
from engine.game.game_state import Phase
from engine.game.rulings import Reason
from firmware_bridge.link import Connected, LinkErrorKind
from firmware_bridge.wire import BoardKind, Hello, ResetCause
from tests.campaigns import RARE, slow_after_first
from tests.companion.ui.driver import Driver
from tests.companion.ui.playing import (
    STANDING,
    after,
    attack_on_screen,
    begin,
    declare,
    open_curtain,
    play,
    tap_begin,
    turn_cards,
)

Drive = Callable[..., Driver]


def outcome(driver: Driver) -> Reason | None:
    over = driver.app.presenter.table.view.outcome
    return over.reason if over else None


def test_whole_session(driver: Driver) -> None:
    begin(driver)
    assert "Your turn" in driver.texts()

    driver.show(after(STANDING, "e4 f5"))
    assert driver.view == "recovery"
    assert "Not allowed" in driver.texts()
    assert "Remove the piece from f5." in driver.texts()
    assert "Original Stratego 498" in driver.texts()
    driver.show(STANDING)
    assert driver.view == "turn"

    image = play(driver, STANDING, "e4 e5", "a7 a6", "e5 e6", "a6 a5")
    # Red sets its piece down on e7.
    driver.show(after(image, "e6 e7"))
    assert driver.view == "declaration"
    assert "Red\nTake the screen.\nBlue: look away." in driver.texts()
    declare(driver, Rank.CAPTAIN)
    assert "Blue\nTake the screen.\nRed: look away." in driver.texts()
    assert "Red has declared." in driver.texts()
    declare(driver, Rank.BOMB)

    assert driver.view == "reveal"
    driver.pass_time(BOOM_SECONDS)
    assert driver.app.presenter.explosion_seconds_left is None
    assert "Boom!" in driver.texts()
    assert "Captain" in driver.texts()
    assert "Bomb" in driver.texts()
    assert "Remove the piece from e7." in driver.texts()
    assert "Put the blue piece on e7." in driver.texts()
    driver.show(after(image, "e6"))
    driver.tap("end")
    assert driver.view == "turn"
    assert "Captain" not in driver.texts()
    assert driver.face.captured[Side.RED][Rank.CAPTAIN] == 1
    assert sum(driver.face.captured[Side.RED].values()) == 1

    driver.tap("menu")
    driver.tap("red_resigns")
    assert "Does Red resign?" in driver.texts()
    driver.tap("no")
    assert driver.view == "turn"
    driver.tap("menu")
    driver.tap("red_resigns")
    driver.confirm()
    assert driver.view == "end"
    assert "Blue wins" in driver.texts()
    assert "5 moves and attacks" in driver.texts()
    driver.tap("leave")
    assert driver.view == "start"
    assert driver.on_top("resume") is None


@pytest.mark.parametrize(
    ("language", "moves", "length"),
    slow_after_first(
        "languages",
        [
            ("en", ["e4 e5"], "1 move or attack"),
            ("en", ["e4 e5", "a7 a6"], "2 moves and attacks"),
            ("de", ["e4 e5"], "1 Zug oder Angriff"),
            ("de", ["e4 e5", "a7 a6"], "2 Züge und Angriffe"),
        ],
    ),
)
@RARE
def test_end_shows_the_duration(drive: Drive, language: str, moves: list[str], length: str) -> None:
    driver = drive(language=language)
    begin(driver)
    play(driver, STANDING, *moves)
    for button in ("menu", "red_resigns"):
        driver.tap(button)
    driver.confirm()
    assert length in driver.texts()


@RARE
def test_end_screen_uses_the_width(driver: Driver) -> None:
    begin(driver)
    image = play(driver, STANDING, "e4 e5")
    for button in ("menu", "leave", "resume"):
        driver.tap(button)
    driver.show(image)
    for button in ("menu", "red_resigns"):
        driver.tap(button)
    driver.confirm()
    driver.tap("leave")
    next_game = driver.find("again")
    driver.tap_at(next_game.parent.x + 20, driver.middle(next_game)[1])
    assert driver.view == "setup"


def test_ready_needs_a_complete_army(driver: Driver) -> None:
    driver.connect()
    driver.tap("begin")
    driver.show(after(STANDING, "a1", "k10 k6"))
    assert "39 of 40" in driver.texts()
    assert "No piece belongs on k6." in driver.texts()
    driver.tap_inside("red", "ready")
    driver.tap_inside("blue", "ready")
    assert driver.app.presenter.table.ready == frozenset()
    driver.show(STANDING)
    driver.tap_inside("red", "ready")
    assert "Red is ready" in driver.texts()
    assert driver.view == "setup"
    driver.tap_inside("blue", "ready")
    assert driver.view == "turn"


def test_next_touch_clears_a_violation(driver: Driver) -> None:
    begin(driver)
    attack_on_screen(driver, "e4", "f7")
    assert driver.view == "turn"
    assert "straight along a row or a column" in driver.texts()
    driver.tap_square(square("k5"))
    assert "straight along a row or a column" not in driver.texts()
    attack_on_screen(driver, "e4", "f7")
    play(driver, STANDING, "a4 a5")
    assert driver.app.presenter.table.view.plies == 1
    assert "straight along a row or a column" not in driver.texts()


def test_touching_a_target_attacks_with_the_held_piece(driver: Driver) -> None:
    begin(driver)
    image = play(driver, STANDING, "e4 e5", "a7 a6", "e5 e6", "a6 a5")
    driver.show(after(image, "e6"))
    driver.tap_square(square("e7"))
    driver.tap("attack")
    assert driver.view == "declaration"
    driver.tap("no_attack")
    assert driver.app.presenter.table.view.phase is Phase.PLAY


def test_draw_by_agreement(driver: Driver) -> None:
    begin(driver)
    driver.tap("menu")
    driver.tap("blue_draw")
    driver.confirm()
    assert "Blue offers a draw." in driver.texts()
    driver.tap("accept")
    assert "Does Red accept the draw?" in driver.texts()
    driver.confirm()
    assert driver.view == "end"
    assert outcome(driver) is Reason.AGREED_DRAW
    assert "Draw" in driver.texts()


@RARE
def test_a_draw_offer_lapses_with_the_next_move(driver: Driver) -> None:
    begin(driver)
    driver.tap("menu")
    driver.tap("red_draw")
    driver.confirm()
    play(driver, STANDING, "e4 e5")
    assert "offers a draw" not in driver.texts()


def test_cannot_move_button(driver: Driver) -> None:
    begin(driver)
    play(driver, STANDING, "e4 e5")
    driver.tap("menu")
    assert "Blue cannot move" in driver.texts()
    driver.tap("cannot_move")
    assert "Red wins with a legal move." in driver.texts()
    driver.confirm()
    assert outcome(driver) is Reason.NO_LEGAL_MOVE


@RARE
def test_outdated_question_is_withdrawn(driver: Driver) -> None:
    begin(driver)
    driver.tap("menu")
    driver.tap("cannot_move")
    play(driver, STANDING, "e4 e5")
    assert "cannot move?" not in driver.texts()
    assert driver.view == "turn"


def test_flag_capture_is_shown_before_the_end(driver: Driver) -> None:
    begin(driver)
    image = play(driver, STANDING, "e4 e5", "a7 a6", "e5 e6", "a6 a5")
    driver.show(after(image, "e6 e7"))
    declare(driver, Rank.MINER)
    declare(driver, Rank.FLAG)
    assert driver.view == "reveal"
    turn_cards(driver)
    assert "The flag is captured!" in driver.texts()
    driver.tap("end")
    assert driver.view == "end"
    assert "Red wins" in driver.texts()


def test_reveal_without_clearing_stays_readable(driver: Driver) -> None:
    begin(driver)
    image = play(driver, STANDING, "e4 e5", "a7 a6", "e5 e6", "a6 a5")
    driver.show(after(image, "e6 e7"))
    declare(driver, Rank.MARSHAL)
    declare(driver, Rank.SCOUT)
    assert driver.app.presenter.table.state.reveal is None
    assert driver.view == "reveal"
    driver.pass_time(LIMITS.combat_readable_seconds - 2)
    assert "Marshal" in driver.texts()
    driver.pass_time(2)
    assert driver.view == "turn"
    assert "Marshal" not in driver.texts()


def leave(driver: Driver) -> None:
    driver.tap("menu")
    driver.tap("leave")


def test_accidental_touch_does_not_discard_a_game(driver: Driver) -> None:
    begin(driver)
    play(driver, STANDING, "e4 e5", "a7 a6")
    leave(driver)
    driver.tap("begin")
    assert "The unfinished game is not lost" in driver.texts()
    driver.tap("no")
    driver.tap("resume")
    assert driver.app.presenter.table.view.plies == 2


def test_power_cut_in_setup_keeps_the_previous_game(drive: Drive) -> None:
    driver = drive()
    begin(driver)
    play(driver, STANDING, "e4 e5", "a7 a6")
    leave(driver)
    tap_begin(driver)
    driver.show(STANDING)
    driver.tap_inside("red", "ready")
    driver = drive()
    driver.tap("resume")
    assert driver.app.presenter.table.view.plies == 2


def test_board_unplugged_during_setup(driver: Driver) -> None:
    """The setup is not saved, and leaving it needs an answer."""
    driver.connect()
    driver.tap("begin")
    driver.show(STANDING)
    driver.tap_inside("red", "ready")
    driver.lose()
    assert "The game is saved" not in driver.texts()
    driver.tap("leave")
    assert "The setup is lost then." in driver.texts()
    driver.tap("yes")
    assert driver.view == "start"


def test_new_game_keeps_the_previous_one(drive: Drive) -> None:
    driver = drive()
    begin(driver)
    play(driver, STANDING, "e4 e5", "a7 a6")
    leave(driver)
    begin(driver)
    driver = drive()
    driver.connect()
    driver.tap("resume")
    driver.show(STANDING)
    assert driver.app.presenter.table.view.plies == 0
    leave(driver)
    driver.tap("games")
    latest, before = driver.find("rows").children[::-1]
    assert latest.end == before.end == "Unfinished: continue"
    driver.show(after(STANDING, "e4 e5", "a7 a6"))
    driver.tap_at(*driver.middle(before))
    assert driver.app.presenter.table.view.plies == 2
    play(driver, driver.app.presenter.table.expected, "e5 e6")
    driver.wait(lambda: driver.app.presenter.table.view.plies == 3)


def test_first_start_asks_nothing(driver: Driver) -> None:
    driver.connect()
    driver.tap("begin")
    assert driver.view == "setup"
    driver.tap("back")
    assert driver.on_top("resume") is None
    assert driver.journal.games() == []


@pytest.fixture
def reading(driver: Driver) -> Driver:
    """Game in which Red's colonel has won on e6 and the players are reading the result."""
    begin(driver)
    image = play(driver, STANDING, "e4 e5", "e7 e6")
    attack_on_screen(driver, "e5", "e6")
    declare(driver, Rank.COLONEL)
    declare(driver, Rank.MAJOR)
    driver.show(after(image, "e5 e6"))
    assert driver.view == "reveal"
    return driver


def test_illegal_move_during_the_reveal(reading: Driver) -> None:
    image = reading.seen
    reading.show(after(image, "f7 g6"))
    assert reading.view == "recovery"
    assert "Not allowed" in reading.texts()
    assert "Colonel" not in reading.texts()
    reading.show(image)
    assert reading.view == "turn"


@RARE
def test_knocked_board_during_the_reveal(reading: Driver) -> None:
    reading.show(after(reading.seen, "a1 c5", "b1 k5"), 2)
    assert reading.view == "recovery"
    assert "Correct the board" in reading.texts()


@RARE
def test_new_attack_replaces_the_reveal(reading: Driver) -> None:
    reading.show(after(reading.seen, "f7 f6"))
    assert reading.view == "reveal"
    reading.show(after(reading.seen, "e6 f6"))
    assert reading.view == "declaration"


@RARE
def test_move_keeps_the_reveal_for_a_while(reading: Driver) -> None:
    reading.show(after(reading.seen, "a7 a6"))
    assert reading.app.presenter.table.view.plies == 4
    assert "Colonel" in reading.texts()


def test_resignation_closes_the_reveal(reading: Driver) -> None:
    for button in ("menu", "red_resigns"):
        reading.tap(button)
    reading.confirm()
    assert reading.view == "end"


@RARE
def test_closed_reveal_stays_closed_after_leaving(driver: Driver) -> None:
    begin(driver)
    image = play(driver, STANDING, "e4 e5", "e7 e6")
    attack_on_screen(driver, "e5", "e6")
    declare(driver, Rank.COLONEL)
    declare(driver, Rank.MAJOR)
    driver.show(after(image, "e5 e6"), 20)
    driver.show(after(image, "e5 e6", "e6"))
    driver.tap("menu")
    driver.tap("leave")
    driver.tap("resume")
    driver.pass_time(2)
    assert driver.view == "turn"
    assert "olonel" not in driver.texts()


def test_unread_reveal_survives_a_restart(drive: Drive) -> None:
    driver = drive()
    begin(driver)
    image = play(driver, STANDING, "e4 e5", "e7 e6")
    attack_on_screen(driver, "e5", "e6")
    declare(driver, Rank.MINER)
    declare(driver, Rank.MINER)
    driver.show(after(image, "e5", "e6"))

    driver = drive()
    driver.connect()
    driver.show(after(image, "e5", "e6"))
    driver.tap("resume")
    driver.pass_time(2)
    assert driver.view == "reveal"
    assert "Miner" in driver.texts()
    driver.tap("end")
    assert driver.view == "turn"
    assert "Miner" not in driver.texts()


def test_restart_during_an_attack(drive: Drive) -> None:
    driver = drive()
    begin(driver)
    image = play(driver, STANDING, "e4 e5", "a7 a6", "e5 e6", "a6 a5")
    driver.show(after(image, "e6 e7"))
    declare(driver, Rank.CAPTAIN)

    driver = drive()
    assert driver.on_top("resume")
    driver.tap("resume")
    assert "The board is not connected" in driver.texts()
    driver.connect()
    driver.show(after(image, "e6 e7"))
    assert driver.view == "declaration"
    assert "Red has declared." in driver.texts()
    declare(driver, Rank.SCOUT)
    assert driver.view == "reveal"


@RARE
def test_restart_with_a_changed_board(drive: Drive) -> None:
    driver = drive()
    begin(driver)
    image = play(driver, STANDING, "e4 e5")
    driver = drive()
    driver.connect()
    driver.show(after(image, "a7", "k1 k5"))
    driver.tap("resume")
    driver.pass_time(1)
    assert driver.view == "recovery"
    assert "Put the blue piece on a7." in driver.texts()
    driver.show(image)
    assert driver.view == "turn"


@RARE
def test_two_boards_are_both_named(driver: Driver) -> None:
    hello = Hello((1, 0, 0), BoardKind.COLOURS, ResetCause.EXTERNAL, 7)
    driver.script.connected = Connected("/dev/ttyUSB0", hello, ("/dev/ttyUSB1",))
    driver.connect()
    assert "The board at /dev/ttyUSB0 is used, not the one at /dev/ttyUSB1." in driver.texts()


def test_error_is_shown_until_it_is_over(driver: Driver) -> None:
    driver.lose(LinkErrorKind.NO_BOARD)
    assert "No board found." in driver.texts()
    driver.connect()
    assert "The board is connected." in driver.texts()
    begin(driver)
    driver.lose(LinkErrorKind.UNPLUGGED)
    assert "The board is unplugged." in driver.texts()
    driver.connect()
    driver.show(STANDING)
    assert driver.view == "turn"
    assert "unplugged" not in driver.texts()


def test_start_screen_choices(driver: Driver) -> None:
    driver.tap("language")
    driver.tap_option("languages", "de")
    driver.frames(2)
    assert "Zwei Spieler" in driver.texts()
    for choice in ("settings", "sound", "reduced_motion", "close"):
        driver.tap(choice)
    settings = driver.app.presenter.settings
    assert (settings.sound, settings.reduced_motion) == (False, True)


def test_lost_board_closes_the_curtain(driver: Driver) -> None:
    begin(driver)
    attack_on_screen(driver, "e4", "e7")
    open_curtain(driver)
    assert driver.face.is_open
    driver.lose()
    assert not driver.face.is_open
