"""How a position goes on: a move, a combat, an infiltration, and what ends the game with it.

All here trust that the turn is allowed; that is for the referee to see to before. "Irregular" are
turns that an arbiter lets stand: they tell nothing about the piece.
"""

from typing import Final

from engine.legality.board import Board
from engine.legality.more_squares import NEW_CHASE, NO_CHASE, continued
from engine.legality.movement import is_long_move
from engine.legality.two_squares import NO_STREAK, extended
from engine.play.endings import find_end
from engine.play.player import Player
from engine.play.position import Position
from engine.play.rulings import Combat, GameOver
from engine.ranks import Rank, sole
from engine.rulebook import combat
from engine.rulebook.combat import Result
from engine.rulebook.rules import Reading
from engine.secrecy import Secret
from engine.sides import Side
from engine.squares import BESIDE, BETWEEN, Square

_RED: Final = Side.RED
_new: Final = object.__new__


def play(position: Position, source: Square, target: Square) -> Position:
    """Make a move or attack. Both ranks of an attack are proved, as in a game from a record."""
    if position.board.of(position.to_move.other) >> target & 1:
        attacker, defender = (sole(position.ranks_at(square)) for square in (source, target))
        assert attacker is not None
        assert defender is not None
        return fight(position, source, target, attacker, defender)
    return move(position, source, target)


def move(position: Position, source: Square, target: Square, *, regular: bool = True) -> Position:
    """Carry a piece of the side to move to an empty square."""
    own, other = position.mover, position.waiter
    before, side = position.board, position.to_move
    board = before.shifted(source, target)
    piece = board.pieces[target]
    dossier = own.dossier
    if regular and not (dossier.moved >> piece & 1 and BESIDE[source] >> target & 1):
        long_move = is_long_move(source, target)
        dossier = dossier.after_move(piece, long_move=long_move, ply=position.plies + 1)
    trace = position.traces[source][target]
    limit = position.edition.two_squares_limit
    streak = extended(own.streak, limit, piece, trace, attack=False) if trace else NO_STREAK
    chase, met = own.chase, other.chase
    past = position.past
    if position.edition.more_squares:
        evades = _leaves_a_threat(position, source)
        chase, met = continued(board, side, chase, met, target, evades=evades)
        lasting = max(chase.plies, met.plies)
        past = (*past, board.pieces)[-lasting:] if lasting else ()
        if met is not other.chase:
            other = other.chasing(met)
    after = _next(position, board, own.having(dossier, streak, chase, (source, target)), other)
    after.past, after.last_move = past, (source, target)
    after.outcome = find_end(after)
    return after


def fight(
    position: Position,
    source: Square,
    target: Square,
    attacker: Rank,
    defender: Rank,
    *,
    regular: bool = True,
    conceded: frozenset[Side] = frozenset(),
) -> Position:
    """Resolve an attack of the side to move, whose ranks are known.

    `conceded` are the sides whose rank counts whatever was proved, as an arbiter has said.
    """
    edition, side = position.edition, position.to_move
    result = combat.resolve(attacker, defender, aggressor_advantage=edition.aggressor_advantage)
    own = _with_attacker(position, source, target, attacker, regular, conceded)
    other, named = _with_defender(position, target, attacker, defender, result, conceded)
    board = position.board
    if result is not Result.DEFENDER_WINS:
        board = board.without(target)
        other = other.losing(defender)
    survives = result is Result.ATTACKER_WINS
    if survives:
        board = board.shifted(source, target)
    else:
        board = board.without(source)
        own = own.losing(attacker)
    threatens = survives and BESIDE[target] & board.of(side.other)
    own = own.chasing(NEW_CHASE if edition.more_squares and threatens else NO_CHASE)
    after = _next(position, board, own, other.chasing(NO_CHASE))
    after.past = (board.pieces,) if own.chase.plies else ()
    after.last_move = source, target
    after.last_combat = Combat(
        side, source, target, attacker, named, result, _reading(attacker, defender, position)
    )
    after.outcome = find_end(after, fallen=None if result is Result.DEFENDER_WINS else defender)
    return after


def infiltrate(
    position: Position, source: Square, target: Square, guess: Rank, *, right: bool
) -> Position:
    """Take the answer to a guess of the side to move. As nobody moves, it ends rows and chases."""
    ply = position.plies + 1
    piece, met = (position.board.piece_at(square) for square in (source, target))
    own, other = position.mover, position.waiter
    dossier = own.dossier.revealing(piece, Rank.INFILTRATOR, ply=ply)
    own = own.having(dossier, NO_STREAK, NO_CHASE, None)
    board = position.board
    if right:
        other = other.knowing(other.dossier.revealing(met, guess, ply=ply)).losing(guess)
        board = board.without(target)
    else:
        other = other.knowing(other.dossier.guessed_wrong(met, guess, ply=ply))
    after = _next(position, board, own, other.chasing(NO_CHASE))
    after.past, after.last_move = (), (source, target)
    after.outcome = find_end(after, fallen=guess if right else None)
    return after


def end(position: Position, outcome: GameOver) -> Position:
    """End the game as a player, the clock or the arbiter has said."""
    after = _again(position)
    after.outcome = outcome
    return after


def touch(position: Position, square: Square) -> Position:
    """With touch-move: note the piece that has to move."""
    after = _again(position)
    after.touched = square
    return after


def turn_to(position: Position, side: Side) -> Position:
    """Let a side be the one to move, as when it shows that it can."""
    after = _again(position)
    if side is not position.to_move:
        after.to_move, after.touched = side, None
        after.mover, after.waiter = position.waiter, position.mover
    return after


def set_right(
    position: Position, side: Side, player: Player, board: Board | None = None
) -> Position:
    """Take another player, and perhaps other pieces on the squares, in place of what was known."""
    after = _again(position)
    after.board = board or position.board
    if side is position.to_move:
        after.mover = player
    else:
        after.waiter = player
    after.outcome = find_end(after)
    return after


# -- parts


def _next(position: Position, board: Board, own: Player, other: Player) -> Position:
    """Return the position with the turn passed on; what the turn was is still to be filled in."""
    after = _new(Position)
    after.edition, after.traces, after.board = position.edition, position.traces, board
    after.to_move, after.mover, after.waiter = position.to_move.other, other, own
    after.plies = position.plies + 1
    after.last_combat = after.touched = None
    return after


def _again(position: Position) -> Position:
    """Return another position that is the same, to be changed."""
    after = _new(Position)
    for name in Position.__slots__:
        setattr(after, name, getattr(position, name))
    return after


def _leaves_a_threat(position: Position, source: Square) -> bool:
    """Whether a piece leaves a square next to the one that the opponent moved last.

    That one has to stand there still: one that fell threatens nobody.
    """
    last = position.waiter.last
    if last is None:
        return False
    opposing = position.board.of(position.to_move.other)
    return bool(BESIDE[source] >> last[1] & opposing >> last[1] & 1)


def _with_attacker(
    position: Position,
    source: Square,
    target: Square,
    rank: Rank,
    regular: bool,
    conceded: frozenset[Side],
) -> Player:
    """Keep the books of the attacker, who is named in any case."""
    own, ply = position.mover, position.plies + 1
    piece, dossier = position.board.piece_at(source), own.dossier
    if regular:
        dossier = dossier.after_move(piece, long_move=is_long_move(source, target), ply=ply)
    by_decision = position.to_move in conceded
    note = dossier.conceding if by_decision else dossier.revealing
    limit, trace = position.edition.two_squares_limit, position.traces[source][target]
    straight = BETWEEN[source][target] is not None
    streak = extended(own.streak, limit, piece, trace, attack=True) if straight else NO_STREAK
    return own.having(note(piece, rank, ply=ply), streak, own.chase, (source, target))


def _with_defender(
    position: Position,
    square: Square,
    attacker: Rank,
    rank: Rank,
    result: Result,
    conceded: frozenset[Side],
) -> tuple[Player, Rank | None]:
    """Note what everybody learns of the defender; return its rank as well if it is named."""
    other, edition, ply = position.waiter, position.edition, position.plies + 1
    piece, dossier = position.board.piece_at(square), other.dossier
    stays = result is Result.DEFENDER_WINS
    if not (edition.silent_defence and stays and attacker is not Rank.SCOUT):
        by_decision = position.to_move.other in conceded
        note = dossier.conceding if by_decision else dossier.revealing
        return other.knowing(note(piece, rank, ply=ply)), rank
    advantage = edition.aggressor_advantage
    winners = combat.defenders(attacker, result, aggressor_advantage=advantage)
    other = other.knowing(dossier.won_unnamed(piece, winners, attacker, ply=ply))
    return other.keeping({**other.unnamed, piece: Secret(position.to_move.other, rank)}), None


def _reading(attacker: Rank, defender: Rank, position: Position) -> Reading | None:
    """The reading of ours that has decided a combat, if one has."""
    reading = None
    if attacker is Rank.INFILTRATOR and defender is Rank.SPY:
        reading = Reading.SPY_AND_INFILTRATOR
    elif position.edition.silent_defence and attacker is not Rank.SCOUT:
        reading = Reading.SILENT_SURVIVOR
    return reading if reading in position.edition.readings else None
