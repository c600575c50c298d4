"""Position: the state of a game after a ply, as an immutable value.

A position contains the pieces and their squares, the side to move, the facts proved about every
piece, the counters of both repetition rules, and the outcome of the game. It is immutable: an
update returns another position that shares all unchanged parts. A game is therefore a list of
positions, and undoing a ply returns to the previous one.

Queries use the public facts and the ranks that the referee can see from the start
(`PlaceArmies.ranks`); `position_updates.as_public` removes the latter. The ranks that silent
defence keeps hidden are stored as secrets in `PlayerState` and do not affect any result.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from engine.board import NotationError, board_text
from engine.board.board import NO_PIECE, Board, Piece, Pieces
from engine.board.geometry import LAKES, ONLY, AnySquare, Side, Square, SquareSet, name, set_of
from engine.board.geometry import square as to_square
from engine.board.ranks import MOVABLE, SCOUTS, Rank, RankSet, only_rank
from engine.deduction.possible_ranks import PlayerState, RankDeduction
from engine.game import legal_turns
from engine.game.actions import Turn
from engine.game.legal_turns import can_turn, is_sure, must_turn, possible_turns
from engine.game.rulings import Combat, GameOver, Reason
from engine.rules import movement
from engine.rules.editions import Edition, MovedBombPenalty
from engine.rules.movement import find_infiltration_fault
from engine.rules.repetition import (
    NO_CHASE,
    TRACES,
    Chase,
    Past,
    Run,
    Traces,
    exhausted_trace,
    plies_since_repeat,
    reading_of_run,
    recent_moves,
    recent_positions,
    squares_of,
)
from engine.rules.rules import Interpretation, Violation, ViolationKind

_RED: Final = Side.RED


class Touching(NamedTuple):
    """With touch-move: a piece that the side to move has touched in this turn."""

    square: Square
    carried: bool = False
    """Whether the piece was carried beyond the squares adjacent to its own."""
    excused: bool = False
    """Whether the owner has claimed in private that the piece cannot move. Never recorded."""


class Position:
    """The pieces, the proved facts, and the side to move.

    ``print(position)`` draws the board. Two positions are equal if they allow the same
    continuations: if their pieces, squares, facts, counters and sides to move are the same.
    """

    __slots__ = (
        "edition",
        "end_cache",
        "enemy",
        "enemy_chase",
        "enemy_player",
        "enemy_run",
        "last_combat",
        "last_other_ply",
        "own",
        "own_chase",
        "own_player",
        "own_run",
        "past",
        "pieces",
        "plies",
        "to_move",
        "touched",
        "traces",
    )

    edition: Edition
    traces: Traces
    """Traces of all moves under the edition's form of the two-squares rule."""
    pieces: Pieces
    """Pieces by square."""
    own: SquareSet
    """Squares of the side to move."""
    enemy: SquareSet
    """Squares of the opponent."""
    to_move: Side
    plies: int
    """Number of completed turns. Adopting the board as it stands counts as one turn."""
    own_player: PlayerState
    """Known facts about the army of the side to move."""
    own_run: Run | None
    """Latest moves of the side to move, or None before its first move."""
    own_chase: Chase
    """Current chase by the side to move."""
    enemy_player: PlayerState
    """Known facts about the opponent's army."""
    enemy_run: Run | None
    """Latest moves of the opponent, or None before its first move."""
    enemy_chase: Chase
    """Current chase by the opponent."""
    past: Past | None
    """Positions of the pieces since the current chases began."""
    last_combat: Combat | None
    """Combat in the latest ply, or None if that ply was not a combat."""
    last_other_ply: tuple[Square, Square] | None
    """Squares of the latest ply, or None if that ply is the first entry of `enemy_run`."""
    touched: Touching | None
    """With touch-move: the first touched piece, which its owner must move."""
    end_cache: GameOver | bool | None
    """Cached `outcome`, with one of four values.

    A `GameOver`: the game is over. False: the game continues. None: the side to move may be unable
    to move, and only the opponent knows whether the game is a draw. True: not computed yet.
    """

    def __init__(
        self, edition: Edition, board: Board, known: Mapping[Piece, Rank] | None = None
    ) -> None:
        """Create the initial position. `known` holds ranks known in advance, as in a record.

        Does not check that the armies are complete. An empty board means that the setup is pending.
        """
        self.edition, self.traces = edition, TRACES[edition.recurrence]
        self.pieces, self.own, self.enemy = board.pieces, board.red, board.blue
        self.to_move, self.plies = _RED, 0
        self.own_player, self.enemy_player = (
            PlayerState(RankDeduction(edition.army_of(side), board.standing(side), known or {}))
            for side in Side
        )
        self.own_run = self.enemy_run = self.last_combat = self.last_other_ply = None
        self.own_chase = self.enemy_chase = NO_CHASE
        self.past = self.touched = None
        self.end_cache = True

    # -- pieces and players

    @property
    def board(self) -> Board:
        if self.to_move is _RED:
            return Board.of_parts(self.pieces, self.own, self.enemy)
        return Board.of_parts(self.pieces, self.enemy, self.own)

    def squares(self, side: Side) -> SquareSet:
        return self.own if side is self.to_move else self.enemy

    def find(self, piece: Piece) -> Square | None:
        """Return the square of a piece, or None if the piece has been captured."""
        square = self.pieces.find(piece)
        return None if square < 0 else square

    def player(self, side: Side) -> PlayerState:
        return self.own_player if side is self.to_move else self.enemy_player

    def unshown(self, side: Side) -> int:
        """Return the number of a side's pieces that left the board without a known rank."""
        player, standing = self.player(side), self.squares(side).bit_count()
        return len(player.deduction.individual) - standing - sum(player.captured.values())

    @property
    def last_move(self) -> tuple[Square, Square] | None:
        return self.last_other_ply or self.last_turn(self.to_move.other)

    def last_turn(self, side: Side) -> tuple[Square, Square] | None:
        """Return a side's latest move or attack, or None if its latest ply was something else."""
        run = self.run(side)
        return (run[1], run[2]) if run else None

    def run(self, side: Side) -> Run | None:
        return self.own_run if side is self.to_move else self.enemy_run

    def chase(self, side: Side) -> Chase:
        return self.own_chase if side is self.to_move else self.enemy_chase

    @property
    def outcome(self) -> GameOver | None:
        """Outcome of the game, or None while the game continues.

        Whether the side to move has a legal move is computed only on demand.
        """
        end = self.end_cache
        if end is True:
            end = self.end_cache = self._find_end()
        return end if isinstance(end, GameOver) else None

    @property
    def stuck(self) -> Side | None:
        """The side that cannot move, if public facts leave open whether its opponent can move.

        None if no side is known to be stuck, or if the game is over. If the opponent cannot move
        either, the game is a draw.
        """
        if self.outcome or self.end_cache is not None:
            return None
        return self.to_move.other if self.can_move(self.to_move) else self.to_move

    def _find_end(self) -> GameOver | bool | None:
        if not self.own or self.can_move(self.to_move):
            return False
        other = self.to_move.other
        if self.can_move(other) and not self.must_be_able_to_move(other):
            return None
        return legal_turns.end_without_move(self, proved=True)

    def deduction_at(self, square: Square) -> tuple[RankDeduction, Piece]:
        """Return the deductions and the piece on a square. Raises NotationError if it is empty."""
        if not (self.own | self.enemy) & ONLY[square]:
            raise NotationError("the square of a piece", name(square))
        player = self.own_player if self.own & ONLY[square] else self.enemy_player
        return player.deduction, self.pieces[square]

    def ranks_at(self, square: AnySquare) -> RankSet:
        """Return a piece's possible ranks. Raises NotationError if the square is empty."""
        deduction, piece = self.deduction_at(to_square(square))
        return deduction.possible(piece)

    # -- legality

    def find_violation(self, source: AnySquare, target: AnySquare) -> Violation | None:
        """Return the violation committed by a move or attack, or None if the turn is legal.

        A move onto an opposing piece is an attack. Even if the side to move has lost because it has
        no legal move, the violation says why this move is illegal.
        """
        if not (isinstance(source, int) and isinstance(target, int)):
            return self.find_violation(to_square(source), to_square(target))
        own, enemy = self.own, self.enemy
        if not own & ONLY[source]:
            fault = movement.find_owner_fault(own, enemy, source)
            assert fault
            return self._over(source, target) or self.violation(fault, source, target)
        piece, deduction = self.pieces[source], self.own_player.deduction
        ranks = deduction.individual[piece]
        if ranks & ranks - 1:  # the facts about this piece alone allow several ranks
            ranks = deduction.possible(piece)
        fault = movement.find_fault(own, enemy, source, target, ranks)
        if fault:
            reading = self._reading(fault, source, target)
            found = self.violation(fault, source, target, reading=reading)
            return self._over(source, target) or found
        if self.touched and source != self.touched.square and self.obliged is not None:
            violation = self.violation(ViolationKind.TOUCHED_ANOTHER, self.obliged)
            return self._over(source, target) or violation
        run, (_plies, evaders) = self.own_run, self.own_chase
        if evaders or (
            # The two-squares rule forbids only turns whose trace overlaps that of the latest turn.
            run and run[0] == piece and self.traces[source][target] & self.traces[run[1]][run[2]]
        ):
            repetition = self.find_repetition(self.to_move, piece, source, target)
            if repetition:
                return self._over(source, target) or repetition
        # A side with a legal move is not stuck, so the end of the game need not be computed.
        return None if isinstance(self.end_cache, bool) else self._over(source, target, legal=True)

    def _over(self, source: Square, target: Square, *, legal: bool = False) -> Violation | None:
        """Return a violation if the game is over. Unless `legal`, ignore a lack of legal moves."""
        over = self.outcome
        if over and (legal or over.reason is not Reason.NO_LEGAL_MOVE):
            return self.violation(ViolationKind.GAME_IS_OVER, source, target)
        return None

    def find_repetition(
        self, side: Side, piece: Piece, source: Square, target: Square
    ) -> Violation | None:
        """Return the violation if an otherwise legal turn breaks a repetition rule, or None."""
        if side is self.to_move:
            run, chase, enemy = self.own_run, self.own_chase, self.enemy
        else:
            run, chase, enemy = self.enemy_run, self.enemy_chase, self.own
        if run and run[0] == piece:
            limit = self.edition.two_squares_limit
            worn = exhausted_trace(run, limit, source, target, self.traces)
            if worn:
                attacks = bool(enemy & ONLY[target])
                reading = reading_of_run(self.edition, run, source, target, attacks=attacks)
                fault = ViolationKind.TO_AND_FRO
                return self.violation(fault, *squares_of(worn), count=limit, reading=reading)
        _plies, evaders = chase
        if evaders and run and not enemy & ONLY[target]:
            _piece, last_source, last_target, _is_attack, _earlier = run
            if (last_source, last_target) == (target, source):
                return None
            ago = plies_since_repeat(self.pieces, chase, self.past, source, target)
            if ago:
                running = Interpretation.RUNNING_CHASE in self.edition.readings
                reading = Interpretation.RUNNING_CHASE if running else None
                return self.violation(
                    ViolationKind.CHASE_REPEATS, source, target, count=ago, reading=reading
                )
        return None

    def find_infiltration_violation(self, source: AnySquare, target: AnySquare) -> Violation | None:
        """Return the violation committed by an infiltration, or None if it is legal."""
        source, target = to_square(source), to_square(target)
        fault = movement.find_owner_fault(self.own, self.enemy, source)
        if fault is None:
            ranks = self.own_player.deduction.possible(self.pieces[source])
            fault = find_infiltration_fault(self.enemy, self.to_move, source, target, ranks)
        if fault is None and (obliged := self.obliged) is not None and obliged != source:
            return self.violation(ViolationKind.TOUCHED_ANOTHER, obliged)
        return self.violation(fault, source, target) if fault else None

    def violation(
        self,
        fault: ViolationKind,
        *squares: Square,
        count: int = 0,
        reading: Interpretation | None = None,
    ) -> Violation:
        citation = self.edition.cite(fault.rule, reading or fault.reading)
        side = self.to_move if fault is ViolationKind.NOT_YOUR_PIECE else None
        return Violation(fault, set_of(squares), citation, count, side)

    def _reading(
        self, fault: ViolationKind, source: Square, target: Square
    ) -> Interpretation | None:
        """Return the interpretation that makes a move illegal, if any."""
        if fault is ViolationKind.NOT_STRAIGHT and self.enemy & ONLY[target]:
            return Interpretation.STRAIGHT_STRIKE if self.ranks_at(source) & SCOUTS else None
        loses = (
            fault is ViolationKind.IMMOBILE and self.edition.moved_bomb is MovedBombPenalty.LOSES
        )
        if loses and not movement.could_go(self.own, self.enemy, source, target):
            return Interpretation.KNOCKED_BOMB
        return None

    def can_stand(self, source: Square, target: Square) -> bool:
        """Whether an arbiter could allow a move or attack by either side.

        The arbiter cannot allow a turn that is physically impossible, or an attack by a bomb or
        flag.
        """
        moving = self.own if self.own & ONLY[source] else self.enemy
        met = (self.own | self.enemy) & ONLY[target]
        if not moving & ONLY[source] or moving & met or LAKES & ONLY[target]:
            return False
        return not met or bool(self.ranks_at(source) & MOVABLE)

    # -- legal turns

    def legal_moves(self) -> list[Turn]:
        """List the turns of the side to move that no public fact rules out.

        Infiltrations come last, one for each rank that the target can have.
        """
        is_over = self.end_cache is not False and self.outcome  # check the cache first, for speed
        return [] if is_over else legal_turns.legal_turns(self)

    def can_move(self, side: Side) -> bool:
        """Whether a side has a legal turn. False only if public facts prove that it has none."""
        if self._can_move_on(side) or self._can_another_move(side):
            return True
        return any(True for _ in possible_turns(self, side))

    def must_be_able_to_move(self, side: Side) -> bool:
        """Whether public facts prove that a side has a legal turn."""
        return any(is_sure(self, side, *turn) for turn in possible_turns(self, side))

    def _can_move_on(self, side: Side) -> bool:
        """Whether the piece that a side moved last can take a step that cannot be a repetition.

        This test alone decides `can_move` in nearly every position of a game.
        """
        # This runs after every ply, so for speed it calls no other method.
        if side is self.to_move:
            own, player, run, chase = self.own, self.own_player, self.own_run, self.own_chase
        else:
            own, player = self.enemy, self.enemy_player
            run, chase = self.enemy_run, self.enemy_chase
        if run is None or chase[1] or self.pieces[run[2]] != run[0]:
            return False
        # The two-squares rule may forbid moving back, so the squares on the way back are excluded.
        onward = movement.ONWARD[run[1]][run[2]] & ~own
        return bool(onward) and player.deduction.may_move(run[0])

    def _can_another_move(self, side: Side) -> bool:
        """Whether a side can move any piece by one square, except the piece that it moved last.

        No rule can forbid such a move, unless the side is chasing a piece and the move ends beside
        an enemy piece.
        """
        run, pieces, deduction = self.run(side), self.pieces, self.player(side).deduction
        latest, own = run[0] if run else NO_PIECE, self.squares(side)
        free = movement.LAND & ~own
        if self.chase(side)[1]:
            free &= ~movement.beside_any(self.squares(side.other))
        left = own & movement.beside_any(free)
        while left:
            piece = pieces[left.bit_length() - 1]
            if piece != latest and deduction.may_move(piece):
                return True
            left ^= ONLY[left.bit_length() - 1]
        return False

    @property
    def obliged(self) -> Square | None:
        """With touch-move: the square of the piece that must move, or None.

        Merely lifting a piece that may be immobile creates no obligation. Otherwise, a player who
        looked at a bomb would block the game. Carrying the piece off creates an obligation, until
        the owner claims that the piece cannot move.
        """
        touched = self.touched
        if touched is None:
            return None
        if must_turn(self, touched.square):
            return touched.square
        binds = touched.carried and not touched.excused and can_turn(self, touched.square)
        return touched.square if binds else None

    @property
    def excusable(self) -> Square | None:
        """Square of the touched piece, if its owner may claim that the piece cannot move.

        This value is public, so it stays the same even after the owner has made the private claim.
        """
        touched = self.touched
        if touched is None or not touched.carried or must_turn(self, touched.square):
            return None
        return touched.square if can_turn(self, touched.square) else None

    # -- equality and printing

    @classmethod
    def from_text(cls, text: str) -> "Position":
        """Return the position described by text from `to_text`.

        Raises NotationError if the text is invalid. The position starts at ply 0 and has no secrets
        of silent defence.
        """
        from engine.game import position_reader  # noqa: PLC0415 (it imports this module)

        return position_reader.read(text)

    def to_text(self) -> str:
        """Return the position as a single line of text (docs/positions.md).

        Equal positions have equal text. Raises NotationError if the edition is not a published one
        or an army is incomplete.
        """
        from engine.game import position_text  # noqa: PLC0415 (it imports this module)

        return position_text.write(self)

    def _key(self) -> tuple[object, ...]:
        limit = self.edition.two_squares_limit
        return (
            self.pieces,
            self.own,
            self.to_move,
            self.own_player,
            self.enemy_player,
            self.own_run and self.own_run[0],
            recent_moves(self.own_run, limit),
            self.enemy_run and self.enemy_run[0],
            recent_moves(self.enemy_run, limit),
            self.own_chase,
            self.enemy_chase,
            recent_positions(self.past, max(self.own_chase[0], self.enemy_chase[0])),
            self.edition,
            self.touched and self.touched[:2],  # excuses are not recorded
            self.outcome,
        )

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, Position) else NotImplemented

    def __hash__(self) -> int:
        return hash((bytes(self.pieces), self.to_move is _RED))

    def __str__(self) -> str:
        """Draw the board with the ranks that are proved, and a ``?`` for all other pieces.

        Do not show the proved ranks to players: a proof may use facts that players have to
        remember.
        """
        board = self.board

        def token(square: Square) -> str | None:
            side = board.side_at(square)
            if side is None:
                return None
            rank = only_rank(self.ranks_at(square))
            return side.value[0] + (rank.symbol if rank is not None else "?")

        return board_text.draw(token)

    def __repr__(self) -> str:
        try:
            return f"Position.from_text({self.to_text()!r})"
        except NotationError:  # not a published edition, or an incomplete army
            return f"<Position after {self.plies} plies, {self.to_move.value} to move>"
