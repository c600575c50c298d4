"""A pause stops the clocks. Afterwards, the position is restored."""

from companion.core.events import CleanupRequired
from companion.core.inputs import OfferDraw, Pause, Resume
from companion.core.state import AttackOpen, Restoring, ToMove
from engine.board.geometry import Side, square
from engine.game.actions import Attack, Forfeit, Move, Resign
from engine.game.clocks import TIME_CONTROLS
from engine.game.game_state import Phase
from tests.companion.core.table_driver import TableDriver, attack, clash

CLOCK = TIME_CONTROLS["total"]


def paused(driver: TableDriver) -> TableDriver:
    driver.command(Pause())
    driver.forget()
    return driver


def test_clock_stops_in_a_pause() -> None:
    driver = TableDriver.begun(control=CLOCK)
    driver.wait(10)
    paused(driver)
    left = driver.table.clock.remaining(Side.RED, driver.now)
    driver.wait(600)
    assert driver.table.clock.remaining(Side.RED, driver.now) == left
    driver.command(Resume())
    driver.wait(5)
    later = driver.table.clock.remaining(Side.RED, driver.now)
    assert left is not None
    assert later is not None
    assert left - 5 <= later < left - 4


def test_moves_in_a_pause_do_not_count() -> None:
    driver = paused(clash())
    piece = driver.lift("a4")
    driver.place(piece, "a5")
    driver.wait()
    assert not driver.actions
    driver.command(Resume())
    driver.wait()
    assert not driver.actions
    assert isinstance(driver.table.state, Restoring)
    assert driver.emitted(CleanupRequired)
    driver.place(driver.lift("a5"), "a4")
    driver.wait()
    driver.play("a4-a5")


def test_unchanged_board_resumes_at_once() -> None:
    driver = paused(clash())
    driver.command(Resume())
    driver.wait()
    assert driver.table.state == ToMove()
    driver.play("a4-a5")


def test_unsettled_move_is_repeated_after_a_pause() -> None:
    driver = clash()
    piece = driver.lift("a4")
    driver.place(piece, "a5")
    paused(driver)
    driver.wait()
    assert Move(square("a4"), square("a5")) not in driver.actions
    driver.command(Resume())
    driver.wait()
    assert isinstance(driver.table.state, Restoring)


def test_no_rulings_in_a_pause() -> None:
    driver = paused(clash())
    for action in (Resign(Side.RED), OfferDraw(Side.BLUE), Attack(square("e5"), square("e6"))):
        driver.command(action)
    assert not driver.actions
    assert driver.table.conversation.draw_offer is None


def test_open_attack_survives_a_pause() -> None:
    driver = paused(attack(clash()))
    driver.lift("f4")
    driver.wait()
    driver.command(Resume())
    assert isinstance(driver.table.state, AttackOpen)
    assert driver.table.conversation.question


def test_pause_survives_a_power_cut() -> None:
    driver = paused(clash())
    assert driver.table.saved.paused
    driver = driver.replugged()
    assert driver.table.is_paused
    driver.place(driver.lift("a4"), "a5")
    driver.wait()
    assert not driver.actions
    driver.command(Resume())
    driver.wait()
    assert isinstance(driver.table.state, Restoring)


def test_no_pause_during_setup() -> None:
    driver = TableDriver()
    driver.command(Pause())
    assert not driver.table.is_paused


def test_forfeit_during_a_pause() -> None:
    driver = paused(clash())
    driver.command(Forfeit(Side.RED))
    assert driver.table.view.phase is Phase.OVER
    assert not driver.table.is_paused
