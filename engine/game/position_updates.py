"""Computes the positions after moves, combats, infiltrations and the end of a game.

The referee has checked that the turn is allowed. "Irregular" turns were allowed by an arbiter and
prove nothing about the piece.
"""

from collections.abc import Iterable, Mapping
from typing import Final, Protocol

from engine.board.board import NO_PIECE, Piece
from engine.board.geometry import (
    BESIDE,
    NEIGHBOURS,
    ONLY,
    Side,
    Square,
    SquareSet,
    set_of,
    squares_in,
)
from engine.board.ranks import Rank, only_rank
from engine.board.visibility import Secret
from engine.deduction.possible_ranks import PlayerState
from engine.game.actions import Infiltrate, Relocation
from engine.game.legal_turns import draw_without_move, has_movable_piece
from engine.game.position import Position, Touching
from engine.game.rulings import Combat, GameOver, Reason
from engine.rules import movement
from engine.rules.movement import CombatResult, is_long_move
from engine.rules.repetition import NEW_CHASE, NO_CHASE
from engine.rules.rules import Citation, Interpretation, Rule

_new: Final = object.__new__


class _Turn(Protocol):
    @property
    def source(self) -> Square: ...

    @property
    def target(self) -> Square: ...


def after_turn(position: Position, turn: _Turn) -> Position:
    """Play a turn or a recorded move. In an attack or infiltration, both ranks must be proved."""
    source, target = turn.source, turn.target
    if position.enemy & ONLY[target]:
        if isinstance(turn, Infiltrate):
            right = position.ranks_at(target) == 1 << turn.guess
            return infiltrate(position, source, target, turn.guess, right=right)
        attacker = only_rank(position.own_player.deduction.possible(position.pieces[source]))
        defender = only_rank(position.enemy_player.deduction.possible(position.pieces[target]))
        assert attacker is not None
        assert defender is not None
        return after_combat(position, source, target, attacker, defender)
    return move(position, source, target)


def move(position: Position, source: Square, target: Square, *, regular: bool = True) -> Position:
    """Move a piece of the side to move to an empty square."""
    after = _next(position)
    pieces = bytearray(position.pieces)
    piece = pieces[target] = pieces[source]
    pieces[source] = NO_PIECE
    after.pieces = pieces
    after.own, after.enemy = position.enemy, position.own ^ ONLY[source] ^ ONLY[target]
    run, mover = position.own_run, position.own_player
    after.enemy_run = piece, source, target, False, run if run and run[0] == piece else None
    if regular and not (piece in mover.deduction.moved and target in NEIGHBOURS[source]):
        long_move = is_long_move(source, target)
        learnt = mover.deduction.after_move(piece, long_move=long_move, ply=after.plies)
        after.enemy_player = mover.with_deduction(learnt)
    if position.edition.more_squares:
        threat = position.enemy_run
        # If the piece that the opponent moved last has fallen, it no longer threatens anything.
        if threat and threat[2] in NEIGHBOURS[source] and pieces[threat[2]] == threat[0]:
            lasted, evaders = position.enemy_chase
            after.own_chase = lasted + 1, evaders | ONLY[piece]
        if BESIDE[target] & position.enemy:
            lasted, evaders = position.own_chase
            after.enemy_chase = lasted + 1, evaders
        if after.own_chase is not NO_CHASE or after.enemy_chase is not NO_CHASE:
            goes_on = after.own_chase[0] > 1 or after.enemy_chase[0] > 1
            after.past = pieces, position.past if goes_on else None
    return after


def after_combat(
    position: Position,
    source: Square,
    target: Square,
    attacker: Rank,
    defender: Rank,
    *,
    regular: bool = True,
    conceded: frozenset[Side] = frozenset(),
) -> Position:
    """Resolve an attack by the side to move. Both ranks are known.

    `conceded` contains the sides whose disputed rank was accepted. This rank overrides all proofs.
    """
    edition, side = position.edition, position.to_move
    result = movement.resolve(attacker, defender, aggressor_advantage=edition.aggressor_advantage)
    own = _with_attacker(position, source, target, attacker, regular, conceded)
    other, named = _with_defender(position, target, attacker, defender, result, conceded)
    piece, run = position.pieces[source], position.own_run
    after = _next(position)
    after.pieces = pieces = bytearray(position.pieces)
    pieces[source] = NO_PIECE
    after.own, after.enemy = position.enemy, position.own & ~ONLY[source]
    if result is not CombatResult.DEFENDER_WINS:
        pieces[target] = NO_PIECE
        after.own &= ~ONLY[target]
        other = other.with_loss(defender)
    if result is CombatResult.ATTACKER_WINS:
        pieces[target] = piece
        after.enemy |= ONLY[target]
        if edition.more_squares and BESIDE[target] & after.own:
            after.enemy_chase, after.past = NEW_CHASE, (pieces, None)
    else:
        own = own.with_loss(attacker)
    after.enemy_player, after.own_player = own, other
    after.enemy_run = piece, source, target, True, run if run and run[0] == piece else None
    reading = _reading(attacker, defender, position)
    after.last_combat = Combat(side, source, target, attacker, named, result, reading)
    fallen = None if result is CombatResult.DEFENDER_WINS else defender
    after.end_cache = find_end_by_loss(after, fallen)
    return after


def infiltrate(
    position: Position, source: Square, target: Square, guess: Rank, *, right: bool
) -> Position:
    """Apply the result of a guess by the side to move. No piece moves, so runs and chases end."""
    piece, met, ply = position.pieces[source], position.pieces[target], position.plies + 1
    own, other = position.own_player, position.enemy_player
    after = _next(position)
    after.own, after.enemy, after.pieces = position.enemy, position.own, position.pieces
    after.enemy_player = own.with_deduction(
        own.deduction.with_revealed(piece, Rank.INFILTRATOR, ply=ply)
    )
    after.enemy_run, after.last_other_ply = None, (source, target)
    if right:
        after.pieces = pieces = bytearray(position.pieces)
        pieces[target] = NO_PIECE
        after.own &= ~ONLY[target]
        after.own_player = other.with_deduction(
            other.deduction.with_revealed(met, guess, ply=ply)
        ).with_loss(guess)
        after.end_cache = find_end_by_loss(after, guess)
    else:
        after.own_player = other.with_deduction(
            other.deduction.after_wrong_guess(met, guess, ply=ply)
        )
    return after


def end(position: Position, outcome: GameOver) -> Position:
    """End the game by resignation, agreement, the clock or the arbiter."""
    after = _copy(position)
    after.end_cache = outcome
    return after


def touch(position: Position, touching: Touching | None) -> Position:
    """With touch-move: record the piece that must move. None cancels the obligation."""
    after = _copy(position)
    after.touched = touching
    return after


def turn_to(position: Position, side: Side) -> Position:
    """Make it a side's turn, for example because this side has to prove that it can move."""
    after = _copy(position)
    if side is not position.to_move:
        after.to_move, after.touched, after.end_cache = side, None, True
        after.last_other_ply = position.last_move
        after.own, after.enemy = position.enemy, position.own
        after.own_player, after.enemy_player = position.enemy_player, position.own_player
        after.own_run, after.enemy_run = position.enemy_run, position.own_run
        after.own_chase, after.enemy_chase = position.enemy_chase, position.own_chase
    return after


def with_player(position: Position, side: Side, player: PlayerState) -> Position:
    """Replace the known facts about one player."""
    after = _copy(position)
    if side is position.to_move:
        after.own_player = player
    else:
        after.enemy_player = player
    if not isinstance(position.end_cache, GameOver):
        after.end_cache = True
    return after


def with_seen(position: Position, ranks: Mapping[Piece, Rank]) -> Position:
    """Add the ranks that the referee can see from the start. Public ranks stay as they are."""
    for side in Side:
        player = position.player(side)
        deduction = player.deduction
        hidden = {piece: ranks[piece] for piece in ranks if not deduction.is_revealed(piece)}
        learnt = deduction.with_seen(hidden)
        if learnt is not deduction:
            position = with_player(position, side, player.with_deduction(learnt))
    return position


def as_public(position: Position, sides: Iterable[Side] = Side) -> Position:
    """Return the position without the facts that only the referee and one of these sides know.

    Without such facts, return the position itself.
    """
    for side in sides:
        player = position.player(side)
        if player.deduction.public is not player.deduction:
            position = with_player(position, side, player.with_deduction(player.deduction.public))
    return position


def exchange(position: Position, one: Square, other: Square) -> Position:
    """Swap two pieces of the same side."""
    after = _copy(position)
    after.pieces = pieces = bytearray(position.pieces)
    pieces[one], pieces[other] = position.pieces[other], position.pieces[one]
    after.end_cache = True
    return after


def accept(
    position: Position, shifted: Iterable[Relocation], removed: SquareSet, to_move: Side
) -> Position:
    """Relocate the pieces as the players have agreed.

    It is not known how the pieces moved. Nothing new is therefore proved about any piece, and the
    counters of the repetition rules restart.
    """
    after = _next(turn_to(position, to_move.other))
    after.own_player, after.enemy_player = (
        _without(position, side, removed) for side in (to_move, to_move.other)
    )
    after.own_run = after.enemy_run = None
    after.own, after.enemy = (
        _shifted(position.squares(side), shifted, removed) for side in (to_move, to_move.other)
    )
    after.pieces = pieces = bytearray(position.pieces)
    for square in (*squares_in(removed), *(shift.source for shift in shifted)):
        pieces[square] = NO_PIECE
    for shift in shifted:
        pieces[shift.target] = position.pieces[shift.source]
    after.end_cache = find_end_by_loss(after, None)
    return after


def find_end_by_loss(position: Position, fallen: Rank | None) -> GameOver | bool | None:
    """Return whether the loss of pieces has ended the game, as a value for `Position.end_cache`.

    A `GameOver`: the game is over. True: the loss has not ended the game. None: a side has lost its
    last movable piece, and public facts leave open whether its opponent can move. The game is not
    over until that is known.

    `fallen` is the rank of the piece that was attacked or infiltrated, or None if that piece was
    not captured. In `position`, the opponent is already to move.
    """
    if fallen is Rank.FLAG:
        return GameOver.by_rules(position.edition, position.to_move.other, Reason.FLAG_CAPTURED)
    spent = [
        side
        for side in (position.to_move, position.to_move.other)
        if not has_movable_piece(position, side)
    ]
    if len(spent) == len(Side):
        # The rulebooks do not cover this case.
        citation = Citation("", Rule.ENDING, reading=Interpretation.BOTH_SPENT)
        return GameOver(None, Reason.BOTH_IMMOBILE, citation)
    if not spent:
        return True
    left = spent[0].other
    if not position.can_move(left):
        return draw_without_move(position)
    if not position.must_be_able_to_move(left):
        return None
    return GameOver.by_rules(position.edition, left, Reason.NO_MOVABLE_PIECE)


def _shifted(squares: SquareSet, shifted: Iterable[Relocation], removed: SquareSet) -> SquareSet:
    """Return the new squares of a side's pieces, given their current squares."""
    own = [shift for shift in shifted if squares & ONLY[shift.source]]
    left = removed | set_of(shift.source for shift in own)
    return squares & ~left | set_of(shift.target for shift in own)


def _without(position: Position, side: Side, removed: SquareSet) -> PlayerState:
    """Count each removed piece of a side as captured if its rank is proved.

    Removed pieces lie face up beside the board, but the referee knows only the proved ranks.
    """
    player = position.player(side)
    for square in squares_in(removed & position.squares(side)):
        piece = position.pieces[square]
        rank = only_rank(player.deduction.possible(piece))
        if rank is not None:
            deduction = player.deduction.with_revealed(piece, rank, ply=position.plies + 1)
            player = player.with_deduction(deduction).with_loss(rank)
    return player


def _next(position: Position) -> Position:
    """Return a copy with the other side to move. The caller sets the new squares and facts."""
    after = _new(Position)
    after.edition, after.traces = position.edition, position.traces
    after.to_move, after.plies = position.to_move.other, position.plies + 1
    after.own_player, after.enemy_player = position.enemy_player, position.own_player
    after.own_run = position.enemy_run
    after.own_chase = after.enemy_chase = NO_CHASE
    after.end_cache = True
    after.past = after.last_combat = after.last_other_ply = after.touched = None
    return after


def _copy(position: Position) -> Position:
    after = _new(Position)
    for name in Position.__slots__:
        setattr(after, name, getattr(position, name))
    return after


def _with_attacker(
    position: Position,
    source: Square,
    target: Square,
    rank: Rank,
    regular: bool,
    conceded: frozenset[Side],
) -> PlayerState:
    """Update the facts about the attacker, whose rank is always revealed."""
    own, ply = position.own_player, position.plies + 1
    piece, deduction = position.pieces[source], own.deduction
    if regular:
        deduction = deduction.after_move(piece, long_move=is_long_move(source, target), ply=ply)
    by_decision = position.to_move in conceded
    note = deduction.with_conceded if by_decision else deduction.with_revealed
    return own.with_deduction(note(piece, rank, ply=ply))


def _with_defender(
    position: Position,
    square: Square,
    attacker: Rank,
    rank: Rank,
    result: CombatResult,
    conceded: frozenset[Side],
) -> tuple[PlayerState, Rank | None]:
    """Add the public facts about the defender. Also return its rank if it is revealed."""
    other, edition, ply = position.enemy_player, position.edition, position.plies + 1
    piece, deduction = position.pieces[square], other.deduction
    stays = result is CombatResult.DEFENDER_WINS
    by_decision = position.to_move.other in conceded
    if not (edition.silent_defence and stays and attacker is not Rank.SCOUT):
        note = deduction.with_conceded if by_decision else deduction.with_revealed
        return other.with_deduction(note(piece, rank, ply=ply)), rank
    advantage = edition.aggressor_advantage
    winners = movement.defenders(attacker, result, aggressor_advantage=advantage)
    deduction = deduction.after_unnamed_win(
        piece, winners, attacker, ply=ply, by_decision=by_decision
    )
    other = other.with_deduction(deduction)
    return other.with_hidden_declaration(piece, Secret(position.to_move.other, rank)), None


def _reading(attacker: Rank, defender: Rank, position: Position) -> Interpretation | None:
    """Return the interpretation that decided a combat, if any."""
    reading = None
    if attacker is Rank.INFILTRATOR and defender is Rank.SPY:
        reading = Interpretation.SPY_AND_INFILTRATOR
    elif attacker is defender is Rank.SPY and not position.edition.aggressor_advantage:
        reading = Interpretation.SPY_AND_SPY
    elif position.edition.silent_defence and attacker is not Rank.SCOUT:
        reading = Interpretation.SILENT_SURVIVOR
    return reading if reading in position.edition.readings else None
