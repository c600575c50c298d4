"""How a position goes on: a move, a combat, an infiltration, and what ends the game with it.

All here trust that the turn is allowed; that is for the referee to see to before. "Irregular" are
turns that an arbiter lets stand: they tell nothing about the piece.
"""

from typing import Final

from engine.legality.board import Board
from engine.legality.more_squares import NEW_CHASE, NO_CHASE
from engine.legality.movement import is_long_move
from engine.play.endings import find_end_by_loss
from engine.play.player import Player
from engine.play.position import Position
from engine.play.rulings import Combat, GameOver
from engine.ranks import Rank, sole
from engine.rulebook import combat
from engine.rulebook.combat import Result
from engine.rulebook.rules import Reading
from engine.secrecy import Secret
from engine.sides import Side
from engine.squares import BESIDE, NEIGHBOURS, ONLY, Square

_RED: Final = Side.RED
_new: Final = object.__new__


def play(position: Position, source: Square, target: Square) -> Position:
    """Make a move or attack. Both ranks of an attack are proved, as in a game from a record."""
    board = position.board
    if (board.blue if position.to_move is _RED else board.red) & ONLY[target]:
        attacker = sole(position.mover.dossier.possible(board.pieces[source]))
        defender = sole(position.waiter.dossier.possible(board.pieces[target]))
        assert attacker is not None
        assert defender is not None
        return fight(position, source, target, attacker, defender)
    return move(position, source, target)


def move(position: Position, source: Square, target: Square, *, regular: bool = True) -> Position:
    """Carry a piece of the side to move to an empty square."""
    before = position.board
    board = before.shifted(source, target)
    piece = board.pieces[target]
    after = _next(position, board)
    run, dossier = position.mover_run, position.mover.dossier
    after.waiter_run = piece, source, target, False, run if run and run[0] == piece else None
    if regular and not (piece in dossier.moved and target in NEIGHBOURS[source]):
        long_move = is_long_move(source, target)
        learnt = dossier.after_move(piece, long_move=long_move, ply=after.plies)
        after.waiter = position.mover.knowing(learnt)
    if position.edition.more_squares:
        threat = position.waiter_run
        # The piece that the opponent moved last must still stand: a fallen one threatens nobody.
        if threat and threat[2] in NEIGHBOURS[source] and before.pieces[threat[2]] == threat[0]:
            lasted, evaders = position.waiter_chase
            after.mover_chase = lasted + 1, evaders | ONLY[piece]
        if BESIDE[target] & (before.blue if position.to_move is _RED else before.red):
            lasted, evaders = position.mover_chase
            after.waiter_chase = lasted + 1, evaders
        chased, chasing = after.mover_chase[0], after.waiter_chase[0]
        if chased or chasing:
            goes_on = chased > 1 or chasing > 1
            after.past = board.pieces, position.past if goes_on else None
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
    edition, side, board = position.edition, position.to_move, position.board
    result = combat.resolve(attacker, defender, aggressor_advantage=edition.aggressor_advantage)
    own = _with_attacker(position, source, target, attacker, regular, conceded)
    other, named = _with_defender(position, target, attacker, defender, result, conceded)
    piece, run = board.piece_at(source), position.mover_run
    if result is Result.ATTACKER_WINS:
        board, other = board.captured(source, target), other.losing(defender)
    else:
        board, own = board.without(source), own.losing(attacker)
        if result is Result.BOTH_FALL:
            board, other = board.without(target), other.losing(defender)
    after = _next(position, board)
    after.waiter, after.mover = own, other
    after.waiter_run = piece, source, target, True, run if run and run[0] == piece else None
    stands = result is Result.ATTACKER_WINS
    if stands and edition.more_squares and BESIDE[target] & board.of(side.other):
        after.waiter_chase, after.past = NEW_CHASE, (board.pieces, None)
    reading = _reading(attacker, defender, position)
    after.last_combat = Combat(side, source, target, attacker, named, result, reading)
    fallen = None if result is Result.DEFENDER_WINS else defender
    after.ended = find_end_by_loss(after, fallen) or True
    return after


def infiltrate(
    position: Position, source: Square, target: Square, guess: Rank, *, right: bool
) -> Position:
    """Take the answer to a guess of the side to move. As nobody moves, it ends runs and chases."""
    board, ply = position.board, position.plies + 1
    piece, met = board.piece_at(source), board.piece_at(target)
    after = _next(position, board.without(target) if right else board)
    own, other = position.mover, position.waiter
    after.waiter = own.knowing(own.dossier.revealing(piece, Rank.INFILTRATOR, ply=ply))
    after.waiter_run, after.turned = None, (source, target)
    if right:
        after.mover = other.knowing(other.dossier.revealing(met, guess, ply=ply)).losing(guess)
        after.ended = find_end_by_loss(after, guess) or True
    else:
        after.mover = other.knowing(other.dossier.guessed_wrong(met, guess, ply=ply))
    return after


def end(position: Position, outcome: GameOver) -> Position:
    """End the game as a player, the clock or the arbiter has said."""
    after = _again(position)
    after.ended = outcome
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
        after.to_move, after.touched, after.ended = side, None, True
        after.mover, after.waiter = position.waiter, position.mover
        after.mover_run, after.waiter_run = position.waiter_run, position.mover_run
        after.mover_chase, after.waiter_chase = position.waiter_chase, position.mover_chase
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
    if not isinstance(position.ended, GameOver):
        after.ended = True
    return after


# -- parts


def _next(position: Position, board: Board) -> Position:
    """Pass the turn on. What the turn was, and what it taught, is still to be filled in."""
    after = _new(Position)
    after.edition, after.traces, after.board = position.edition, position.traces, board
    after.to_move, after.plies = position.to_move.other, position.plies + 1
    after.mover, after.waiter = position.waiter, position.mover
    after.mover_run = position.waiter_run
    after.mover_chase = after.waiter_chase = NO_CHASE
    after.ended = True
    after.past = after.last_combat = after.turned = after.touched = None
    return after


def _again(position: Position) -> Position:
    """Return another position that is the same, to be changed."""
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
) -> Player:
    """Keep the books of the attacker, who is named in any case."""
    own, ply = position.mover, position.plies + 1
    piece, dossier = position.board.piece_at(source), own.dossier
    if regular:
        dossier = dossier.after_move(piece, long_move=is_long_move(source, target), ply=ply)
    by_decision = position.to_move in conceded
    note = dossier.conceding if by_decision else dossier.revealing
    return own.knowing(note(piece, rank, ply=ply))


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
