"""If a player replies before the move has settled, the table recognizes both turns or asks."""

import itertools
import random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from companion.core import events
from companion.core.inputs import AttackerNamed, ExplanationChosen, NoAttack
from companion.core.state import AwaitingAnswer
from engine.board.geometry import SQUARES, Side, Square, name, square, squares_in
from engine.game.actions import Attack, Move
from engine.game.referee import Referee
from engine.game.rulings import AttackOpened
from engine.rules.rules import Violation
from firmware_bridge.image import compare
from firmware_bridge.sensing.sensing_limits import SENSING_LIMITS
from firmware_bridge.wire import BoardKind
from tests.campaigns import Campaign
from tests.companion.core.table_driver import TableDriver, clash, reach

RED, BLUE = Side.RED, Side.BLUE
Way = tuple[Square, Square]
ANSWERS = Campaign("any-hands", part=30, whole=400)


def way(move: str) -> Way:
    source, target = move.split("-")
    return square(source), square(target)


def moves(driver: TableDriver) -> list[Move]:
    return [action for action in driver.actions if isinstance(action, Move)]


class TestAttackAsAnswer:
    """Red has moved k4-k5. The pieces on e5 and e6 are adjacent."""

    @staticmethod
    def moved() -> TableDriver:
        driver = clash()
        driver.move("k4", "k5", settle=0.2)
        return driver

    def test_attack_with_both_in_hand(self) -> None:
        driver = self.moved()
        driver.lift("e6")
        driver.wait(0.4)
        driver.lift("e5")
        driver.wait()
        assert driver.actions == [Move(*way("k4-k5")), Attack(*way("e6-e5"))]

    def test_attack_by_placement(self) -> None:
        driver = self.moved()
        attacker = driver.lift("e6")
        driver.lift("e5")
        driver.place(attacker, "e5")
        driver.wait()
        assert driver.actions == [Move(*way("k4-k5")), Attack(*way("e6-e5"))]

    def test_attack_with_a_piece_lifted_too_early(self) -> None:
        driver = clash()
        attacker = driver.lift("e6")
        driver.wait(0.3)
        driver.move("k4", "k5", settle=0.5)
        driver.lift("e5")
        driver.place(attacker, "e5")
        driver.wait()
        assert driver.actions == [Move(*way("k4-k5")), Attack(*way("e6-e5"))]
        assert not driver.emitted(events.BoardDiffers)


class TestCaptureOfTheMovedPiece:
    """Red moves e5 to f5. Before the move settles, Blue captures or lifts the moved piece."""

    @staticmethod
    def approached(stood: float = 0.2) -> TableDriver:
        driver = clash()
        driver.play("a4-a5 f7-f6")
        driver.forget()
        driver.move("e5", "f5", settle=stood)
        return driver

    def test_attack_by_placement(self) -> None:
        driver = self.approached()
        attacker = driver.lift("f6")
        driver.lift("f5")
        driver.place(attacker, "f5")
        driver.wait()
        assert driver.actions == [Move(*way("e5-f5")), Attack(*way("f6-f5"))]

    def test_attack_with_both_in_hand(self) -> None:
        driver = self.approached()
        driver.lift("f6")
        driver.lift("f5")
        driver.wait()
        assert driver.actions == [Move(*way("e5-f5")), Attack(*way("f6-f5"))]

    def test_hovering_piece_leads_to_a_question(self) -> None:
        """Red may be continuing its move. Blue may only be looking at a piece."""
        driver = self.approached()
        driver.lift("f5")
        driver.lift("f6")
        driver.wait()
        assert driver.actions == [Move(*way("e5-f5"))]
        assert driver.emitted(events.ConfirmAttack) == [
            events.ConfirmAttack(square("f6"), square("f5"))
        ]
        driver.submit(AttackerNamed(driver.now, Side.BLUE))
        assert driver.actions == [Move(*way("e5-f5")), Attack(*way("f6-f5"))]

    def test_piece_attacked_at_once_had_been_placed(self) -> None:
        """The moved piece counts as set down, because no other explanation fits the frames."""
        driver = self.approached(stood=0.05)
        attacker = driver.lift("f6")
        driver.lift("f5")
        driver.place(attacker, "f5")
        driver.wait()
        assert driver.actions == [Move(*way("e5-f5")), Attack(*way("f6-f5"))]

    def test_lifted_piece_is_attacked_on_its_square(self) -> None:
        driver = self.approached()
        driver.lift("f5")
        driver.wait()
        driver.move("f6", "f5")
        assert driver.actions == [Move(*way("e5-f5")), Attack(*way("f6-f5"))]


def test_quick_scout_attack_leads_to_a_question() -> None:
    """Red's scout stops briefly on e6. Then the scout and e7 are lifted."""
    driver = TableDriver.begun()
    driver.move("e4", "e6", settle=0.2)
    driver.lift("e6")
    driver.lift("e7")
    driver.wait()
    assert driver.actions == [Move(*way("e4-e6"))]
    assert driver.emitted(events.ChooseAttacker) == [
        events.ChooseAttacker(square("e7"), square("e6"))
    ]
    driver.submit(AttackerNamed(driver.now, RED))
    assert driver.emitted(AttackOpened)[0].source == square("e4")


def test_quick_reply_needs_only_frames() -> None:
    """Once the move is accepted, the table processes the reply that the same image shows."""
    driver = TableDriver.begun()
    driver.move("e4", "e5", settle=0.1)
    driver.place(driver.lift("e7"), "e6")
    while len(driver.actions) < 2:
        driver.show()
    assert driver.actions == [Move(*way("e4-e5")), Move(*way("e7-e6"))]


def test_ambiguous_reply_does_not_amend_the_move() -> None:
    """Red moves e4-e6. Without colours, e7-e5 then looks as if the moves were e4-e5 and e7-e6."""
    driver = TableDriver.begun(BoardKind.PRESENCE)
    driver.move("e4", "e6", settle=0.2)
    put(driver, square("e7"), square("e5"))
    driver.wait()
    assert driver.actions == [Move(*way("e4-e6"))]
    assert [each.courses for each in driver.emitted(events.ChooseExplanation)] == [("e4-e5 e7-e6",)]
    driver.submit(NoAttack(driver.now))
    driver.wait()
    assert driver.actions == [Move(*way("e4-e6"))]
    assert (
        len(driver.emitted(events.ChooseExplanation))
        == len(driver.emitted(events.BoardDiffers))
        == 1
    )


def test_two_possible_moves_lead_to_a_question() -> None:
    """e5 and f4 are empty and f5 is red: one piece moved to f5, and the other is in hand."""
    driver = clash()
    piece = driver.lift("f4")
    driver.lift("e5")
    driver.place(piece, "f5")
    driver.wait()
    assert not driver.actions
    assert sorted(driver.emitted(events.ChooseExplanation)[0].courses) == ["e5-f5", "f4-f5"]
    driver.submit(
        ExplanationChosen(
            driver.now, driver.emitted(events.ChooseExplanation)[0].courses.index("e5-f5")
        )
    )
    assert driver.actions == [Move(*way("e5-f5"))]


def test_answer_may_be_none_of_these() -> None:
    driver = clash()
    piece = driver.lift("f4")
    driver.lift("e5")
    driver.place(piece, "f5")
    driver.wait()
    driver.submit(NoAttack(driver.now))
    driver.wait()
    assert not driver.actions
    assert driver.emitted(events.BoardDiffers)


@pytest.mark.parametrize("pause", [0.05, 0.5])
@pytest.mark.parametrize("names", [("e5", "f4"), ("f4", "e5")])
def test_refused_move_is_dropped_on_a_correct_board(names: tuple[str, str], pause: float) -> None:
    driver = clash()
    pieces = {"f4": driver.lift("f4"), "e5": driver.lift("e5")}
    driver.place(pieces["f4"], "f5")
    driver.wait()
    driver.submit(NoAttack(driver.now))
    driver.wait()
    driver.lift("f5")
    for name_of_home in names:
        driver.wait(pause)
        driver.place(pieces[name_of_home], name_of_home)
    driver.wait(6)
    assert not driver.actions
    driver.play("k4-k5")


@ANSWERS
@settings(max_examples=ANSWERS.size, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), plies=st.integers(0, 20), kind=st.sampled_from(BoardKind))
@example(seed=148163, plies=8, kind=BoardKind.COLOURS)  # Looks like an attack.
@example(seed=103302359, plies=2, kind=BoardKind.COLOURS)  # The target may have slid.
@example(seed=1036920, plies=0, kind=BoardKind.PRESENCE)  # Looks like two moves.
@example(seed=3043, plies=6, kind=BoardKind.PRESENCE)  # Looks like a shorter move.
def test_both_moves_or_none_are_recognized(seed: int, plies: int, kind: BoardKind) -> None:
    chance = random.Random(seed)
    driver = TableDriver.begun(kind)
    for _ in range(plies):
        driver.move(*map(name, chance.choice(legal_moves(driver.table.referee))))
    driver.forget()
    source, target = chance.choice(legal_moves(driver.table.referee))
    put(driver, source, target)
    driver.wait(chance.choice([0.12, 0.2, 0.25]))
    answers = [lift, carry, attack_in_hand, attack_set_down]
    answer = chance.choice(answers)(driver, Move(source, target), chance)
    alike = [] if answer else matching_attacks(driver)
    driver.wait()

    asked = driver.table.state.asked
    if asked.interrupts and asked.attackers:
        answer = []
        assert [*driver.emitted(events.ChooseAttacker), *driver.emitted(events.ConfirmAttack)]
    move = Move(source, target)
    assert driver.actions in ([], [move], [move, *answer], *alike)
    words = (events.BoardDiffers, events.Lifted, Violation, events.TurnBegan, AttackOpened)
    assert any(driver.emitted(word) for word in words), "at least one event is announced"
    if kind is BoardKind.COLOURS and not driver.actions:
        table = driver.table
        is_open = table.state.violation or isinstance(table.state, AwaitingAnswer)
        assert driver.emitted(events.BoardDiffers) or is_open or table.state.lifted is not None


Turns = list[Move | Attack]


def legal_moves(referee: Referee) -> list[tuple[Square, Square]]:
    return [(turn.source, turn.target) for turn in referee.legal_moves() if isinstance(turn, Move)]


def after(driver: TableDriver, move: Move) -> Referee:
    referee = driver.table.referee
    return Referee.replay(referee.edition, [*referee.actions, move])


def answering(driver: TableDriver, move: Move, chance: random.Random) -> Square:
    """Choose one of the other side's pieces, usually one that can move or attack."""
    referee = after(driver, move)
    own = list(squares_in(referee.position.board.of(referee.to_move)))
    free = [each for each in own if reach(referee.position.board, each)]
    return chance.choice(free if chance.random() < 0.8 else own)


def matching_attacks(driver: TableDriver) -> list[Turns]:
    """Return the attacks that would explain the current image if both pieces were in hand.

    If the other side's reply is illegal, such attacks are the only possible explanations.
    """
    referee = driver.table.referee
    difference = compare(driver.board.image(), driver.table.expected)
    taken = [] if difference.surplus else list(squares_in(difference.missing))
    return [
        [Attack(source, target)]
        for source, target in itertools.permutations(taken, 2)
        if len(taken) == 2 and not referee.find_violation(source, target)
    ]


def lift(driver: TableDriver, move: Move, chance: random.Random) -> Turns:
    driver.lift(name(answering(driver, move, chance)))
    return []


def carry(driver: TableDriver, move: Move, chance: random.Random) -> Turns:
    """Carry a piece to another square, usually a legal one. Return the move if it is legal."""
    referee, source = after(driver, move), answering(driver, move, chance)
    empty = [each for each in SQUARES if not referee.position.board.side_at(each)]
    legal = [each for each in empty if not referee.find_violation(source, each)]
    target = chance.choice(legal if legal and chance.random() < 0.7 else empty)
    put(driver, source, target)
    return [Move(source, target)] if target in legal else []


def attacked(
    driver: TableDriver, move: Move, chance: random.Random
) -> tuple[Square, Square, Turns]:
    """Choose an attack, often on the moved piece.

    Return the squares and, if the attack is legal, the action.
    """
    referee, source = after(driver, move), answering(driver, move, chance)
    own, others = (list(squares_in(referee.position.board.of(side))) for side in (BLUE, RED))
    if referee.to_move is RED:
        own, others = others, own
    ways = [(s, t) for s in own for t in others if not referee.find_violation(s, t)]
    on_moved = [(s, t) for s, t in ways if t == move.target]
    wild = [(source, chance.choice(others))]
    source, target = chance.choice(chance.choice([ways or wild, on_moved or wild, wild]))
    return source, target, [Attack(source, target)] if (source, target) in ways else []


def attack_in_hand(driver: TableDriver, move: Move, chance: random.Random) -> Turns:
    source, target, turns = attacked(driver, move, chance)
    for each in chance.sample([source, target], 2):
        driver.lift(name(each))
    return turns


def attack_set_down(driver: TableDriver, move: Move, chance: random.Random) -> Turns:
    source, target, turns = attacked(driver, move, chance)
    driver.lift(name(target))
    put(driver, source, target)
    return turns


def put(driver: TableDriver, source: Square, target: Square) -> None:
    """Move a piece as fast as a hand can."""
    piece = driver.lift(name(source))
    driver.wait(SENSING_LIMITS.fastest_carry_seconds)
    driver.place(piece, name(target))
