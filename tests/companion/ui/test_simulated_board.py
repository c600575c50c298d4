"""On the simulated board, pieces are dragged by real touches."""

import json
import stat
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from kivy.base import EventLoop

from companion.session.tabletop import SensorFault
from companion.storage.printed_pieces import PrintedPieces
from companion.ui.base.input_devices import PromptMouse
from engine.board.geometry import NEIGHBOURS, SQUARES, Side, name, square
from engine.board.ranks import BARRAGE, DUEL, INFILTRATOR, ORIGINAL, Army, Rank
from engine.rules.editions import EDITIONS
from tests.campaigns import RARE, slow_after_first
from tests.companion.ui.driver import Driver
from tests.companion.ui.playing import STANDING, after, begin, begin_simulated, declare, turn_cards
from tests.companion.ui.running_app import LOOK, Script

Drive = Callable[..., Driver]
BESIDE = (640, 330)


@pytest.fixture
def driver(drive: Drive) -> Driver:
    """Game on the simulated board, with Red to move."""
    driver = drive(source=Script.with_simulated_board())
    begin_simulated(driver)
    return driver


def drag(driver: Driver, source: str, target: str) -> None:
    driver.carry(source, target)
    driver.show_virtual()


def standing(driver: Driver) -> Iterator[str]:
    board = driver.script.simulated
    assert board
    return (piece.label for each in SQUARES if (piece := board.at(each)))


def test_setup_button_places_both_armies(driver: Driver) -> None:
    assert driver.seen == STANDING
    army = sorted(rank.symbol for rank in ORIGINAL.pieces)
    assert sorted(standing(driver)) == sorted(army * 2)


def test_touched_piece_is_lifted(driver: Driver) -> None:
    finger = driver.touch_at(*driver.on_board("e4"))
    driver.show_virtual()
    assert driver.face.lifted == square("e4")
    driver.release(finger)
    driver.show_virtual()
    assert driver.face.lifted == square("e4"), "a tapped piece stays lifted"
    driver.tap_at(*driver.on_board("e4"))
    driver.show_virtual()
    assert driver.face.lifted is None
    assert driver.seen == STANDING


def test_move_by_two_taps(driver: Driver) -> None:
    for where in ("e4", "e5"):
        driver.tap_at(*driver.on_board(where))
    driver.show_virtual()
    assert driver.app.presenter.table.view.last_move == (square("e4"), square("e5"))


def test_tapping_another_own_piece_selects_it(driver: Driver) -> None:
    for where in ("e4", "f4"):
        driver.tap_at(*driver.on_board(where))
    driver.show_virtual()
    assert driver.face.lifted == square("f4")
    driver.tap_at(*driver.on_board("f5"))
    driver.show_virtual()
    assert driver.app.presenter.table.view.last_move == (square("f4"), square("f5"))


def test_held_piece_survives_a_screen_change(driver: Driver) -> None:
    finger = driver.touch_at(*driver.on_board("e4"))
    driver.slide(finger, *driver.on_board("e5"))
    driver.show_virtual()
    driver.app.presenter.leave()
    driver.frames(4)
    assert driver.view == "start"
    driver.release(finger)
    assert driver.tabletop.beside[Side.RED], "without a board the piece is put beside it"


def test_misplaced_piece_is_explained(drive: Drive) -> None:
    driver = drive(source=Script.with_simulated_board())
    driver.connect()
    driver.tap("begin")
    driver.tap("set_up")
    driver.tabletop.spoil(square("e4"), SensorFault.DEAD)
    driver.show_virtual()
    assert "39 of 40" in driver.texts()
    driver.tap_at(*driver.on_board("e4"))
    driver.tap("yes")
    driver.show_virtual()
    assert "39 of 40" not in driver.texts()


def test_game_cannot_be_cleared(driver: Driver) -> None:
    drag(driver, "e4", "e5")
    assert driver.view == "turn"
    assert "Set up all pieces" not in driver.texts()


@RARE
def test_leaving_setup_restores_the_previous_game(driver: Driver) -> None:
    drag(driver, "e4", "e5")
    for button in ("menu", "leave", "begin", "yes", "set_up", "back", "yes", "resume"):
        driver.tap(button)
    driver.show_virtual()
    assert driver.view == "turn"
    assert driver.app.presenter.table.view.plies == 1
    assert driver.seen == driver.app.presenter.table.expected


def test_move_by_dragging(driver: Driver) -> None:
    drag(driver, "e4", "e5")
    assert driver.app.presenter.table.view.last_move == (square("e4"), square("e5"))


@pytest.fixture
def mouse() -> Iterator[Callable[..., None]]:
    provider = PromptMouse("mouse", "disable_multitouch")
    EventLoop.add_input_provider(provider)
    provider.start()
    window = EventLoop.window

    def do(what: str, at: tuple[float, float]) -> None:
        button = () if what == "move" else ("left",)
        window.dispatch(f"on_mouse_{what}", at[0], window.height - 1 - at[1], *button, [])

    yield do
    provider.stop()
    EventLoop.remove_input_provider(provider)


def test_fast_drag_takes_the_pressed_piece(driver: Driver, mouse: Callable[..., None]) -> None:
    source, target = map(driver.on_board, ("e4", "e5"))
    driver.pass_time(LOOK)
    mouse("down", source)
    mouse("move", target)  # before the first frame
    driver.frames(1)
    mouse("up", target)
    driver.frames(1)
    driver.show_virtual()
    assert driver.app.presenter.table.view.last_move == (square("e4"), square("e5"))


@RARE
def test_piece_dropped_on_an_own_piece_returns(driver: Driver) -> None:
    drag(driver, "e4", "d4")
    assert driver.seen == STANDING


def test_piece_dropped_beside_the_board(driver: Driver) -> None:
    driver.drag(driver.on_board("e4"), BESIDE)
    driver.show_virtual()
    assert driver.face.lifted == square("e4")
    x, y = driver.on_tray("red")
    driver.drag((x, y), driver.on_board("e4"))
    driver.show_virtual()
    assert driver.seen == STANDING


def test_pieces_put_back_by_one_tap(driver: Driver) -> None:
    """All ranks return to their squares."""
    before = [*standing(driver)]
    for source, target in (("a4", "c5"), ("b4", "a4"), ("a7", "f6"), ("k10", "k5")):
        drag(driver, source, target)
    driver.drag(driver.on_board("e4"), BESIDE)
    driver.show_virtual()
    driver.tap_at(*driver.on_board("d1"))  # this piece stays in hand
    driver.show_virtual()
    assert driver.view == "recovery"
    driver.tap("put_back")
    driver.show_virtual()
    assert driver.view == "turn"
    assert driver.seen == STANDING
    assert [*standing(driver)] == before
    assert not any(driver.tabletop.beside.values())


def test_pieces_of_a_real_board_are_put_back_by_hand(drive: Drive) -> None:
    driver = drive()
    begin(driver)
    driver.show(after(STANDING, "a4 c5", "b4 d5"))
    assert driver.view == "recovery"
    assert driver.on_top("put_back") is None


def test_lost_attack_cleared_by_dragging(driver: Driver) -> None:
    for source, target in (("e4", "e5"), ("a7", "a6"), ("e5", "e6"), ("a6", "a5"), ("e6", "e7")):
        drag(driver, source, target)
    assert driver.view == "declaration"
    declare(driver, Rank.CAPTAIN)
    declare(driver, Rank.MARSHAL)
    turn_cards(driver)
    assert "Remove the piece from e7." in driver.texts()
    driver.drag(driver.on_board("e7"), BESIDE)
    driver.drag(driver.on_tray("blue"), driver.on_board("e7"))
    driver.show_virtual()
    assert driver.app.presenter.table.state.reveal is None
    driver.tap("end")
    assert driver.view == "turn"


def test_ranks_are_visible_only_while_held(driver: Driver) -> None:
    driver.frames(3)
    hidden = driver.pixels()
    finger = driver.touch_at(*driver.middle(driver.find("eye")))
    assert driver.tabletop.peeked == {Side.RED}
    assert driver.pixels() != hidden
    driver.release(finger)
    assert driver.tabletop.peeked == set()
    assert driver.pixels() == hidden


def test_sliding_finger_hides_the_ranks(driver: Driver) -> None:
    finger = driver.touch_at(*driver.middle(driver.find("eye")))
    driver.slide(finger, 700, 200)
    driver.release(finger)
    assert driver.tabletop.peeked == set()


@pytest.mark.parametrize(
    ("edition", "army"),
    slow_after_first("variants", [("isf", DUEL), ("isf", BARRAGE), ("nordic-2015", INFILTRATOR)]),
)
def test_all_armies_can_be_played(drive: Drive, edition: str, army: Army) -> None:
    driver = drive(
        source=Script.with_simulated_board(), edition=EDITIONS[edition].with_army(army.name), seed=8
    )
    driver.connect()
    driver.tap("begin")
    driver.tap("set_up")
    driver.show_virtual()
    assert f"{army.size} of {army.size}" in driver.texts()
    counts = Counter(rank.symbol for rank in army.pieces * 2)
    assert Counter(standing(driver)) == counts
    hidden = driver.pixels()
    finger = driver.touch_at(*driver.middle(driver.find("red").ids["eye"]))
    assert driver.pixels() != hidden
    driver.release(finger)
    for side in ("red", "blue"):
        driver.tap_inside(side, "ready")
    assert driver.view == "turn"
    table = driver.app.presenter.table
    source, target = next(
        (move.source, move.target)
        for move in table.referee.legal_moves()
        if move.target in NEIGHBOURS[move.source] and not table.expected.occupied >> move.target & 1
    )
    drag(driver, name(source), name(target))
    assert table.view.last_move == (source, target)
    before = driver.seen
    driver = drive(source=Script.with_simulated_board())
    driver.connect()
    driver.tap("resume")
    driver.show_virtual()
    assert driver.seen == before
    assert Counter(standing(driver)) == counts


def test_resumed_game_restores_the_board(driver: Driver, drive: Drive) -> None:
    drag(driver, "e4", "e5")
    drag(driver, "a7", "a6")
    before = driver.seen
    driver = drive(source=Script.with_simulated_board())
    driver.connect()
    driver.tap("resume")
    driver.show_virtual()
    assert driver.seen == before
    assert driver.view == "turn"


@pytest.fixture
def exchanged(driver: Driver) -> Driver:
    """Game in which Red swapped two pieces before declaring itself ready."""
    for button in ("menu", "leave", "begin", "yes", "set_up"):
        driver.tap(button)
    board = driver.script.simulated
    assert board
    flag = next(n for n in range(40) if label(driver, n) == "F")
    bomb = next(n for n in range(40) if label(driver, n) == "B")
    pieces = board.lift(flag), board.lift(bomb)
    for piece, where in zip(pieces, (bomb, flag), strict=True):
        board.place(piece, where)
    driver.show_virtual()
    for side in ("red", "blue"):
        driver.tap_inside(side, "ready")
    drag(driver, "e4", "e5")
    return driver


def label(driver: Driver, where: int) -> str | None:
    board = driver.script.simulated
    assert board
    piece = board.at(where)
    return piece.label if piece else None


def labels(driver: Driver) -> list[str | None]:
    return [label(driver, where) for where in SQUARES]


def prints(driver: Driver) -> Path:
    return driver.journals.path.with_name("printed.json")


def test_power_cut_keeps_ranks(exchanged: Driver, drive: Drive) -> None:
    before = labels(exchanged)
    assert stat.S_IMODE(prints(exchanged).stat().st_mode) == 0o600
    driver = drive(source=Script.with_simulated_board())  # the first board has been removed
    driver.connect()
    driver.tap("resume")
    assert labels(driver) == before


@RARE
def test_abandoned_game_keeps_its_ranks(exchanged: Driver, drive: Drive) -> None:
    before, seen = labels(exchanged), exchanged.seen
    for button in ("menu", "leave"):
        exchanged.tap(button)
    begin_simulated(exchanged)
    assert labels(exchanged) != before
    driver = drive(source=Script.with_simulated_board())
    driver.connect()
    driver.tap("games")
    driver.tap_at(*driver.middle(driver.find("rows").children[-2]))
    driver.show_virtual()
    assert labels(driver) == before
    assert driver.seen == seen
    assert driver.view == "turn"


@RARE
def test_printed_ranks_are_deleted_with_the_game(exchanged: Driver, drive: Drive) -> None:
    kept = PrintedPieces(exchanged.journals.path)
    number = exchanged.app.host.number
    assert number
    begun, earlier = (exchanged.journal.transcript(n).begun for n in (number, number - 1))
    assert kept.of(number, 1, begun)
    exchanged.tap("menu")
    exchanged.tap("red_resigns")
    exchanged.confirm()
    exchanged.tap("leave")
    assert kept.of(number, 1, begun), "the record contains the ranks"
    exchanged.journal.delete(number)
    assert kept.of(number, 1, begun) is None
    assert kept.of(number - 1, 1, earlier), "the previous game is unfinished"


@RARE
def test_ranks_of_another_game_are_ignored(exchanged: Driver, drive: Drive) -> None:
    """The games file was replaced, but the file with the ranks was not."""
    before = labels(exchanged)
    games = json.loads(prints(exchanged).read_text())
    games["games"][str(exchanged.app.host.number)]["begun"] = "2001-01-01T12:00:00Z"
    prints(exchanged).write_text(json.dumps(games))
    driver = drive(source=Script.with_simulated_board())
    driver.connect()
    driver.tap("resume")
    driver.show_virtual()
    assert labels(driver) != before
    assert sorted(filter(None, labels(driver))) == sorted(standing(exchanged))


@pytest.mark.parametrize("damage", ["", "[]", '{"games": {"2": {"printed": {"a1": "Q"}}}}'])
@RARE
def test_missing_ranks_file_deals_again(exchanged: Driver, drive: Drive, damage: str) -> None:
    prints(exchanged).write_text(damage)
    driver = drive(source=Script.with_simulated_board())
    driver.connect()
    driver.tap("resume")
    driver.show_virtual()
    assert driver.view == "turn"
    assert sorted(filter(None, labels(driver))) == sorted(standing(exchanged))
