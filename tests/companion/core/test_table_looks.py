"""Looking at one's own pieces does not affect the game."""

from itertools import chain
from random import Random
from typing import Final

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.events import AttackSuggested, BoardDiffers, ChooseExplanation, ConfirmAttack
from companion.core.inputs import BoardSeen
from companion.core.recognition_limits import LIMITS
from companion.core.state import AttackOpen, AwaitingAnswer, Disturbed
from engine.board.geometry import Side, square
from engine.board.ranks import Rank
from engine.game.actions import Attack, Move, WithdrawAttack
from engine.game.game_state import Phase
from engine.rules.rules import Violation
from firmware_bridge.simulated_board.board import PhysicalPiece
from firmware_bridge.wire import BoardKind
from tests.companion.core.table_driver import FRAME, TableDriver, attack, clash
from tests.engine.tables import way

RED, BLUE = Side.RED, Side.BLUE
COMPLAINTS: Final = (BoardDiffers, Violation, ChooseExplanation, ConfirmAttack)
looks = st.lists(
    st.tuples(
        st.sampled_from(["a1", "b3", "h3", "k1", "a10", "d9", "k8"]),
        st.sampled_from([0.1, 0.4, 0.9, 1.3, 3.0, 8.0]),
        st.sampled_from([0.0, 0.2, 0.7, 2.5]),
    ),
    min_size=1,
    max_size=4,
    unique_by=lambda look: look[0],
)


def look(driver: TableDriver, looks: list[tuple[str, float, float]]) -> None:
    """Lift pieces to look at them, then put them back.

    `looks` lists a square, a duration and a start time for each look. Times are in seconds.
    """
    begun = driver.now
    moments = sorted(
        chain.from_iterable(
            ((begun + before, where, True), (begun + before + up, where, False))
            for where, up, before in looks
        )
    )
    pieces = {}
    for moment, where, is_up in moments:
        driver.wait(max(0.0, moment - driver.now))
        if is_up:
            pieces[where] = driver.lift(where)
        else:
            driver.place(pieces.pop(where), where)


def repeat(driver: TableDriver, seconds: float) -> None:
    """Repeat the image for the given number of seconds."""
    until = driver.now + seconds
    while driver.now < until:
        driver.show()


def complaints(driver: TableDriver) -> list[object]:
    return [event for kind in COMPLAINTS for event in driver.emitted(kind)]


def test_look_is_forgotten_during_repeated_frames() -> None:
    """Two pieces of the same colour are put back, possibly swapped.

    After that, nothing changes on the board.
    """
    driver = TableDriver.begun()
    for name, piece in [(name, driver.lift(name)) for name in ("e4", "f4")]:
        driver.wait(0.5)
        driver.place(piece, name)
    driver.show()
    assert len(driver.table.explanations) > 1
    repeat(driver, LIMITS.look_forgotten_seconds)
    assert [explanation.hypothesis.carries for explanation in driver.table.explanations] == [()]


@settings(max_examples=30, deadline=None)
@given(looks=looks, kind=st.sampled_from(BoardKind), held=st.booleans())
def test_looks_in_a_turn(
    looks: list[tuple[str, float, float]], kind: BoardKind, held: bool
) -> None:
    driver = TableDriver.begun(kind)
    piece = driver.lift("e4")
    if not held:
        driver.place(piece, "e4")
    look(driver, looks)
    driver.wait()
    if not held:
        driver.lift("e4")
        driver.wait(0.4)
    driver.place(piece, "e5")
    driver.wait()
    assert driver.actions == [Move(*way("e4-e5"))]
    assert not complaints(driver)


@settings(max_examples=20, deadline=None)
@given(looks=looks)
def test_looks_while_ranks_are_declared(looks: list[tuple[str, float, float]]) -> None:
    driver = attack(clash())
    driver.forget()
    look(driver, looks)
    driver.wait()
    assert driver.table.referee.phase is Phase.ATTACK
    assert not complaints(driver)


@settings(max_examples=20, deadline=None)
@given(
    other=st.sampled_from(["d3", "h3", "k4"]),
    before=st.sampled_from([0.1, 0.5, 1.5]),
    after=st.sampled_from([0.3, 1.0, 4.0]),
)
def test_second_piece_in_hand_does_not_stop_a_move(other: str, before: float, after: float) -> None:
    driver = TableDriver.begun()
    looked = driver.lift(other)
    driver.wait(before)
    piece = driver.lift("a4")
    driver.wait(0.4)
    driver.place(piece, "a5")
    driver.wait(after)
    driver.place(looked, other)
    driver.wait()
    assert driver.actions == [Move(*way("a4-a5"))]
    assert not complaints(driver)


class TestAQuestion:
    def test_question_lasts_while_both_are_lifted(self) -> None:
        driver = TableDriver.begun()
        driver.lift("e4")
        driver.wait(0.6)
        driver.lift("e7")
        driver.wait()
        assert isinstance(driver.table.state, AwaitingAnswer)
        for _ in range(2):
            piece = driver.lift("b3")
            driver.wait(1)
            assert isinstance(driver.table.state, AwaitingAnswer)
            driver.place(piece, "b3")
            driver.wait()
            assert isinstance(driver.table.state, AwaitingAnswer)
        assert len(driver.emitted(ConfirmAttack)) == 1
        assert not driver.emitted(BoardDiffers)

    def test_question_ends_when_one_is_put_back(self) -> None:
        driver = TableDriver.begun()
        piece = driver.lift("e4")
        driver.lift("e7")
        driver.wait()
        driver.place(piece, "e5")
        driver.wait()
        assert driver.actions == [Move(*way("e4-e5"))]


class TestAttackShownByHandsOnly:
    """An attack has begun: Red's e5 and Blue's e6 are in hand, and no rank has been declared."""

    @staticmethod
    def opened() -> tuple[TableDriver, PhysicalPiece, PhysicalPiece]:
        driver = clash()
        red, blue = driver.lift("e5"), driver.lift("e6")
        driver.wait(0.5)
        assert isinstance(driver.table.state, AttackOpen)
        return driver, red, blue

    def test_question_becomes_an_offer_when_both_are_back(self) -> None:
        driver, red, blue = self.opened()
        driver.place(blue, "e6")
        driver.place(red, "e5")
        driver.wait()
        assert driver.actions == [Attack(*way("e5-e6")), WithdrawAttack()]
        assert driver.emitted(AttackSuggested)[-1].attacks == ("e5xe6",)
        driver.play("a4-a5")

    def test_move_replaces_the_question(self) -> None:
        driver, red, blue = self.opened()
        driver.place(red, "f5")
        driver.wait(0.3)
        driver.place(blue, "e6")
        driver.wait()
        assert driver.actions[-1] == Move(*way("e5-f5"))
        assert not complaints(driver)

    def test_declared_attack_stays_open(self) -> None:
        driver, red, blue = self.opened()
        driver.declare(RED, Rank.CAPTAIN)
        driver.place(blue, "e6")
        driver.place(red, "e5")
        driver.wait()
        assert WithdrawAttack() not in driver.actions


def test_illegal_stop_within_a_move_is_ignored() -> None:
    """The piece rests on i6, then on a lake, for less than two seconds each, and ends on k5."""
    driver = TableDriver.begun()
    driver.play("i4-i5 a7-a6")
    piece = driver.lift("i5")
    for pause, where in ((0.4, "i6"), (0.3, "h6"), (0.3, "k5")):
        driver.wait(pause)
        driver.place(piece, where)
        if where != "k5":
            driver.wait(1.5 if where == "i6" else 0.9)
            driver.lift(where)
    driver.wait()
    assert driver.table.referee.position.last_move == (square("i5"), square("k5"))
    assert driver.table.referee.to_move is BLUE
    assert not driver.table.state.difference


class TestABump:
    """More squares change than two hands could have changed. All pieces are put back."""

    KNOCKED: Final = "b1 c1 d1 e1 f1 g1 h1 i1 k1 k2"

    def knocked(self) -> TableDriver:
        driver = TableDriver.begun()
        for each in self.KNOCKED.split():
            driver.board.lift(square(each))
        driver.show()
        driver.wait(1)
        assert isinstance(driver.table.state, Disturbed)
        return driver

    def put_back(self, driver: TableDriver) -> None:
        for each in self.KNOCKED.split():
            driver.stand(RED, square(each))
            driver.show()
            driver.wait(0.2)

    def test_immediate_move_counts(self) -> None:
        driver = self.knocked()
        self.put_back(driver)
        piece = driver.lift("e4")
        driver.wait(0.8)
        driver.place(piece, "e5")
        driver.wait()
        assert driver.actions == [Move(*way("e4-e5"))]

    def test_turn_between_two_frames_ends_the_look(self) -> None:
        """The move is accepted in time, although every later frame shows the same image."""
        driver = self.knocked()
        driver.stand(RED, *map(square, self.KNOCKED.split()))
        driver.board.place(driver.board.lift(square("e4")), square("e5"))
        repeat(driver, LIMITS.board_in_order_seconds + 2 * FRAME)
        assert driver.actions == [Move(*way("e4-e5"))]

    def test_take_back_with_a_lifted_piece(self) -> None:
        driver = TableDriver.begun()
        piece = driver.lift("e4")
        for each in self.KNOCKED.split():
            driver.board.lift(square(each))
        driver.show()
        driver.wait(1)
        self.put_back(driver)
        driver.wait(0.5)
        driver.place(piece, "e5")
        driver.wait()
        assert driver.actions == [Move(*way("e4-e5"))]

    def test_take_back_of_a_partial_move(self) -> None:
        driver = TableDriver.begun()
        driver.play("e4-e5")
        piece = driver.board.lift(square("e5"))
        for each in self.KNOCKED.split():
            driver.board.lift(square(each))
        driver.show()
        driver.wait(1)
        self.put_back(driver)
        driver.place(piece, "e4")
        driver.wait()
        assert driver.emitted(ChooseExplanation)[-1].courses == ("taken-back",)


@settings(max_examples=10, deadline=None)
@given(st.randoms(use_true_random=False))
def test_long_fiddling_takes_constant_time(random: Random) -> None:
    """However many pieces are looked at, the number of stored placements stays bounded."""
    driver = TableDriver.begun()
    most = 0
    for _ in range(60):
        where = random.choice(["a1", "b2", "c3", "d1", "h3", "k2"])
        piece = driver.lift(where)
        driver.submit(BoardSeen(driver.now, driver.board.image()))
        driver.wait(0.3)
        driver.place(piece, where)
        driver.wait(0.2)
        carries = [len(explanation.hypothesis.carries) for explanation in driver.table.explanations]
        most = max(most, *carries)
    assert most <= 10
