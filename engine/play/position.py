"""How a game stands at one moment, as a value.

A position knows who stands where, whose turn it is, what is proved of every piece, what both
repetition rules have counted, and whether the game is over. It never changes: what goes on returns
another position, which shares with this one whatever stayed the same. So a copy costs nothing, a
game is a list of positions, and going back is taking the one before.

What is asked here is answered by public facts alone. The ranks of pieces that silent defence keeps
unnamed lie sealed in the players and change no answer.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from engine import picture
from engine.knowledge.dossier import Dossier
from engine.legality import movement
from engine.legality.board import Board, Piece
from engine.legality.infiltration import find_infiltration_fault, targets
from engine.legality.more_squares import Past, repeated
from engine.legality.two_squares import TRACES, squares_of, worn_out
from engine.play.actions import Attack, Move
from engine.play.player import Player
from engine.play.rulings import Combat, GameOver, Reason
from engine.play.ways import ATTACKS, MOVES, STEP_ATTACKS, STEP_MOVES
from engine.ranks import IMMOBILE, SCOUTS, Rank, RankSet, sole
from engine.rulebook.editions import Edition, MovedBomb
from engine.rulebook.faults import Fault
from engine.rulebook.rules import Reading
from engine.rulebook.violation import Violation
from engine.sides import Side
from engine.squares import BESIDE, BETWEEN, LAKES, Square, set_of, squares_in

_RED: Final = Side.RED
_COLOURS: Final = {Side.RED: "r", Side.BLUE: "b"}


class Position:
    """Who stands where, what is proved, whose turn it is, and what may be done.

    ``print(position)`` is a picture. Two positions are equal if the same may happen from here on:
    the same pieces on the same squares, the same things proved and counted, the same side to move.
    """

    __slots__ = (
        "board",
        "edition",
        "last_combat",
        "last_move",
        "mover",
        "outcome",
        "past",
        "plies",
        "to_move",
        "touched",
        "traces",
        "waiter",
    )

    edition: Edition
    board: Board
    to_move: Side
    mover: Player
    """The player whose turn it is."""
    waiter: Player
    """The other one."""
    plies: int
    """How many turns have been completed: moves, attacks and infiltrations."""
    past: Past
    """Where the pieces stood since the running chases began."""
    last_move: tuple[Square, Square] | None
    """The squares of the latest turn."""
    last_combat: Combat | None
    """The combat that the latest ply was, None if it was none."""
    touched: Square | None
    """With touch-move: where the piece stands that has to move."""
    outcome: GameOver | None

    def __init__(self, edition: Edition, board: Board, known: Mapping[Piece, Rank] | None = None):
        """Stand at the beginning of a game. `known` are ranks known beforehand, as from a record.

        Trusts that the armies are complete; an empty board is one on which nobody stands yet.
        """
        self.edition, self.board = edition, board
        self.to_move, self.plies = _RED, 0
        self.mover, self.waiter = (
            Player(Dossier(edition.army, board.standing(side), known or {})) for side in Side
        )
        self.past, self.touched, self.outcome = (), None, None
        self.last_move = self.last_combat = None
        self.traces = TRACES[edition.recurrence]

    # -- who and what

    def player(self, side: Side) -> Player:
        """What is remembered of one side."""
        return self.mover if side is self.to_move else self.waiter

    def dossier_at(self, square: Square) -> tuple[Dossier, Piece]:
        """Where it is told what is proved of the piece on a square; KeyError if there is none."""
        piece = self.board.piece_at(square)
        side = self.board.side_at(square)
        assert side
        return self.player(side).dossier, piece

    def ranks_at(self, square: Square) -> RankSet:
        """The ranks that the piece on a square can have; KeyError if there is none."""
        dossier, piece = self.dossier_at(square)
        return dossier.possible(piece)

    # -- what is allowed

    def find_violation(self, source: Square, target: Square) -> Violation | None:
        """Say which rule forbids the side to move this move or attack, None if none does.

        Onto an opposing piece it is an attack. A player who has lost for want of a legal move is
        told why this one is none, though the game is over.
        """
        if self.outcome and self.outcome.reason is not Reason.NO_LEGAL_MOVE:
            return self.violation(Fault.GAME_IS_OVER, source, target)
        found = self._find_violation(source, target)
        if found is None and self.outcome:
            return self.violation(Fault.GAME_IS_OVER, source, target)
        return found

    def _find_violation(self, source: Square, target: Square) -> Violation | None:
        board, side = self.board, self.to_move
        fault = movement.find_owner_fault(board, side, source)
        if fault:
            return self.violation(fault, source, target)
        piece = board.pieces[source]
        ranks = self.mover.dossier.possible(piece)
        fault = movement.find_fault(board, side, source, target, ranks)
        if fault:
            reading = self._reading(fault, source, target)
            return self.violation(fault, source, target, reading=reading)
        if self.touched is not None and source != self.touched and self.can_turn(self.touched):
            return self.violation(Fault.TOUCHED_ANOTHER, self.touched, source)
        return self.find_repetition(side, piece, source, target)

    def find_repetition(
        self, side: Side, piece: Piece, source: Square, target: Square
    ) -> Violation | None:
        """Say which repetition rule forbids a move or attack that is allowed otherwise."""
        player, limit = self.player(side), self.edition.two_squares_limit
        if player.streak.piece == piece:
            worn = worn_out(player.streak, limit, piece, self.traces[source][target])
            if worn:
                attacked = any(player.streak.attacks) or self.board.side_at(target) is side.other
                reading = Reading.ATTACK_IS_A_MOVE if attacked else None
                return self.violation(
                    Fault.TO_AND_FRO, *squares_of(worn), count=limit, reading=reading
                )
        chase = player.chase
        if chase.evaders and player.last != (target, source):
            if self.board.of(side.other) >> target & 1:
                return None
            ago = repeated(self.board, side, chase, self.past, (source, target))
            if ago:
                return self.violation(Fault.CHASE_REPEATS, source, target, count=ago)
        return None

    def find_infiltration_violation(self, source: Square, target: Square) -> Violation | None:
        """Say which rule forbids the side to move this infiltration, None if none does."""
        fault = movement.find_owner_fault(self.board, self.to_move, source)
        if fault is None:
            ranks = self.mover.dossier.possible(self.board.pieces[source])
            fault = find_infiltration_fault(self.board, self.to_move, source, target, ranks)
        return self.violation(fault, source, target) if fault else None

    def violation(
        self, fault: Fault, *squares: Square, count: int = 0, reading: Reading | None = None
    ) -> Violation:
        """Put a fault as a ruling, with the place in the rulebook."""
        citation = self.edition.cite(fault.rule, reading or fault.reading)
        side = self.to_move if fault is Fault.NOT_YOUR_PIECE else None
        return Violation(fault, set_of(squares), citation, count, side)

    def _reading(self, fault: Fault, source: Square, target: Square) -> Reading | None:
        """The reading that decides about a fault of movement, if one does."""
        if fault is Fault.NOT_STRAIGHT and self.board.of(self.to_move.other) >> target & 1:
            return Reading.STRAIGHT_STRIKE
        loses = fault is Fault.IMMOBILE and self.edition.moved_bomb is MovedBomb.LOSES
        if loses and not movement.could_go(self.board, self.to_move, source, target):
            return Reading.KNOCKED_BOMB
        return None

    def can_stand(self, source: Square, target: Square) -> bool:
        """Whether an arbiter could let a move or attack stand, by whichever side it was made.

        What the board cannot show never stands, and a bomb or a flag does not fight.
        """
        side, met = self.board.side_at(source), self.board.side_at(target)
        if side is None or met is side or LAKES >> target & 1:
            return False
        return met is None or bool(self.ranks_at(source) & ~IMMOBILE)

    # -- what can be done

    def legal_moves(self) -> list[Move | Attack]:
        """List the moves and attacks of the side to move that no public fact forbids."""
        if self.outcome:
            return []
        board, side = self.board, self.to_move
        red, blue = board.red, board.blue
        enemy = blue if side is _RED else red
        empty = movement.LAND & ~(red | blue)
        pieces, dossier = board.pieces, self.mover.dossier
        found: list[Move | Attack] = []
        for source in squares_in(movement.with_room(board, side)):
            ranks = dossier.possible(pieces[source])
            if not ranks & ~IMMOBILE:
                continue
            beside = BESIDE[source]
            found += STEP_MOVES[source][beside & empty]
            if near := beside & enemy:
                found += STEP_ATTACKS[source][near]
            if ranks & SCOUTS:
                moves, attacks = movement.long_moves(board, side, source)
                found += map(MOVES[source].__getitem__, moves)
                found += map(ATTACKS[source].__getitem__, attacks)
        return self._without_repetition(found)

    def _without_repetition(self, found: list[Move | Attack]) -> list[Move | Attack]:
        """Leave out what a repetition rule or touch-move forbids."""
        mover = self.mover
        worn = len(mover.streak.traces) == self.edition.two_squares_limit
        if not worn and not mover.chase.evaders and self.touched is None:
            return found
        if self.touched is not None and self.can_turn(self.touched):
            found = [turn for turn in found if turn.source == self.touched]
        side, pieces = self.to_move, self.board.pieces
        return [
            turn
            for turn in found
            if not self.find_repetition(side, pieces[turn.source], turn.source, turn.target)
        ]

    def can_move(self, side: Side) -> bool:
        """Whether a side has a legal turn; False only if public facts prove that it has none."""
        return self._can_move_on(side) or any(True for _ in self._turns(side))

    def _can_move_on(self, side: Side) -> bool:
        """Whether the piece that a side moved last can plainly go on: no rule counts such a step.

        That answers for nearly every position of a game.
        """
        player, board = self.player(side), self.board
        if player.last is None or player.chase.evaders:
            return False
        source, target = player.last
        own = board.of(side)
        if not own >> target & 1:
            return False
        # Going back may be forbidden; whatever lies on the way back is left out.
        way_back = 1 << source | (BETWEEN[source][target] or 0)
        onward = BESIDE[target] & movement.LAND & ~(own | way_back)
        return bool(onward) and player.dossier.may_move(board.pieces[target])

    def is_shut_in(self, side: Side) -> bool:
        """Whether, the repetition rules left aside, a side provably has no turn."""
        return not any(True for _ in self._turns(side, repeating=True))

    def _turns(self, side: Side, *, repeating: bool = False) -> Iterator[tuple[Square, Square]]:
        """Give the turns that a side may have, infiltrations last."""
        board = self.board
        for source in squares_in(movement.with_room(board, side)):
            yield from self._turns_of(side, source, repeating=repeating)
        if self.edition.army.counts[Rank.INFILTRATOR]:
            for source in squares_in(board.of(side)):
                if self.player(side).dossier.possible(board.pieces[source]) >> Rank.INFILTRATOR & 1:
                    for target in targets(board, side, source):
                        yield source, target

    def _turns_of(
        self, side: Side, source: Square, *, repeating: bool = False
    ) -> Iterator[tuple[Square, Square]]:
        """Give the moves and attacks that the piece on a square may have."""
        board, dossier = self.board, self.player(side).dossier
        piece = board.pieces[source]
        if not dossier.may_move(piece):
            return
        for target in movement.steps(board, side, source):
            if repeating or not self.find_repetition(side, piece, source, target):
                yield source, target
        if dossier.possible(piece) & SCOUTS:
            for far in movement.long_moves(board, side, source):
                for target in far:
                    if repeating or not self.find_repetition(side, piece, source, target):
                        yield source, target

    def can_turn(self, source: Square) -> bool:
        """Whether the piece of the side to move on a square may have a legal turn."""
        return any(True for _ in self._turns_of(self.to_move, source))

    def has_movable_piece(self, side: Side) -> bool:
        """Whether a side may have a movable piece left; the fallen ones prove it."""
        dossier, board = self.player(side).dossier, self.board
        return any(dossier.may_move(board.pieces[square]) for square in squares_in(board.of(side)))

    # -- as a value

    def _key(self) -> tuple[object, ...]:
        return (
            self.board,
            self.to_move,
            self.mover,
            self.waiter,
            self.edition,
            self.past,
            self.touched,
            self.outcome,
        )

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, Position) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.board, self.to_move is _RED))

    def __str__(self) -> str:
        """Draw the board with the ranks that are proved and a ``?`` for all others.

        A proof may rest on what players must not be reminded of: it is not for their screens.
        """

        def token(square: Square) -> str | None:
            side = self.board.side_at(square)
            if side is None:
                return None
            rank = sole(self.ranks_at(square))
            return _COLOURS[side] + (rank.symbol if rank is not None else "?")

        return picture.draw(token)

    def __repr__(self) -> str:
        return f"<Position after {self.plies} plies, {self.to_move.value} to move>"
