"""The referee of one game: actions in, rulings out."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum

from engine import combat, movement
from engine.actions import (
    Action,
    AgreeDraw,
    CannotMove,
    Declare,
    Move,
    OpenAttack,
    PlaceArmies,
    Resign,
    WithdrawAttack,
)
from engine.board import Board, Piece
from engine.dossier import Dossier
from engine.editions import Edition
from engine.more_squares import MoreSquares
from engine.ranks import IMMOBILE, Rank, RankSet, sole
from engine.rules import Fault
from engine.rulings import (
    ArmiesPlaced,
    AttackOpened,
    AttackWithdrawn,
    Combat,
    Contradiction,
    Declared,
    GameOver,
    Moved,
    Reason,
    Ruling,
    Violation,
)
from engine.secrecy import Secret
from engine.sides import Side
from engine.squares import Square, set_of, squares_in
from engine.two_squares import TwoSquares


class Phase(Enum):
    """What kind of action the game is waiting for."""

    SETUP = "setup"
    PLAY = "play"
    ATTACK = "attack"
    OVER = "over"


class OutOfPhaseError(Exception):
    """The action makes no sense in this phase: a mistake of the program, not of a player."""


@dataclass
class OpenedAttack:
    """An attack between its opening and its result."""

    source: Square
    target: Square
    possible: Mapping[Side, RankSet]
    """The ranks that the piece of each side can have, the attacker first."""
    declared: dict[Side, Secret[Rank]] = field(default_factory=dict)

    @property
    def awaited(self) -> tuple[Side, ...]:
        """The sides that still have to declare; a rank that everybody can know is not asked for."""
        return tuple(
            side
            for side, ranks in self.possible.items()
            if sole(ranks) is None and side not in self.declared
        )

    def rank(self, side: Side) -> Rank:
        """The rank of a side's piece, when it is no longer awaited."""
        proved = sole(self.possible[side])
        return self.declared[side].unseal() if proved is None else proved


class Referee:
    """Folds actions into the state of a game. Knows only the ranks that were declared or proved.

    An action that a rule forbids is answered by a `Violation` or `Contradiction` and changes
    nothing. Accepted actions are kept in `actions`: replaying them gives the same referee.
    """

    def __init__(self, edition: Edition, known: Mapping[Piece, Rank] | None = None) -> None:
        """Begin a game. `known` are ranks known beforehand, as from a complete record."""
        self.edition = edition
        self.actions: list[Action] = []
        self.phase = Phase.SETUP
        self.to_move = Side.RED
        self.plies = 0
        """How many moves and attacks have been completed."""
        self.board = Board({}, {})
        self.attack: OpenedAttack | None = None
        self.last_move: tuple[Square, Square] | None = None
        self.last_combat: Combat | None = None
        """The combat that the last ply was, None if it was a move."""
        self.captured = {side: Counter[Rank]() for side in Side}
        """The fallen pieces of each side by rank: public, as the sorting trays are (RULES §9)."""
        self.outcome: GameOver | None = None
        self._known = known or {}
        self._dossier = Dossier(edition.army, ())
        self._two_squares = TwoSquares(edition.two_squares_limit)
        self._more_squares = MoreSquares() if edition.more_squares else None

    @classmethod
    def replay(cls, edition: Edition, actions: Iterable[Action]) -> "Referee":
        """Return the referee of a game whose actions were all accepted before."""
        referee = cls(edition)
        for action in actions:
            referee.apply(action)
        return referee

    def apply(self, action: Action) -> tuple[Ruling, ...]:
        """Judge an action and carry it out if it is allowed.

        Raises OutOfPhaseError if the action does not fit the phase of the game.
        """
        match action:
            case PlaceArmies():
                self._need(Phase.SETUP, action)
                rulings = self._place_armies(action)
            case Move():
                self._need(Phase.PLAY, action)
                rulings = self._move(action.source, action.target)
            case OpenAttack():
                self._need(Phase.PLAY, action)
                rulings = self._open_attack(action.source, action.target)
            case WithdrawAttack():
                self._need(Phase.ATTACK, action)
                rulings = self._withdraw_attack()
            case Declare():
                self._need(Phase.ATTACK, action)
                rulings = self._declare(action)
            case CannotMove():
                self._need(Phase.PLAY, action)
                rulings = self._end(self.to_move.other, Reason.NO_LEGAL_MOVE)
            case Resign():
                self._need_running(action)
                rulings = self._end(action.side.other, Reason.RESIGNATION)
            case AgreeDraw():
                self._need_running(action)
                rulings = self._end(None, Reason.AGREED_DRAW)
        if not any(isinstance(ruling, Violation | Contradiction) for ruling in rulings):
            self.actions.append(action)
        return rulings

    def find_violation(self, source: Square, target: Square) -> Violation | None:
        """Say which rule forbids the side to move this move or attack, None if none does."""
        if self.phase is Phase.OVER:
            return self._violation(Fault.GAME_IS_OVER, source, target)
        possible = self._dossier.possible
        fault = movement.find_fault(self.board, self.to_move, source, target, possible)
        if fault:
            return self._violation(fault, source, target)
        piece = self.board.piece_at(source)
        border = self._two_squares.worn_out(self.to_move, piece, source, target)
        if border:
            return self._violation(Fault.TO_AND_FRO, *border, count=self.edition.two_squares_limit)
        if self._more_squares and not self.board.side_at(target):
            plies_ago = self._more_squares.repeated(self.board, self.to_move, piece, source, target)
            if plies_ago:
                return self._violation(Fault.CHASE_REPEATS, source, target, count=plies_ago)
        return None

    def _need(self, phase: Phase, action: Action) -> None:
        if self.phase is not phase:
            raise OutOfPhaseError(f"{action} does not fit the phase {self.phase.value!r}")

    def _need_running(self, action: Action) -> None:
        if self.phase not in (Phase.PLAY, Phase.ATTACK):
            raise OutOfPhaseError(f"{action} does not fit the phase {self.phase.value!r}")

    def _violation(self, fault: Fault, *squares: Square, count: int = 0) -> Violation:
        return Violation(fault, set_of(squares), self.edition.cite(fault.rule), count)

    def _place_armies(self, action: PlaceArmies) -> tuple[Ruling, ...]:
        faults = self._setup_faults(action)
        if faults:
            return faults
        armies = {Side.RED: action.red, Side.BLUE: action.blue}
        pieces = [(side, piece) for side in Side for piece in squares_in(armies[side])]
        self.board = Board(
            red={piece: piece for piece in squares_in(action.red)},
            blue={piece: piece for piece in squares_in(action.blue)},
        )
        self._dossier = Dossier(self.edition.army, pieces)
        for piece, rank in self._known.items():
            self._dossier.revealed(piece, rank)
        self.phase = Phase.PLAY
        return (ArmiesPlaced(),)

    def _setup_faults(self, action: PlaceArmies) -> tuple[Violation, ...]:
        """Find everything that is wrong with a setup, not only the first thing."""
        faults: list[Violation] = []
        for side, squares in ((Side.RED, action.red), (Side.BLUE, action.blue)):
            cite = self.edition.cite(Fault.WRONG_COUNT.rule)
            if squares.bit_count() != self.edition.army.size:
                faults.append(Violation(Fault.WRONG_COUNT, squares, cite))
            if squares & ~side.home:
                faults.append(Violation(Fault.OUTSIDE_HOME, squares & ~side.home, cite))
        return tuple(faults)

    def _move(self, source: Square, target: Square) -> tuple[Ruling, ...]:
        violation = self.find_violation(source, target)
        if violation is None and self.board.side_at(target):
            violation = self._violation(Fault.ONTO_OPPONENT, source, target)
        if violation:
            return (violation,)
        side, ran = self.to_move, movement.is_run(source, target)
        piece = self._complete_turn(source, target)
        self.board.shift(source, target)
        if self._more_squares:
            self._more_squares.record(self.board, side, piece, (source, target), attack=False)
        return (Moved(side, source, target, ran),)

    def _open_attack(self, source: Square, target: Square) -> tuple[Ruling, ...]:
        violation = self.find_violation(source, target)
        if violation is None and self.board.side_at(target) is None:
            violation = self._violation(Fault.NOTHING_TO_ATTACK, source, target)
        if violation:
            return (violation,)
        side, attacker = self.to_move, self.board.piece_at(source)
        # What the attack proves is not noted yet: it may still be withdrawn.
        movers = movement.SCOUT if movement.is_run(source, target) else ~IMMOBILE
        possible = {
            side: self._dossier.possible(attacker) & movers,
            side.other: self._dossier.possible(self.board.piece_at(target)),
        }
        self.attack = OpenedAttack(source, target, possible)
        self.phase = Phase.ATTACK
        opened = AttackOpened(side, source, target, self.attack.awaited)
        return (opened, *self._resolve_when_declared())

    def _withdraw_attack(self) -> tuple[Ruling, ...]:
        assert self.attack
        if self.attack.declared:
            raise OutOfPhaseError("an attack cannot be withdrawn once a rank has been declared")
        self.attack = None
        self.phase = Phase.PLAY
        return (AttackWithdrawn(),)

    def _declare(self, action: Declare) -> tuple[Ruling, ...]:
        assert self.attack
        side = action.rank.owner
        if side not in self.attack.awaited:
            raise OutOfPhaseError(f"no declaration is awaited from {side.value}")
        attacking = side is self.to_move
        piece = self.board.piece_at(self.attack.source if attacking else self.attack.target)
        proof = self._dossier.refute(piece, action.rank.unseal(), attacks=attacking)
        if proof:
            return (Contradiction(side, proof),)
        self.attack.declared[side] = action.rank
        return (Declared(side), *self._resolve_when_declared())

    def _resolve_when_declared(self) -> tuple[Ruling, ...]:
        assert self.attack
        if self.attack.awaited:
            return ()
        attack, side = self.attack, self.to_move
        attacker, defender = attack.rank(side), attack.rank(side.other)
        result = combat.resolve(attacker, defender)
        self._dossier.revealed(self.board.piece_at(attack.target), defender)
        piece = self._complete_turn(attack.source, attack.target)
        self._dossier.revealed(piece, attacker)
        if result is not combat.Result.DEFENDER_WINS:
            self.board.remove(attack.target)
            self.captured[side.other][defender] += 1
        if result is combat.Result.ATTACKER_WINS:
            self.board.shift(attack.source, attack.target)
        else:
            self.board.remove(attack.source)
            self.captured[side][attacker] += 1
        if self._more_squares:
            move = (attack.source, attack.target)
            self._more_squares.record(self.board, side, piece, move, attack=True)
        self.attack = None
        self.phase = Phase.PLAY
        fought = Combat(side, attack.source, attack.target, attacker, defender, result)
        self.last_combat = fought
        return (fought, *self._end_after(fought))

    def _complete_turn(self, source: Square, target: Square) -> Piece:
        """Keep the books of a move or attack whose piece, returned, still stands on its source."""
        piece = self.board.piece_at(source)
        self._dossier.moved(piece, ran=movement.is_run(source, target))
        self._two_squares.record(self.to_move, piece, source, target)
        self.last_move = (source, target)
        self.last_combat = None
        self.plies += 1
        self.to_move = self.to_move.other
        return piece

    def _end_after(self, fought: Combat) -> tuple[Ruling, ...]:
        if fought.defender is Rank.FLAG:
            return self._end(fought.side, Reason.FLAG_CAPTURED)
        spent = [side for side in Side if self._movable_left(side) == 0]
        if len(spent) == len(Side):
            return self._end(None, Reason.BOTH_IMMOBILE)
        if spent:
            return self._end(spent[0].other, Reason.NO_MOVABLE_PIECE)
        return ()

    def _movable_left(self, side: Side) -> int:
        """Count the movable pieces a side has left; the captured ones prove it (RULES §8)."""
        fallen = sum(n for rank, n in self.captured[side].items() if not IMMOBILE >> rank & 1)
        return self.edition.army.movable - fallen

    def _end(self, winner: Side | None, reason: Reason) -> tuple[Ruling, ...]:
        self.phase = Phase.OVER
        self.attack = None
        self.outcome = GameOver(winner, reason)
        return (self.outcome,)
