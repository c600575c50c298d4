"""Tables for test games. Setups are drawn as text, and moves are in the players' notation."""

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from engine.board import board_text
from engine.board.board import Board, Piece
from engine.board.geometry import Side, Square, set_of, square
from engine.board.ranks import ORIGINAL, SYMBOLS, Army, Rank, RankSet
from engine.board.visibility import Secret
from engine.game import actions
from engine.game.referee import Referee
from engine.game.rulings import ArmiesPlaced, Contradiction, Ruling
from engine.rules.editions import Edition
from engine.rules.rules import Violation
from tests.reference import Piece as ReferencePiece
from tests.reference import ReferenceGame

RED, BLUE = Side.RED, Side.BLUE

_SIDES = {"r": RED, "b": BLUE}
_MOVE = re.compile(r"(?P<source>\w+)(?P<how>[-x])(?P<target>\w+)")

CORNER = """
    10   .   .   .   .   .   .   .   .  bB  bF
     9   .   .   .   .   .   .   .   .   .  bB
     8   .   .   .   .   .   .   .   .   .   .
     7   .   .   .   .  b2   .   .   .   .   .
     6   .   .   ~   ~   .   .   ~   ~   .   .
     5   .   .   ~   ~   .   .   ~   ~   .   .
     4   .   .   .   .   .   .   .   .   .   .
     3   .   .   .   .   .   .   .   .   .   .
     2  rF  rB   .   .   .   .   .   .   .   .
     1  r2   .  rB   .   .   .   .   .   .   .
         a   b   c   d   e   f   g   h   i   k
"""
"""Setup in which Red's scout can move only between a1 and b1."""
POCKETS = """
    10   .   .   .   .   .   .   .   .  bB  b7
     9   .   .   .   .   .   .   .   .  bB  bF
     8   .   .   .   .   .   .   .   .   .  bB
     7  b2  b2   .   .   .  b2   .   .   .   .
     6   .   .   ~   ~   .   .   ~   ~   .   .
     5   .   .   ~   ~   .   .   ~   ~   .   .
     4   .   .   .   .  r2   .   .   .  r2  r2
     3  rB   .   .   .   .   .   .   .   .   .
     2  rF  rB   .   .   .   .   .   .   .   .
     1  r7  rB   .   .   .   .   .   .   .   .
         a   b   c   d   e   f   g   h   i   k
"""
"""Setup with two enclosed majors. In the tests, all scouts run into bombs."""
SKIRMISH = """
    10  bF   .   .   .   .   .   .   .   .   .
     9   .   .   .   .   .   .   .   .   .   .
     8   .   .   .   .   .   .   .   .   .   .
     7   .  b3   .   .  b5  b9   .   .  bB  b2
     6   .   .   ~   ~   .   .   ~   ~   .   .
     5   .   .   ~   ~   .   .   ~   ~   .   .
     4   .  rB   .   .  r9  r3   .   .  r5  r2
     3   .   .   .   .   .   .   .   .   .   .
     2   .   .   .   .   .   .   .   .   .   .
     1  rF   .   .   .   .   .   .   .   .   .
         a   b   c   d   e   f   g   h   i   k
"""
"""A small army for each side, with at most one piece of each rank."""


@dataclass(frozen=True)
class Setup:
    pieces: Mapping[Square, tuple[Side, Rank]]

    @classmethod
    def parse(cls, drawn: str) -> "Setup":
        """Parse a picture in which every rank is known."""
        tokens = board_text.read(drawn).items()
        return cls({place: (_SIDES[token[0]], SYMBOLS[token[1:]]) for place, token in tokens})

    @property
    def ranks(self) -> dict[Piece, Rank]:
        return {place: rank for place, (_, rank) in self.pieces.items()}

    @property
    def placing(self) -> actions.PlaceArmies:
        red, blue = (
            set_of(place for place, (side, _) in self.pieces.items() if side is wanted)
            for wanted in Side
        )
        return actions.PlaceArmies(red, blue)

    def edition(self, limit: int = 3) -> Edition:
        """Return an edition in which each side has this setup's army."""
        return Edition("small", "Small rulebook", self.army, limit)

    @property
    def army(self) -> Army:
        """The ranks of one side in this setup. Both sides must have the same ranks."""
        red, blue = (
            Counter(rank for side, rank in self.pieces.values() if side is wanted)
            for wanted in Side
        )
        assert red == blue, "both armies in the picture must have the same ranks"
        return Army("small", {rank: red[rank] for rank in Rank})

    def reference_game(
        self, limit: int, more_squares: bool = False, *, by_borders: bool = False
    ) -> ReferenceGame:
        """Return a second referee with the same setup."""
        standing = {
            words(place): ReferencePiece(side.value, rank.name.lower())
            for place, (side, rank) in self.pieces.items()
        }
        return ReferenceGame(standing, limit, more_squares=more_squares, by_borders=by_borders)


def words(place: Square) -> str:
    """Return the name of a square, without using the engine."""
    return f"{'abcdefghik'[place % 10]}{place // 10 + 1}"


@dataclass
class Table:
    """Referee and two players who declare their ranks truthfully."""

    setup: Setup
    referee: Referee
    declared: list[Side] = field(default_factory=list)
    """Sides that were asked for a rank, in order."""

    @classmethod
    def of(cls, drawn: str, limit: int = 3, *, rules: Edition | None = None) -> "Table":
        """Set up the pieces in a text picture, which must show the complete armies of both sides.

        Without `rules`, the rulebook defines only the two-squares limit.
        """
        setup = Setup.parse(drawn)
        edition = replace(rules, army=setup.army) if rules else setup.edition(limit)
        table = cls(setup, Referee.waiting(edition))
        assert table.referee.apply(setup.placing) == (ArmiesPlaced(),)
        return table

    def rank_at(self, name: str) -> Rank:
        """Return the true rank of the piece on a square."""
        return self.setup.ranks[self.referee.position.board.piece_at(square(name))]

    def play(self, moves: str) -> tuple[Ruling, ...]:
        """Play moves such as ``"e4-e5 e7-e6 e5xe6"`` and return the rulings on the last move.

        All moves before the last one must be accepted.
        """
        rulings: tuple[Ruling, ...] = ()
        for move in moves.split():
            assert refusal(rulings) is None, f"refused before {move}: {rulings}"
            found = _MOVE.fullmatch(move)
            assert found, move
            way = square(found["source"]), square(found["target"])
            attacks = found["how"] == "x"
            rulings = self.attack(*way) if attacks else self.referee.apply(actions.Move(*way))
        return rulings

    def attack(self, source: Square, target: Square) -> tuple[Ruling, ...]:
        """Attack, and declare the true ranks for both players when they are asked."""
        rulings = self.referee.apply(actions.Attack(source, target))
        return rulings + self.declare()

    def declare(self) -> tuple[Ruling, ...]:
        """Declare the true ranks for both players when they are asked, and return the rulings."""
        rulings: tuple[Ruling, ...] = ()
        while attack := self.referee.open_attack:
            side = attack.awaited[0]
            attacking = side is self.referee.to_move
            place = attack.source if attacking else attack.target
            rank = self.setup.ranks[self.referee.position.board.piece_at(place)]
            self.declared.append(side)
            answer = self.referee.apply(actions.Declare(Secret(side, rank)))
            assert refusal(answer) is None, f"{side} may not declare {rank!r}: {answer}"
            rulings += answer
        return rulings

    def override(self, moves: str) -> tuple[Ruling, ...]:
        """Override the referee for moves such as ``"b1-b9"``, and return the rulings on the last
        one."""
        rulings: tuple[Ruling, ...] = ()
        for move in moves.split():
            assert refusal(rulings) is None, f"refused before {move}: {rulings}"
            rulings = self.referee.apply(actions.Override(*way(move)))
        return rulings

    def infiltrate(self, move: str, guess: Rank) -> tuple[Ruling, ...]:
        """Guess with an infiltrator, as in ``"a8-a10"``. The owner answers truthfully if asked."""
        source, target = way(move)
        truth = self.setup.ranks[self.referee.position.board.piece_at(target)]
        rulings = self.referee.apply(actions.Infiltrate(source, target, guess))
        if self.referee.open_guess:
            rulings += self.referee.apply(actions.AnswerGuess(truth is guess))
        return rulings

    def take_back(self) -> None:
        self.referee.apply(actions.TakeBack())


def way(move: str) -> tuple[Square, Square]:
    """Parse the two squares in a move such as ``"e4-e5"`` or ``"e4 e5"``."""
    source, target = re.split("[- x]", move)
    return square(source), square(target)


def declare(side: Side, rank: Rank) -> actions.Declare:
    return actions.Declare(Secret(side, rank))


def ranks_named(text: str) -> list[Rank]:
    return [rank for rank in Rank if rank.name.lower() in text.lower()]


def refusal(rulings: tuple[Ruling, ...]) -> Violation | Contradiction | None:
    """Return the ruling that refuses an action, or None if the action is accepted.

    A refusal is always the first ruling. A `Contradiction` after a turn is not a refusal.
    """
    first = rulings[0] if rulings else None
    return first if isinstance(first, Violation | Contradiction) else None


def state(referee: Referee) -> object:
    """Return the complete state of a referee."""
    return list(referee.actions), moment(referee)


def moment(referee: Referee) -> object:
    """Return the state of a referee without its history."""
    position = referee.position
    players = [position.player(side) for side in Side]
    return (
        referee.phase,
        referee.game.state.pending,
        position,
        position.plies,
        position.last_move,
        position.last_combat,
        [{p: facts for p, facts in player.deduction.facts.items() if facts} for player in players],
    )


def as_drawn(drawn: str) -> tuple[Board, Callable[[Square], RankSet]]:
    """Parse a picture of proved ranks: ``r2`` is a red scout, ``r?`` an unknown red piece."""
    tokens = board_text.read(drawn)

    def ranks_at(place: Square) -> RankSet:
        symbol = tokens[place][1:] if place in tokens else "?"
        return ORIGINAL.ranks if symbol == "?" else 1 << SYMBOLS[symbol]

    return Board.parse(drawn), ranks_at
