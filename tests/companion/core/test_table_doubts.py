"""The game continues when a sensor is dead or stuck, or shows a phantom piece."""

import pytest

from companion.core.events import BoardDiffers, ChooseExplanation, SetupSeen
from companion.core.inputs import ExplanationChosen, IgnoreSquare, Ready
from engine.board.geometry import Side, square, squares_in
from engine.board.ranks import Rank
from engine.game.actions import Attack, Move
from engine.game.game_state import Phase
from tests.companion.core.table_driver import TableDriver, clash, fight

RED, BLUE = Side.RED, Side.BLUE


def doubt(driver: TableDriver, where: str, *, doubted: bool = True) -> None:
    driver.command(IgnoreSquare(square(where), doubted))


def moved(driver: TableDriver, source: str, target: str) -> bool:
    return Move(square(source), square(target)) in driver.actions


class TestAGhost:
    """The board reports a piece on the empty square a5."""

    @pytest.fixture
    def driver(self) -> TableDriver:
        driver = clash()
        driver.stand(BLUE, square("a5"))
        driver.wait()
        assert driver.emitted(BoardDiffers)
        driver.forget()
        return driver

    def test_doubted_square_is_ignored(self, driver: TableDriver) -> None:
        doubt(driver, "a5")
        assert driver.emitted(IgnoreSquare) == [IgnoreSquare(square("a5"), doubted=True)]
        assert driver.table.doubted == 1 << square("a5")
        driver.wait()
        assert not driver.table.state.waits_for_board
        driver.play("f4-f5 f7-f6")

    def test_doubt_is_withdrawn(self, driver: TableDriver) -> None:
        doubt(driver, "a5")
        driver.wait()
        doubt(driver, "a5", doubted=False)
        driver.wait()
        assert driver.emitted(IgnoreSquare)[-1:] == [IgnoreSquare(square("a5"), doubted=False)]
        assert driver.table.state.waits_for_board

    def test_doubted_square_may_flicker(self, driver: TableDriver) -> None:
        doubt(driver, "a5")
        piece = driver.lift("f4")
        driver.place(piece, "f5")
        for _ in range(40):
            driver.lift("a5")
            driver.stand(BLUE, square("a5"))
            driver.show()
        assert moved(driver, "f4", "f5")

    def test_move_by_screen_onto_a_doubted_square(self, driver: TableDriver) -> None:
        doubt(driver, "a5")
        driver.lift("a4")
        driver.wait()
        assert driver.table.state.lifted == square("a4")
        driver.command(Move(square("a4"), square("a5")))
        assert moved(driver, "a4", "a5")
        driver.wait()
        assert not driver.table.state.waits_for_board
        driver.play("f7-f6")

    def test_move_from_a_doubted_square(self, driver: TableDriver) -> None:
        doubt(driver, "a5")
        driver.lift("a4")
        driver.command(Move(square("a4"), square("a5")))
        driver.play("f7-f6")
        driver.stand(RED, square("a6"))
        driver.wait()
        assert moved(driver, "a5", "a6")

    def test_doubt_survives_a_power_cut(self, driver: TableDriver) -> None:
        doubt(driver, "a5")
        again = driver.replugged()
        again.wait()
        assert again.table.doubted == 1 << square("a5")
        assert not again.table.state.waits_for_board


class TestADeadSensor:
    """The board does not detect Red's piece on e5, next to Blue's piece on e6."""

    @pytest.fixture
    def driver(self) -> TableDriver:
        driver = clash()
        doubt(driver, "e5")
        driver.lift("e5")
        driver.wait()
        driver.forget()
        return driver

    def test_play_continues_beside_a_doubted_square(self, driver: TableDriver) -> None:
        assert driver.table.state.lifted is None
        driver.play("a4-a5 a7-a6")

    def test_move_from_a_doubted_square_is_seen_at_its_target(self, driver: TableDriver) -> None:
        driver.stand(RED, square("f5"))
        driver.wait()
        assert moved(driver, "e5", "f5")
        driver.play("a7-a6")

    def test_attack_from_a_doubted_square(self, driver: TableDriver) -> None:
        driver.lift("e6")
        driver.stand(RED, square("e6"))
        driver.wait()
        assert driver.actions == [Attack(square("e5"), square("e6"))]

    def test_attacks_can_be_made_on_the_screen(self, driver: TableDriver) -> None:
        driver.command(Attack(square("e5"), square("e6")))
        assert driver.table.referee.phase is Phase.ATTACK

    def test_illegal_move_of_a_doubted_square_is_refused(self, driver: TableDriver) -> None:
        driver.stand(RED, square("k5"))
        driver.wait()
        assert not driver.actions
        assert driver.table.state.violation
        assert driver.table.state.difference.surplus == 1 << square("k5")

    def test_two_explanations_lead_to_a_question(self, driver: TableDriver) -> None:
        """The sensors at e5 and f4 are ignored, and a red piece appears on f5.

        The red piece may have come from either of the ignored squares.
        """
        doubt(driver, "f4")
        driver.stand(RED, square("f5"))
        driver.wait()
        assert not driver.actions
        courses = driver.emitted(ChooseExplanation)[0].courses
        assert sorted(courses) == ["e5-f5", "f4-f5"]
        driver.submit(ExplanationChosen(driver.now, courses.index("f4-f5")))
        assert moved(driver, "f4", "f5")


def test_undetected_winner_can_be_cleared() -> None:
    driver = fight(Rank.COLONEL, Rank.MAJOR)
    driver.wait(60)
    assert driver.table.state.reveal
    doubt(driver, "e6")
    driver.wait()
    assert driver.table.state.reveal is None
    assert not driver.table.state.waits_for_board
    driver.play("f7-f6")


def test_no_move_by_screen_on_trusted_squares() -> None:
    driver = clash()
    driver.command(Move(square("f4"), square("f5")))
    assert not driver.events


class TestSettingUp:
    def test_dead_square_counts_as_occupied_in_setup(self) -> None:
        driver = TableDriver()
        driver.stand(RED, *(each for each in squares_in(RED.home) if each != square("b3")))
        driver.stand(BLUE, *squares_in(BLUE.home), square("e5"))
        driver.wait()
        for where in ("b3", "e5"):
            doubt(driver, where)
        driver.wait()
        assert driver.emitted(SetupSeen)[-1] == SetupSeen(red=40, blue=40, astray=())
        for side in Side:
            driver.command(Ready(side))
        driver.wait()
        assert driver.table.referee.phase is Phase.PLAY
        assert driver.table.expected.red == RED.home
        driver.play("a4-a5")
