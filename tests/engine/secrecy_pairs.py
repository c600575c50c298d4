"""Pairs of games that differ in two swapped ranks: those of an unmoved piece and of a piece that
has won without its rank being named.

The same actions are performed in both games. All public data must be identical until the rank is
revealed.
"""

import random
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import combinations

from engine.board import OutOfPhaseError
from engine.board.geometry import SQUARES, Side, Square, square, squares_in
from engine.board.ranks import Rank
from engine.board.visibility import Public, Secret
from engine.game import actions, rulings
from engine.game.game_state import Phase
from engine.game.referee import Referee
from engine.game.views import public_view
from engine.rules.editions import EDITIONS
from engine.rules.movement import CombatResult
from tests.engine.tables import BLUE, RED, Setup, Table

FIELD = """
    10  bF   .   .   .   .   .   .   .   .   .
     9  b4   .   .   .   .   .   .   .   .  b2
     8   .   .   .   .   .   .   .   .   .   .
     7   .  bB   .   .  bI  b9   .  b8 b10  b1
     6   .   .   ~   ~   .   .   ~   ~   .   .
     5   .   .   ~   ~   .   .   ~   ~   .   .
     4   .  r1   .   .  rI  r9   .  r8 r10  r2
     3   .   .   .   .   .   .   .   .   .   .
     2   .   .   .   .   .   .   .   .   .   .
     1  rF   .   .   .   .   .   .   .  rB  r4
         a   b   c   d   e   f   g   h   i   k
"""
"""Red's piece on b4 will lose to Blue's piece on b7. In the other game, the ranks of the pieces on
a9 and b7 are swapped."""
ATTACKER, DEFENDER, OTHER_PIECE = map(square, ("b4", "b7", "a9"))
SILENT = replace(
    EDITIONS["nordic-2015"], silent_defence=True, touch_move=True, both_immobile_draw=True
)
UNNAMED = "b4-b5 k9-k8 b5-b6 k8-k9 b6xb7"
WINNERS = {
    Rank.SPY: {Rank.SCOUT, Rank.SERGEANT, Rank.COLONEL, Rank.GENERAL, Rank.BOMB},
    Rank.SERGEANT: {Rank.COLONEL, Rank.GENERAL, Rank.MARSHAL, Rank.BOMB},
    Rank.COLONEL: {Rank.GENERAL, Rank.MARSHAL, Rank.BOMB},
    Rank.GENERAL: {Rank.MARSHAL, Rank.BOMB},
    Rank.INFILTRATOR: {Rank.SCOUT, Rank.SERGEANT, Rank.COLONEL, Rank.MARSHAL, Rank.BOMB},
}
"""Ranks that defeat the attacker and stay unnamed, by the attacker's rank."""
CASES = [
    (attacker, *pair)
    for attacker, winners in WINNERS.items()
    for pair in combinations(sorted(winners), 2)
]


def exchanged(setup: Setup, side: Side, piece: int, rank: Rank) -> Setup:
    """Give a piece the rank `rank`, by swapping ranks with another piece of the same side."""
    pieces = dict(setup.pieces)
    other = next(p for p, held in pieces.items() if held == (side, rank))
    pieces[piece], pieces[other] = pieces[other], pieces[piece]
    return Setup(pieces)


def shown(ruled: tuple[rulings.Ruling, ...]) -> list[rulings.Ruling]:
    return [ruling for ruling in ruled if isinstance(ruling, Public)]


def _begun(setup: Setup) -> Table:
    table = Table(setup, Referee.waiting(replace(SILENT, army=setup.army)))
    table.referee.apply(setup.placing)
    fought = table.play(UNNAMED)[-1]
    assert isinstance(fought, rulings.Combat)
    assert (fought.defender, fought.result) == (None, CombatResult.DEFENDER_WINS)
    return table


class Revealed(Exception):  # noqa: N818 (it is no error)
    """Raised when the rank of the piece that won unnamed has been revealed."""


@dataclass
class GamePair:
    one: Table
    other: Table
    chance: random.Random
    done: Counter[str] = field(default_factory=Counter)

    @classmethod
    def of(cls, attacker: Rank, ranks: tuple[Rank, Rank], seed: int = 0) -> "GamePair":
        setup = exchanged(Setup.parse(FIELD), RED, ATTACKER, attacker)
        for piece, rank in zip((DEFENDER, OTHER_PIECE), ranks, strict=True):
            setup = exchanged(setup, BLUE, piece, rank)
        other = exchanged(setup, BLUE, DEFENDER, ranks[1])
        return cls(_begun(setup), _begun(other), random.Random(seed))

    @property
    def both(self) -> tuple[Table, Table]:
        return self.one, self.other

    def do(self, action: actions.Action) -> tuple[rulings.Ruling, ...] | None:
        """Perform the action in both games. Return the public rulings, or None if the action is
        invalid."""
        one, other = (_heard(table, action) for table in self.both)
        if one is None or other is None:
            assert one is other is None, action
            return None
        if one != other:
            # The result of an attack may reveal the piece's rank, and so may that of a guess that
            # needs no answer.
            first = next(pair for pair in zip(one, other, strict=False) if pair[0] != pair[1])
            assert all(
                isinstance(ruling, rulings.Combat | rulings.Infiltrated) for ruling in first
            ), action
            raise Revealed
        assert repr(one) == repr(other)
        self.compare()
        self.done[type(action).__name__] += 1
        return tuple(one)

    def play(self, count: int) -> None:
        """Perform up to `count` random actions.

        Stop early if the game ends or the rank of the piece that won unnamed is revealed.
        """
        with suppress(Revealed):
            self._play(count)

    def _play(self, count: int) -> None:
        for _ in range(count):
            if self.one.referee.outcome:
                return
            self.do(self.idea())
            while self.one.referee.open_attack and self.chance.random() < 0.8:
                self.declare()
            if self.one.referee.phase is Phase.GUESS:
                self.answer()

    def declare(self) -> None:
        """Declare a rank for a side that was asked. Both referees must react in the same way."""
        opened = self.one.referee.open_attack
        assert opened
        side = self.chance.choice(opened.awaited)
        answers = [self._declare(table, side) for table in self.both]
        assert [type(r) for r in answers[0][1]][:1] == [type(r) for r in answers[1][1]][:1]
        if answers[0][1] != answers[1][1]:
            assert opened_pieces(self.one, opened.source, opened.target) & {DEFENDER, OTHER_PIECE}
            raise Revealed
        self.compare()
        self.done["again unnamed"] += any(
            isinstance(r, rulings.Combat) and r.defender is None for r in answers[0][1]
        )

    def _declare(self, table: Table, side: Side) -> tuple[Rank, list[rulings.Ruling]]:
        """Declare the true rank, or another rank if the true one is refused."""
        opened = table.referee.open_attack
        assert opened
        place = opened.source if side is table.referee.to_move else opened.target
        truth = table.setup.ranks[table.referee.position.board.piece_at(place)]
        for rank in (truth, *Rank):
            ruled = table.referee.apply(actions.Declare(Secret(side, rank)))
            if not rulings.refuses(ruled):
                return rank, shown(ruled)
        raise AssertionError("the referee refused every rank")

    def answer(self) -> None:
        """Answer a guess truthfully, but always answer no for the two swapped pieces."""
        opened = self.one.referee.open_guess
        assert opened
        piece = self.one.referee.position.board.piece_at(opened.target)
        truth = self.one.setup.ranks[piece] is opened.guess
        if self.do(actions.AnswerGuess(truth and piece not in (DEFENDER, OTHER_PIECE))) == ():
            self.do(actions.AnswerGuess(right=False))

    def compare(self) -> None:
        """Check that all public queries give the same results in both games."""
        one, other = (list(asked(table.referee)) for table in self.both)
        assert one == other
        for _ in range(3):
            ends = self.chance.choice(SQUARES), self.chance.choice(SQUARES)
            assert len({repr(list(asked_of(table.referee, *ends))) for table in self.both}) == 1

    # -- random actions

    def idea(self) -> actions.Action:
        referee, chance = self.one.referee, self.chance
        if referee.phase is Phase.ATTACK:
            return actions.WithdrawAttack() if chance.random() < 0.5 else actions.TakeBack()
        if referee.phase in (Phase.STALEMATE, Phase.SHOWING) and chance.random() < 0.5:
            return actions.AnswerStalemate(chance.random() < 0.6)
        if chance.random() < 0.4:
            return chance.choice([self.amendment, self.mistake, self.guess, self.anything])()
        legal = referee.legal_moves()
        if not legal:
            return actions.TakeBack()
        place = referee.position.find(DEFENDER)
        about = [turn for turn in legal if place in (turn.source, turn.target)]
        near = [turn for turn in legal if referee.to_move is RED and self.nears(turn)]
        return chance.choice((about or near or legal) if chance.random() < 0.6 else legal)

    def amendment(self) -> actions.Action:
        """Return an amendment of the latest move."""
        referee = self.one.referee
        last = referee.position.last_move
        here = last[1] if last else 0
        there = [place for place in SQUARES if referee.can_amend(here, place)]
        return actions.Amend(here, self.chance.choice(there or [here]))

    def guess(self) -> actions.Action:
        """Return a guess, usually by a piece that is allowed to guess."""
        chance, position = self.chance, self.one.referee.position
        ways = [
            (source, target)
            for source in self.everybody
            for target in self.everybody
            if position.find_infiltration_violation(source, target) is None
        ]
        if ways and chance.random() < 0.8:
            return actions.Infiltrate(*chance.choice(ways), chance.choice(list(Rank)))
        source, target = chance.choices(self.everybody, k=2)
        return actions.Infiltrate(source, target, chance.choice(list(Rank)))

    def mistake(self) -> actions.Action:
        """Return a random correction, either of a mistake that was made or of one that was not."""
        chance, board = self.chance, self.one.referee.position.board
        piece, other = (board.piece_at(place) for place in chance.choices(self.everybody, k=2))
        mistakes: list[actions.Correction] = [
            actions.RankCorrection(piece, chance.choice(list(Rank)))
        ]
        mistakes += [
            actions.SwapCorrection(piece, other),
            actions.NotAScout(piece),
            actions.NotAScout(DEFENDER),
        ]
        return actions.Correct(chance.choice(mistakes))

    def anything(self) -> actions.Action:
        """Return a random action, which may be invalid."""
        chance, board = self.chance, self.one.referee.position.board
        source, target = chance.choice(self.everybody), chance.choice(SQUARES)
        attacks = board.side_at(target) is not None
        possible: list[actions.Action] = [
            actions.TakeBack(),
            actions.ClaimStalemate(),
            actions.Touch(source),
            actions.Override(source, target),
        ]
        possible += [actions.Override(source, target), actions.Touch(source), actions.TakeBack()]
        possible.append(actions.Attack(source, target) if attacks else actions.Move(source, target))
        stands = () if attacks or source == target else (actions.Relocation(source, target),)
        gone = 0 if stands and chance.random() < 0.5 else 1 << chance.choice(self.everybody)
        possible.append(actions.AdoptBoard(stands, gone, chance.choice([*Side])))
        return chance.choice(possible)

    @property
    def everybody(self) -> list[Square]:
        return list(squares_in(self.one.referee.position.board.occupied))

    def nears(self, turn: actions.Turn) -> bool:
        """Whether a turn moves a piece closer to the piece whose rank has not been named."""
        place = self.one.referee.position.find(DEFENDER)
        if place is None:
            return False

        def far(from_: int) -> int:
            return abs(from_ % 10 - place % 10) + abs(from_ // 10 - place // 10)

        return far(turn.target) < far(turn.source)


def _heard(table: Table, action: actions.Action) -> list[rulings.Ruling] | None:
    """Return the public rulings on an action, or None if it is invalid."""
    try:
        return shown(table.referee.apply(action))
    except OutOfPhaseError:
        return None


def opened_pieces(table: Table, *places: int) -> set[int]:
    """Return the pieces in the latest attack. `places` are the squares from which they fought."""
    before = table.referee.game.latest
    assert before
    return {before.before.position.board.piece_at(place) for place in places}


def asked(referee: Referee) -> Iterator[object]:
    """Yield all public data of a referee."""
    position = referee.position
    view = public_view(referee)
    yield view, str(view)
    yield repr(referee), repr(referee.open_attack), repr(referee.open_guess)
    yield referee.legal_moves(), referee.outcome, referee.phase, repr(referee.actions[-1])
    yield [position.ranks_at(place) for place in squares_in(position.board.occupied)]
    yield [position.can_move(side) for side in Side]
    yield referee.information_state(RED)
    yield [ruling for ruling in referee.ruled if isinstance(ruling, Public)]


def asked_of(referee: Referee, source: int, target: int) -> Iterator[object]:
    yield referee.find_violation(source, target), referee.can_touch(source)
    yield referee.can_amend(source, target), referee.can_strike_on(source, target)
    if referee.phase is Phase.PLAY:
        yield referee.is_decided(source, target)
    yield referee.position.find_infiltration_violation(source, target)
