"""A pause: the clocks stop, the board may be touched, and then the position is restored."""

from companion.core.events import CleanupRequired
from companion.core.inputs import OfferDraw, Pause, Resume
from companion.core.state import AttackOpen, Restoring, ToMove
from engine.board.geometry import Side, square
from engine.game.actions import Attack, Forfeit, Move, Resign
from engine.game.clocks import TIME_CONTROLS
from engine.game.game_state import Phase
from tests.companion.core.table_driver import TableDriver, attack, clash

CLOCK = TIME_CONTROLS["total"]


def paused(evening: TableDriver) -> TableDriver:
    evening.say(Pause())
    evening.forget()
    return evening


def test_the_clock_stands() -> None:
    evening = TableDriver.begun(control=CLOCK)
    evening.wait(10)
    paused(evening)
    left = evening.table.clock.remaining(Side.RED, evening.now)
    evening.wait(600)
    assert evening.table.clock.remaining(Side.RED, evening.now) == left
    evening.say(Resume())
    evening.wait(5)
    later = evening.table.clock.remaining(Side.RED, evening.now)
    assert left is not None
    assert later is not None
    assert left - 5 <= later < left - 4


def test_what_hands_do_meanwhile_is_no_turn() -> None:
    evening = paused(clash())
    piece = evening.lift("a4")
    evening.place(piece, "a5")
    evening.wait()
    assert not evening.actions
    evening.say(Resume())
    evening.wait()
    assert not evening.actions
    assert isinstance(evening.table.state, Restoring)
    assert evening.told(CleanupRequired)
    evening.place(evening.lift("a5"), "a4")
    evening.wait()
    evening.play("a4-a5")


def test_a_board_that_is_as_it_was_goes_on_at_once() -> None:
    evening = paused(clash())
    evening.say(Resume())
    evening.wait()
    assert evening.table.state == ToMove()
    evening.play("a4-a5")


def test_a_move_that_has_not_settled_is_made_again() -> None:
    evening = clash()
    piece = evening.lift("a4")
    evening.place(piece, "a5")
    paused(evening)
    evening.wait()
    assert Move(square("a4"), square("a5")) not in evening.actions
    evening.say(Resume())
    evening.wait()
    assert isinstance(evening.table.state, Restoring)


def test_nothing_is_ruled_and_nothing_said() -> None:
    evening = paused(clash())
    for said in (Resign(Side.RED), OfferDraw(Side.BLUE), Attack(square("e5"), square("e6"))):
        evening.say(said)
    assert not evening.actions
    assert evening.table.conversation.draw_offer is None


def test_an_open_attack_is_open_after_it() -> None:
    evening = paused(attack(clash()))
    evening.lift("f4")
    evening.wait()
    evening.say(Resume())
    assert isinstance(evening.table.state, AttackOpen)
    assert evening.table.conversation.question


def test_it_outlasts_a_pulled_plug() -> None:
    evening = paused(clash())
    assert evening.table.saved.paused
    evening = evening.replugged()
    assert evening.table.is_paused
    evening.place(evening.lift("a4"), "a5")
    evening.wait()
    assert not evening.actions
    evening.say(Resume())
    evening.wait()
    assert isinstance(evening.table.state, Restoring)


def test_there_is_none_before_the_armies_stand() -> None:
    evening = TableDriver()
    evening.say(Pause())
    assert not evening.table.is_paused


def test_who_does_not_come_back_can_be_declared_to_have_lost() -> None:
    evening = paused(clash())
    evening.say(Forfeit(Side.RED))
    assert evening.table.view.phase is Phase.OVER
    assert not evening.table.is_paused
