"""A scout that is set down in front of its target and then taps it (rules.md §4): one turn."""

import pytest

from companion.core.events import ChooseAttacker, CleanupRequired, ConfirmAttack
from companion.core.inputs import AttackerNamed, NoAttack
from companion.core.state import AwaitingAnswer
from engine.board.geometry import Side, square
from engine.board.ranks import Rank
from engine.game.actions import Amend, Attack, Move
from engine.game.game_state import Phase
from engine.game.rulings import AttackOpened, Combat, Moved
from engine.rules.editions import EDITIONS
from engine.rules.violations import Violation
from tests.companion.core.table_driver import TableDriver, fight

RED, BLUE = Side.RED, Side.BLUE


@pytest.fixture
def evening() -> TableDriver:
    """Red's scout has moved from e4 to e6, in front of e7; Blue to move."""
    evening = TableDriver.begun()
    evening.play("e4-e6")
    evening.forget()
    return evening


def strike(evening: TableDriver) -> None:
    """Set the scout down on e7; the other piece is in hand."""
    scout = evening.lift("e6")
    evening.lift("e7")
    evening.place(scout, "e7")
    evening.wait()


def test_set_down_on_the_target(evening: TableDriver) -> None:
    strike(evening)

    assert evening.actions == [Amend(square("e6"), square("e7"))]
    assert evening.told(AttackOpened) == [AttackOpened(RED, square("e4"), square("e7"), (BLUE,))]
    assert evening.table.state.difference.missing == 0


def test_the_scout_wins_and_it_is_the_other_sides_turn(evening: TableDriver) -> None:
    strike(evening)
    evening.declare(BLUE, Rank.SPY)
    evening.wait()

    (combat,) = evening.told(Combat)
    assert combat.source == square("e4")
    assert not evening.table.state.waits_for_board
    evening.play("f7-f6")


def test_the_scout_falls_and_the_other_piece_comes_back(evening: TableDriver) -> None:
    strike(evening)
    evening.declare(BLUE, Rank.MAJOR)
    evening.wait()
    assert evening.table.state.waits_for_board

    evening.lift("e7")
    evening.stand(BLUE, square("e7"))
    evening.show()
    evening.wait()

    assert not evening.table.state.waits_for_board
    evening.play("f7-f6")


def test_opened_on_the_screen_while_the_scout_stands_there(evening: TableDriver) -> None:
    evening.say(Attack(square("e6"), square("e7")))
    evening.wait()

    assert evening.actions == [Amend(square("e6"), square("e7"))]
    assert not evening.table.state.difference, "the scout may stand where it was set down"


def test_no_attack_after_all(evening: TableDriver) -> None:
    strike(evening)
    evening.submit(NoAttack(evening.now))
    evening.wait()
    assert evening.table.referee.phase is Phase.PLAY, "the same image opens no attack again"

    scout = evening.lift("e7")
    evening.stand(BLUE, square("e7"))
    evening.place(scout, "e6")
    evening.wait()
    evening.play("f7-f6")


def test_after_the_other_side_has_moved_it_is_too_late(evening: TableDriver) -> None:
    evening.play("f7-f6 a4-a5 k7-k6")
    evening.forget()
    evening.play("a5-a6")
    strike(evening)

    assert isinstance(evening.table.state.violation, Violation)
    assert not evening.told(AttackOpened)


def test_the_move_alone_stays_a_move() -> None:
    evening = TableDriver.begun()
    evening.play("e4-e6 f7-f6")

    assert evening.actions[-2:] == [
        Move(square("e4"), square("e6")),
        Move(square("f7"), square("f6")),
    ]
    assert [moved.long_move for moved in evening.told(Moved)] == [True, False]


def test_a_scout_that_falls_where_it_was_set_down_is_taken_from_there(evening: TableDriver) -> None:
    evening.say(Attack(square("e6"), square("e7")))
    evening.declare(BLUE, Rank.MAJOR)
    evening.wait()

    assert evening.table.state.reveal, "it is shown until the board shows the result"
    assert [cleared.difference.surplus for cleared in evening.told(CleanupRequired)] == [
        1 << square("e6")
    ]
    evening.lift("e6")
    evening.wait()
    assert not evening.table.state.waits_for_board
    evening.play("f7-f6")


def test_a_bomb_does_not_attack_the_scout_before_it() -> None:
    """Both sides know that f7 is a bomb; a piece that may be a scout has moved next to it."""
    evening = fight(Rank.CAPTAIN, Rank.SPY, edition=EDITIONS["gravopedia-2006"])
    evening.stand(RED, square("e6"))
    evening.wait()
    evening.play("a7-a6 e6-f6 a6-a7")
    evening.lift("f6")
    evening.lift("f7")
    evening.wait()
    evening.declare(BLUE, Rank.BOMB)
    evening.stand(BLUE, square("f7"))
    evening.wait()
    evening.play("a7-a6 f4-f6")
    evening.forget()
    evening.lift("f7")
    evening.lift("f6")
    evening.wait()
    assert evening.told(ConfirmAttack) == [ConfirmAttack(square("f6"), square("f7"))]
    evening.submit(AttackerNamed(evening.now, RED))
    assert evening.actions == [Amend(square("f6"), square("f7"))]


class TestBothInHand:
    """Red's scout may still attack, and Blue, whose turn it is, may attack the scout.

    The hands do not show which attack was made.
    """

    @pytest.fixture
    def evening(self, evening: TableDriver) -> TableDriver:
        evening.lift("e6")
        evening.lift("e7")
        evening.wait()
        assert not evening.actions
        assert evening.told(ChooseAttacker) == [ChooseAttacker(square("e7"), square("e6"))]
        return evening

    def test_it_is_red(self, evening: TableDriver) -> None:
        evening.submit(AttackerNamed(evening.now, RED))
        assert evening.actions == [Amend(square("e6"), square("e7"))]
        assert evening.told(AttackOpened)[0].source == square("e4")
        assert not isinstance(evening.table.state, AwaitingAnswer)

    def test_it_is_blue(self, evening: TableDriver) -> None:
        evening.submit(AttackerNamed(evening.now, BLUE))
        assert evening.actions == [Attack(square("e7"), square("e6"))]

    def test_it_is_none(self, evening: TableDriver) -> None:
        evening.stand(BLUE, square("e7"))
        evening.stand(RED, square("e6"))
        evening.wait()
        assert not isinstance(evening.table.state, AwaitingAnswer)
        evening.submit(AttackerNamed(evening.now, RED))
        assert not evening.actions
        evening.play("f7-f6")

    def test_the_board_says_it_after_all(self, evening: TableDriver) -> None:
        evening.stand(RED, square("e7"))
        evening.wait()
        assert evening.actions == [Amend(square("e6"), square("e7"))]

    def test_it_is_asked_again_after_a_pulled_plug(self, evening: TableDriver) -> None:
        again = evening.replugged()
        again.wait()
        assert again.told(ChooseAttacker)
        again.submit(AttackerNamed(again.now, RED))
        assert again.told(AttackOpened)


def test_who_takes_up_the_own_piece_first_attacks(evening: TableDriver) -> None:
    """Blue's turn has begun when Blue has its piece in hand and Red has long released its own."""
    evening.wait(2)
    evening.lift("e7")
    evening.lift("e6")
    evening.wait()
    assert evening.actions == [Attack(square("e7"), square("e6"))]
    assert not evening.told(ChooseAttacker)


def test_soon_after_the_run_its_target_may_make_room_for_it(evening: TableDriver) -> None:
    evening.lift("e7")
    evening.wait(0.5)
    evening.lift("e6")
    evening.wait(1)
    assert not evening.told(ChooseAttacker), "the hands mostly answer by themselves"
    evening.wait(0.5)
    assert evening.told(ChooseAttacker) == [ChooseAttacker(square("e7"), square("e6"))]
    assert not evening.actions


@pytest.mark.parametrize("later", [0.1, 0.5, 0.9])
def test_the_scout_is_set_on_the_square_of_its_target(evening: TableDriver, later: float) -> None:
    evening.lift("e7")
    evening.wait(0.5)
    scout = evening.lift("e6")
    evening.wait(later)
    evening.place(scout, "e7")
    evening.wait()
    assert evening.actions == [Amend(square("e6"), square("e7"))]
    assert not evening.told(ChooseAttacker)


def test_a_piece_that_is_no_scout_can_only_be_attacked() -> None:
    """Red's captain is publicly known. It has moved to f6, and it and f7 are lifted."""
    evening = fight(Rank.CAPTAIN, Rank.SPY)
    evening.stand(RED, square("e6"))
    evening.wait()
    evening.play("a7-a6 e6-e5 a6-a5 e5-f5 a5-a6 f5-f6")
    evening.forget()
    evening.lift("f6")
    evening.lift("f7")
    evening.wait()
    assert evening.actions == [Attack(square("f7"), square("f6"))]
