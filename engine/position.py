"""How a game stands at one moment, and what the rules allow in it.

Whatever is asked here changes nothing. Most is asked for what public facts prove (`dossier`); the
referee, who judges moves, also knows what silent defence keeps unnamed.
"""

from collections import Counter
from collections.abc import Callable
from enum import Enum

from engine import infiltration, movement
from engine.attack import OpenedAttack
from engine.board import Board, Piece
from engine.dossier import Dossier
from engine.editions import Edition
from engine.infiltration import OpenedInfiltration
from engine.more_squares import MoreSquares
from engine.ranks import IMMOBILE, RUNNERS, Rank, RankSet
from engine.rules import Fault
from engine.rulings import (
    Combat,
    GameOver,
    Reason,
    Violation,
)
from engine.secrecy import Secret
from engine.sides import Side
from engine.squares import LAKES, Square, set_of, squares_in
from engine.two_squares import TwoSquares


class Phase(Enum):
    """What kind of action the game is waiting for."""

    SETUP = "setup"
    PLAY = "play"
    ATTACK = "attack"
    """Ranks are being declared."""
    DISPUTE = "dispute"
    """A declaration has to be decided about."""
    GUESS = "guess"
    """An infiltrator's guess has to be answered."""
    OVER = "over"


class Position:
    """Who stands where, what is proved, whose turn it is, and what may be done."""

    def __init__(self, edition: Edition) -> None:
        """Begin with an empty board."""
        self.edition = edition
        self.phase = Phase.SETUP
        self.to_move = Side.RED
        self.plies = 0
        """How many turns have been completed: moves, attacks and infiltrations."""
        self.board = Board({}, {})
        self.attack: OpenedAttack | None = None
        self.infiltration: OpenedInfiltration | None = None
        self.last_move: tuple[Square, Square] | None = None
        self.last_combat: Combat | None = None
        """The combat that the last ply was, None if it was none."""
        self.captured = {side: Counter[Rank]() for side in Side}
        """The fallen pieces of each side by rank: public, like sorting trays (rules.md §10)."""
        self.outcome: GameOver | None = None
        self.dossier = Dossier(edition.army, ())
        """What is proved from public facts."""
        self._unnamed: dict[Piece, Secret[Rank]] = {}
        """The declared ranks of defenders that stayed unnamed."""
        self._two_squares = TwoSquares(edition.two_squares_limit)
        self._more_squares = MoreSquares() if edition.more_squares else None

    def find_violation(self, source: Square, target: Square) -> Violation | None:
        """Say which rule forbids the side to move this move or attack, None if none does.

        Who has no legal move left is told why this one is none, though the game is over.
        """
        over = self._violation(Fault.GAME_IS_OVER, source, target) if self.outcome else None
        if self.outcome and self.outcome.reason is not Reason.NO_LEGAL_MOVE:
            return over
        return self._find_violation(self.to_move, source, target, self._possible) or over

    def can_move(self, side: Side) -> bool:
        """Whether a side has a legal turn; False only if public facts prove that it has none."""
        board, dossier = self.board, self.dossier
        for source, target in movement.steps(board, side):
            piece = board.piece_at(source)
            if dossier.may_move(piece) and not self._find_repetition(side, piece, source, target):
                return True
        return self._can_run(side) or self._can_infiltrate(side)

    def could_infiltrate(self, source: Square, target: Square) -> bool:
        """Whether, by what everybody knows, the side to move could infiltrate this target."""
        return self.phase is Phase.PLAY and self._may_infiltrate(self.to_move, source, target)

    def can_stand(self, source: Square, target: Square) -> bool:
        """Whether an arbiter could let a move or attack stand, by whichever side it was made.

        What the board cannot show never stands, and a bomb or a flag does not fight.
        """
        side, met = self.board.side_at(source), self.board.side_at(target)
        if side is None or met is side or LAKES >> target & 1:
            return False
        return met is None or bool(self._possible(self.board.piece_at(source)) & ~IMMOBILE)

    def _can_run(self, side: Side) -> bool:
        return any(
            not self._find_repetition(side, piece, source, target)
            for source in squares_in(self.board.of(side))
            if self.dossier.possible(piece := self.board.piece_at(source)) & RUNNERS
            for target in movement.reach(self.board, source)
        )

    def _can_infiltrate(self, side: Side) -> bool:
        if not self.edition.army.counts[Rank.INFILTRATOR]:
            return False
        return any(
            self._may_infiltrate(side, source, target)
            for source in squares_in(self.board.of(side))
            for target in infiltration.targets(self.board, side, source)
        )

    def _may_infiltrate(self, side: Side, source: Square, target: Square) -> bool:
        possible = self.dossier.possible
        return infiltration.find_fault(self.board, side, source, target, possible) is None

    def _find_violation(
        self,
        side: Side,
        source: Square,
        target: Square,
        possible: Callable[[Piece], RankSet],
    ) -> Violation | None:
        fault = movement.find_fault(self.board, side, source, target, possible)
        if fault:
            return self._violation(fault, source, target)
        return self._find_repetition(side, self.board.piece_at(source), source, target)

    def _find_repetition(
        self, side: Side, piece: Piece, source: Square, target: Square
    ) -> Violation | None:
        """Say which repetition rule forbids a move or attack that is allowed otherwise."""
        border = self._two_squares.worn_out(side, piece, source, target)
        if border:
            return self._violation(Fault.TO_AND_FRO, *border, count=self.edition.two_squares_limit)
        if self._more_squares and not self.board.side_at(target):
            plies_ago = self._more_squares.repeated(self.board, side, piece, source, target)
            if plies_ago:
                return self._violation(Fault.CHASE_REPEATS, source, target, count=plies_ago)
        return None

    def _violation(self, fault: Fault, *squares: Square, count: int = 0) -> Violation:
        source = self.edition.cite(fault.rule, fault.reading)
        side = self.to_move if fault is Fault.NOT_YOUR_PIECE else None
        return Violation(fault, set_of(squares), source, count, side)

    @property
    def _informed(self) -> Dossier:
        """What is known to one who has also heard the declarations that were not named aloud."""
        if not self._unnamed:
            return self.dossier
        return self.dossier.knowing({p: rank.unseal() for p, rank in self._unnamed.items()})

    def _possible(self, piece: Piece) -> RankSet:
        """The ranks that a piece can have, for one who also knows what was not named aloud."""
        if piece in self._unnamed:
            return 1 << self._unnamed[piece].unseal()
        return self.dossier.possible(piece)

    def _has_movable_piece(self, side: Side) -> bool:
        """Whether a side may have a movable piece left; the fallen ones prove it (rules.md §9)."""
        standing = map(self.board.piece_at, squares_in(self.board.of(side)))
        return any(map(self.dossier.may_move, standing))
