"""Tests for amending the latest turn. The piece moves on, moves back or attacks (rules.md §4).

All motions of the hand together form one turn, which begins on the original square.
"""

import random
import sys
from contextlib import suppress
from itertools import pairwise
from types import FrameType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.board import OutOfPhaseError
from engine.board.geometry import square
from engine.board.ranks import Rank
from engine.game.actions import Amend, Attack, Infiltrate, Move, TakeBack, WithdrawAttack
from engine.game.game_state import Phase
from engine.game.referee import Referee
from engine.game.rulings import AttackOpened, AttackWithdrawn, Combat, Moved, TakenBack, refuses
from engine.rules.editions import EDITIONS, Edition
from engine.rules.rules import Violation, ViolationKind
from tests.engine.examples import editions, examples
from tests.engine.games import shuffled
from tests.engine.tables import BLUE, RED, Table, moment, state, way

A_LONG_WAY = """
10  bF   .   .   .   .   .   .   .   .   .
 9   .   .   .   .   .   .   .   .   .   .
 8   .   .   .   .  b5  b2   .   .  b3   .
 7   .   .   .   .   .   .   .   .   .   .
 6   .   .   ~   ~   .   .   ~   ~   .   .
 5   .   .   ~   ~   .   .   ~   ~   .   .
 4   .  r5   .   .  r2   .   .   .   .  r3
 3   .   .   .   .   .   .   .   .   .   .
 2   .   .   .   .   .   .   .   .   .   .
 1  rF   .   .   .   .   .   .   .   .   .
"""
ISF = EDITIONS["isf"]


def amend(move: str) -> Amend:
    return Amend(*way(move))


def replayed(referee: Referee) -> object:
    return state(Referee.replay(referee.edition, referee.actions))


@pytest.fixture
def table() -> Table:
    return Table.of(A_LONG_WAY, rules=ISF)


# -- amending a move to another square


@pytest.mark.parametrize(
    ("first", "stops", "long_move"),
    [
        ("e4-e5", "e6", True),
        ("e4-e5", "e6 e7", True),
        ("e4-e6", "e5", False),
        ("e4-e7", "e5 e6", True),
        ("e4-f4", "g4 h4", True),
        ("b4-b5", "b6", True),
        # A square is not on the path of the first move.
        ("e4-e6", "e3", False),
        ("e4-e6", "f4", False),
        ("b4-b5", "a4", False),
        ("e4-e7", "e1 e5 d4 e6", True),
    ],
)
def test_amended_move_counts_from_the_start_of_the_turn(
    table: Table, first: str, stops: str, long_move: bool
) -> None:
    begun, here = first.split("-")
    table.play(first)
    for there in stops.split():
        assert table.referee.can_amend(*way(f"{here}-{there}"))
        rulings = table.referee.apply(amend(f"{here}-{there}"))
        here = there
    direct = Table.of(A_LONG_WAY, rules=ISF)
    expected = direct.play(f"{begun}-{here}")

    assert rulings == expected == (Moved(RED, *way(f"{begun}-{here}"), long_move),)
    assert moment(table.referee) == moment(direct.referee)
    assert table.referee.in_force == direct.referee.in_force


def test_returning_to_the_source_cancels_the_turn(table: Table) -> None:
    before = moment(table.referee)
    table.play("e4-e6")

    assert table.referee.can_amend(*way("e6-e4"))
    assert table.referee.apply(amend("e6-e4")) == (TakenBack(),)
    assert moment(table.referee) == before
    table.play("e4-e5")


@pytest.mark.parametrize(
    ("played", "tried", "why"),
    [
        ("e4-e6", "e6-e6", "the piece is there already"),
        ("e4-e6", "e6-f6", "no piece goes round a corner"),
        ("e4-f4", "f4-f6", "no piece goes round a corner"),
        ("e4-e6", "e6-e9", "a piece is in the way"),
        ("e4-e6", "e6-b4", "a piece of the same side is there"),
        ("e4-e6", "e6-c6", "a lake"),
        ("e4-e6 i8-i7", "e6-e7", "the other side has moved"),
        ("e4-e6", "k4-k5", "another piece"),
        ("e4-e6", "e8-e7", "that is Blue's own move"),
    ],
)
def test_other_moves_are_no_amendment(table: Table, played: str, tried: str, why: str) -> None:
    table.play(played)
    before = state(table.referee)

    assert not table.referee.can_amend(*way(tried)), why
    assert not table.referee.can_slide_on(*way(tried)), why
    with suppress(OutOfPhaseError):
        assert isinstance(table.referee.apply(amend(tried))[0], Violation), why
    assert state(table.referee) == before


@pytest.mark.parametrize(
    ("played", "slide", "slides"),
    [
        ("e4-e6", "e6-e7", True),
        ("e4-e6", "e6-e5", True),
        ("e4-e6", "e6-e3", False),
        ("e4-e6", "e6-f4", False),
        ("e4-e6", "e6-e8", False),
    ],
)
def test_only_a_continued_move_is_an_amendment(
    table: Table, played: str, slide: str, slides: bool
) -> None:
    """Any other move is a separate turn."""
    table.play(played)

    assert table.referee.can_slide_on(*way(slide)) is slides


def test_amended_move_of_other_ranks_is_one_square(table: Table) -> None:
    table.play("e4-e7 e8xe7 k4-k5 e7-e6")  # the lieutenant has been revealed

    refused = table.referee.apply(amend("e6-e5"))

    assert isinstance(refused[0], Violation)
    assert refused[0].fault is ViolationKind.TOO_FAR
    assert table.referee.apply(amend("e6-f7")) == (Moved(BLUE, *way("e7-f7"), long_move=False),)


def test_repetition_rules_apply_to_the_amended_move() -> None:
    table = Table.of(A_LONG_WAY, rules=ISF)
    table.play("e4-e5 i8-i7 e5-e6 i7-i6 e6-e5 i6-i5 e5-e7 i5-i6 e7-e6")

    refused = table.referee.apply(amend("e6-e5"))

    assert isinstance(refused[0], Violation)
    assert refused[0].fault is ViolationKind.TO_AND_FRO
    assert not table.referee.can_slide_on(*way("e6-e5"))


def test_take_back_undoes_move_and_amendment(table: Table) -> None:
    before = moment(table.referee)
    table.play("e4-e5")
    table.referee.apply(amend("e5-e6"))

    table.referee.apply(TakeBack())

    assert moment(table.referee) == before
    assert replayed(table.referee) == state(table.referee)


# -- a scout that stops next to its target before it attacks

BEFORE_THE_LINE = """
10  bF   .   .   .   .   .   .   .   .   .
 9   .   .   .   .   .   .   .   .   .   .
 8   .   .   .   .   .   .   .   .   .   .
 7   .   .   .   .  b5  b2   .   .  b3   .
 6   .   .   ~   ~   .   .   ~   ~   .   .
 5   .   .   ~   ~   .   .   ~   ~   .   .
 4   .  r5   .   .  r2   .   .   .   .  r3
 3   .   .   .   .   .   .   .   .   .   .
 2   .   .   .   .   .   .   .   .   .   .
 1  rF   .   .   .   .   .   .   .   .   .
"""


@pytest.fixture
def line() -> Table:
    return Table.of(BEFORE_THE_LINE)


def test_attack_after_a_move_counts_from_the_start_of_the_turn(line: Table) -> None:
    direct = Table.of(BEFORE_THE_LINE)
    direct.play("e4xe7")
    line.play("e4-e6")
    assert line.referee.can_strike_on(*way("e6-e7"))

    opened = line.referee.apply(amend("e6-e7"))
    fought = line.declare()[-1]

    assert opened == (AttackOpened(RED, *way("e4-e7"), (BLUE,)),)
    assert isinstance(fought, Combat)
    assert (fought.attacker, fought.source) == (Rank.SCOUT, square("e4"))
    assert moment(line.referee) == moment(direct.referee)


def test_step_and_attack_prove_a_scout(line: Table) -> None:
    line.play("e4-e5 i7-i6 e5-e6")

    assert line.referee.apply(amend("e6-e7")) == (AttackOpened(RED, *way("e5-e7"), (BLUE,)),)


def test_amended_scout_may_still_attack(line: Table) -> None:
    line.play("e4-e5")
    line.referee.apply(amend("e5-e6"))

    assert line.referee.apply(amend("e6-e7")) == (AttackOpened(RED, *way("e4-e7"), (BLUE,)),)


@pytest.mark.parametrize(
    ("played", "tap", "why"),
    [
        ("e4-f4", "f4-f7", "the target is not next to it"),
        ("b4-b5", "b5-b6", "nobody stands there"),
        ("e4-e6 e7xe6", "e6-e7", "the other side has moved"),
        ("e4-e6 i7-i6", "e6-e7", "the other side has moved"),
        ("e4-d4 i7-i6 k4-k5", "k5-i5", "not in line"),
        ("e4-f4 i7-i6 f4-f6", "f6-e6", "round a corner"),
    ],
)
def test_other_attacks_do_not_amend(line: Table, played: str, tap: str, why: str) -> None:
    line.play(played)

    assert not line.referee.can_strike_on(*way(tap)), why


def test_scout_may_return_and_attack_sideways(line: Table) -> None:
    """The scout moves up, returns, and attacks the piece to the right of its starting square."""
    line.play("k4-k5 f7-f4 e4-e6")

    assert line.referee.can_amend(*way("e6-f4"))
    assert not line.referee.can_strike_on(*way("e6-f4")), (
        "a sideways move does not continue the first one"
    )
    opened = AttackOpened(RED, *way("e4-f4"), (RED,))
    assert line.referee.apply(amend("e6-f4")) == (opened,)


def test_other_ranks_cannot_move_and_attack(line: Table) -> None:
    line.play("e4-e6 e7xe6")  # the lieutenant has been revealed
    line.play("k4-i4 i7-i6 i4-h4 i6-k6 h4-g4 k6-k5 g4-f4 k5-k6 f4-e4 e6-e5")

    refused = line.referee.apply(amend("e5-e4"))

    assert isinstance(refused[0], Violation)
    assert refused[0].fault is ViolationKind.TOO_FAR


def test_withdrawn_attack_keeps_the_move(line: Table) -> None:
    line.play("e4-e6")
    set_down = moment(line.referee)
    line.referee.apply(amend("e6-e7"))

    assert line.referee.apply(WithdrawAttack()) == (AttackWithdrawn(),)

    assert moment(line.referee) == set_down
    assert replayed(line.referee) == state(line.referee)
    assert line.referee.can_strike_on(*way("e6-e7")), "the attack may be made again"


def test_take_back_undoes_move_and_attack(line: Table) -> None:
    before = moment(line.referee)
    line.play("e4-e6")
    line.referee.apply(amend("e6-e7"))
    line.declare()

    line.referee.apply(TakeBack())

    assert moment(line.referee) == before


def test_the_game_replays(line: Table) -> None:
    line.play("e4-e6")
    line.referee.apply(amend("e6-e7"))
    line.declare()
    line.play("i7-i6 k4-k5")

    assert replayed(line.referee) == state(line.referee)


def test_next_side_attacks_normally_after_amending(line: Table) -> None:
    line.play("e4-e6")

    with pytest.raises(OutOfPhaseError, match="the piece that was just set down"):
        line.referee.apply(amend("e7-e6"))
    assert isinstance(line.referee.apply(Attack(*way("e7-e6")))[0], AttackOpened)


def test_an_attack_cannot_be_amended(line: Table) -> None:
    line.play("e4-e6 i7-i6 e6xe7")
    before = state(line.referee)

    with suppress(OutOfPhaseError):
        assert isinstance(line.referee.apply(amend("e7-e8"))[0], Violation)
    assert state(line.referee) == before


# -- random turns


@editions
@given(seed=st.integers(0, 2**32 - 1), plies=st.integers(0, 40))
@examples(12)
def test_pause_within_a_move_changes_nothing(edition: Edition, seed: int, plies: int) -> None:
    """In one of the two games, a piece may stop on another reachable square before it completes its
    turn."""
    chance = random.Random(seed)
    straight, pausing = Referee.waiting(edition), Referee.waiting(edition)
    for referee in (straight, pausing):
        referee.apply(shuffled(edition.army, random.Random(seed)).placing)
    for _ in range(plies):
        turns = straight.legal_moves()
        if not turns:
            break
        turn = chance.choice(turns)
        stops = [
            other.target
            for other in turns
            if isinstance(other, Move) and other.source == turn.source and other != turn
        ]
        expected = straight.apply(turn)
        if not stops or isinstance(turn, Infiltrate):
            assert pausing.apply(turn) == expected
        else:
            stop = chance.choice(stops)
            assert not refuses(pausing.apply(Move(turn.source, stop)))
            if pausing.phase is Phase.PLAY:
                assert pausing.can_amend(stop, turn.target)
                assert pausing.apply(Amend(stop, turn.target)) == expected
        assert moment(pausing) == moment(straight)
        if straight.open_attack:
            straight.apply(TakeBack())
            pausing.apply(TakeBack())
            assert moment(pausing) == moment(straight)
        if isinstance(turn, Move):
            assert pausing.in_force[-1] == straight.in_force[-1]


# -- amount of work


class Work:
    """Counts function calls, a reproducible measure of the work done."""

    def __init__(self) -> None:
        self.calls = 0

    def __enter__(self) -> "Work":
        sys.setprofile(self._count)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)

    def _count(self, _frame: FrameType, event: str, _value: object) -> None:
        self.calls += event == "call"


def work(referee: Referee, action: Amend) -> int:
    with Work() as done:
        assert not refuses(referee.apply(action))
    return done.calls


def test_amending_takes_constant_time(table: Table) -> None:
    table.play("e4-e5")
    calls = [
        work(table.referee, Amend(here, there))
        for here, there in pairwise([square("e5"), square("e6"), square("e7")] * 334)
    ]

    assert len(calls) == 1001
    assert max(calls) <= 2 * calls[0]
    assert table.referee.in_force[1:] == [Move(*way("e4-e7"))]


ALL_SCOUTS = """
10  b2  b2  bF  b3  b2  b2   .   .  b2  b2
 9  b2  b2   .   .  b2  b2   .   .  b2  b2
 8  b2  b2   .   .  b2  b2   .   .  b2  b2
 7  b2  b2   .   .  b2  b2   .   .  b2  b2
 6   .   .   ~   ~   .   .   ~   ~   .   .
 5   .   .   ~   ~   .   .   ~   ~   .   .
 4  r2  r2   .   .  r2  r2   .   .  r2  r2
 3  r2  r2   .   .  r2  r2   .   .  r2  r2
 2  r2  r2   .   .  r2  r2   .   .  r2  r2
 1  r2  r2  rF  r3  r2  r2   .   .  r2  r2
"""


def test_scout_attacks_take_constant_time() -> None:
    """In each column, the foremost scouts meet and both fall. Red and Blue attack alternately."""
    table = Table.of(ALL_SCOUTS, rules=ISF)
    referee, calls = table.referee, []
    for row in range(4):
        for number, column in enumerate("abefik"):
            ends = [(f"{column}{4 - row}", f"{column}{7 + row}")]
            source, target = ends[0] if number % 2 == 0 else ends[0][::-1]
            before = f"{column}{6 + row if number % 2 == 0 else 5 - row}"
            table.play(f"{source}-{before}")
            calls.append(work(referee, amend(f"{before}-{target}")))
            fought = table.declare()[-1]
            assert isinstance(fought, Combat)

    assert len(calls) == 24
    assert max(calls) <= 2 * calls[0]
    assert replayed(referee) == state(referee)


def test_amendment_check_does_not_replay_the_game(table: Table) -> None:
    """Checking all squares is no more work after a long game than after a short one."""

    def asked() -> int:
        with Work() as done:
            for target in range(100):
                table.referee.can_amend(square("e5"), target)
        return done.calls

    table.play("e4-e5")
    early = asked()
    table.referee.apply(TakeBack())
    for _ in range(5):
        table.play("k4-k5 i8-i7 b4-b5 i7-i8 k5-k4 f8-f9 b5-b4 f9-f8")
    table.play("e4-e5")

    assert asked() <= 2 * early
