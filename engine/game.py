"""What a turn, a combat or an end changes in a game.

Everything here is carried out as told, and trusts that it is allowed: that is for the referee, who
judges, to see to before.
"""

from collections.abc import Mapping

from engine import combat, movement
from engine.actions import (
    PlaceArmies,
)
from engine.board import Board, Piece
from engine.dossier import Dossier
from engine.editions import Edition
from engine.position import Phase, Position
from engine.ranks import Rank, rank_set
from engine.rules import Reading, Rule
from engine.rulings import (
    ArmiesPlaced,
    Combat,
    GameOver,
    Infiltrated,
    Moved,
    Reason,
    Ruling,
)
from engine.secrecy import Secret
from engine.setup import Placed, find_faults
from engine.sides import Side
from engine.squares import BETWEEN, Square, squares_in


class Game(Position):
    """A game that goes on. Tells what it does as rulings."""

    def __init__(self, edition: Edition, known: Mapping[Piece, Rank] | None = None) -> None:
        """Begin a game. `known` are ranks known beforehand, as from a complete record."""
        super().__init__(edition)
        self._known = known or {}

    def _place_armies(self, action: PlaceArmies) -> tuple[Ruling, ...]:
        pieces = action.pieces
        faults = find_faults(self.edition, [Placed(square, side) for side, square in pieces])
        if faults:
            return faults
        self.board = Board(
            red={piece: piece for piece in squares_in(action.red)},
            blue={piece: piece for piece in squares_in(action.blue)},
        )
        self.dossier = Dossier(self.edition.army, pieces)
        for piece, rank in self._known.items():
            self.dossier.revealed(piece, rank)
        self.phase = Phase.PLAY
        return (ArmiesPlaced(), *self._end_if_stuck())

    def _carry(self, source: Square, target: Square, *, regular: bool = True) -> tuple[Ruling, ...]:
        """Make a move; an irregular one tells nothing about the piece."""
        side, ran = self.to_move, regular and movement.is_run(source, target)
        piece = self._complete_turn(source, target, ran=ran, regular=regular)
        self.board.shift(source, target)
        if self._more_squares:
            self._more_squares.record(self.board, side, piece, (source, target), attack=False)
        return (Moved(side, source, target, ran), *self._end_if_stuck())

    def _complete_turn(self, source: Square, target: Square, *, ran: bool, regular: bool) -> Piece:
        """Keep the books of a move or attack whose piece, returned, still stands on its source."""
        piece = self.board.piece_at(source)
        if regular:
            self.dossier.moved(piece, ran=ran, ply=self.plies + 1)
        if BETWEEN[source][target] is not None:
            self._two_squares.record(self.to_move, piece, source, target)
        else:
            self._two_squares.interrupt(self.to_move)
        self._pass_turn((source, target))
        return piece

    def _pass_turn(self, squares: tuple[Square, Square]) -> None:
        self.last_move = squares
        self.last_combat = None
        self.plies += 1
        self.to_move = self.to_move.other

    def _resolve_when_declared(self) -> tuple[Ruling, ...]:
        assert self.attack
        if self.attack.awaited:
            return ()
        attack, side = self.attack, self.to_move
        attacker, defender = attack.rank(side), attack.rank(side.other)
        result = self._resolve(attacker, defender)
        named = self._note_defender(attacker, defender, result)
        ran = attack.regular and movement.is_run(attack.source, attack.target)
        piece = self._complete_turn(attack.source, attack.target, ran=ran, regular=attack.regular)
        self.dossier.revealed(piece, attacker, ply=self.plies)
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
        fought = Combat(side, attack.source, attack.target, attacker, named, result)
        self.last_combat = fought
        return (fought, *self._end_after_loss(fallen=defender))

    def _resolve(self, attacker: Rank, defender: Rank) -> combat.Result:
        advantage = self.edition.aggressor_advantage
        return combat.resolve(attacker, defender, aggressor_advantage=advantage)

    def _note_defender(self, attacker: Rank, defender: Rank, result: combat.Result) -> Rank | None:
        """Note what everybody learns of the defender; return its rank if it is named."""
        assert self.attack
        piece, ply = self.board.piece_at(self.attack.target), self.plies + 1
        stays = result is combat.Result.DEFENDER_WINS
        if not (self.edition.silent_defence and stays and attacker is not Rank.SCOUT):
            self.dossier.revealed(piece, defender, ply=ply)
            return defender
        winners = rank_set(rank for rank in Rank if self._resolve(attacker, rank) is result)
        self.dossier.won_unnamed(piece, winners, attacker, ply=ply)
        self._unnamed[piece] = Secret(self.to_move.other, defender)
        return None

    def _resolve_guess(self, right: bool) -> tuple[Ruling, ...]:
        assert self.infiltration
        side, opened = self.to_move, self.infiltration
        source, target, guess = opened.source, opened.target, opened.guess
        piece = self.board.piece_at(target)
        self._pass_turn((source, target))
        self._two_squares.interrupt(side)
        if self._more_squares:
            self._more_squares.interrupt(side)
        infiltrator = self.board.piece_at(source)
        self.dossier.revealed(infiltrator, Rank.INFILTRATOR, ply=self.plies)
        self.infiltration = None
        self.phase = Phase.PLAY
        infiltrated = Infiltrated(side, source, target, guess, right)
        if not right:
            self.dossier.guessed_wrong(piece, guess, ply=self.plies)
            return (infiltrated, *self._end_if_stuck())
        self.dossier.revealed(piece, guess, ply=self.plies)
        self.board.remove(target)
        self.captured[side.other][guess] += 1
        return (infiltrated, *self._end_after_loss(fallen=guess))

    def _end_after_loss(self, fallen: Rank) -> tuple[Ruling, ...]:
        """End the game if a piece that was attacked or infiltrated, or its loss, ends it."""
        if fallen is Rank.FLAG:
            return self._end(self.to_move.other, Reason.FLAG_CAPTURED)
        spent = [side for side in Side if not self._has_movable_piece(side)]
        if len(spent) == len(Side):
            return self._end(None, Reason.BOTH_IMMOBILE)
        if spent:
            return self._end(spent[0].other, Reason.NO_MOVABLE_PIECE)
        return self._end_if_stuck()

    def _end_if_stuck(self) -> tuple[Ruling, ...]:
        """End the game if the side to move provably has no legal move."""
        return () if self.can_move(self.to_move) else self._end_without_move()

    def _end_without_move(self) -> tuple[Ruling, ...]:
        """End the game because the side to move cannot."""
        opponent = self.to_move.other
        if self.edition.both_immobile_draw and not self.can_move(opponent):
            return self._end(None, Reason.BOTH_IMMOBILE)
        return self._end(opponent, Reason.NO_LEGAL_MOVE)

    def _end(self, winner: Side | None, reason: Reason) -> tuple[Ruling, ...]:
        self.phase = Phase.OVER
        self.attack = self.infiltration = None
        rule = Rule.IMMOBILE_PIECE if reason is Reason.MOVED_BOMB else Rule.ENDING
        reading = Reading.SHUT_IN_LOSES if reason is Reason.NO_LEGAL_MOVE else None
        self.outcome = GameOver(winner, reason, self.edition.cite(rule, reading))
        return (self.outcome,)
