"""The knowledge that the computer player may use: one side's view of a game and its history."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from engine.board.board import NO_PIECE, Piece, Pieces
from engine.board.geometry import NEIGHBOURS, Side, Square
from engine.board.ranks import MOVABLE, SCOUTS, Rank, RankSet, ranks_in
from engine.game.actions import AdoptBoard, Infiltrate, Turn
from engine.game.game_state import Game, InformationState, PendingGuess
from engine.game.position import Position
from engine.game.referee import Referee
from engine.rules.editions import Edition
from engine.rules.movement import CombatResult, defenders


class PastTurn(NamedTuple):
    """A turn that was not taken back, as both players saw it."""

    side: Side
    piece: Piece
    """The piece that moved, attacked or guessed."""
    source: Square
    target: Square
    met: Piece | None
    """The piece that was attacked or infiltrated, or None."""
    attacker: Rank | None
    """The attacker's rank if an attack revealed it."""
    defender: Rank | None
    """The defender's rank if an attack revealed it. Silent defence may keep it hidden."""
    result: CombatResult | None
    guess: Rank | None
    """The rank that an infiltrator guessed, or None."""
    is_right: bool
    before: Pieces
    """The piece on each square before the turn. Do not modify this mapping."""


@dataclass(frozen=True)
class Knowledge:
    """Everything that one side is allowed to know.

    Two games that differ only in the other army's hidden ranks give equal knowledge until one of
    these ranks is revealed.
    """

    state: InformationState
    pieces: Mapping[Square, Piece]
    """The piece on each occupied square. A piece is identified by its setup square."""
    history: tuple[PastTurn, ...]
    """All turns that have not been taken back, oldest first."""

    @property
    def side(self) -> Side:
        return self.state.side

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The side's legal turns.

        Empty if the other side is to move or if there is no legal turn.
        """
        return self.state.turns


def collect_knowledge(referee: Referee, side: Side, own_ranks: Mapping[Piece, Rank]) -> Knowledge:
    """Return the knowledge of a side. `own_ranks` holds its pieces' ranks, keyed by setup square.

    Possible ranks are derived from each piece's own turns, because `Belief` weighs the numbers of
    pieces. Only the ranks of an open army are taken from the referee.
    """
    placed = referee.position.pieces
    pieces = {square: piece for square, piece in enumerate(placed) if piece != NO_PIECE}
    history = tuple(_history(referee.game))
    edition = referee.edition
    proved = public_ranks(edition, history) | _open_ranks(referee)
    armies = {each: edition.army_of(each).ranks for each in Side}
    possible = {
        square: proved.get(piece, armies[side_of(piece)]) for square, piece in pieces.items()
    }
    state = referee.information_state(side, own_ranks)
    turns = tuple(_turns(state.turns, possible))
    return Knowledge(replace(state, possible=possible, turns=turns), pieces, history)


def _open_ranks(referee: Referee) -> dict[Piece, RankSet]:
    """Return the ranks of an army that a handicap has made public."""
    side = referee.edition.open_side
    seen = referee.ranks_seen.items() if side else ()
    return {piece: 1 << rank for piece, rank in seen if side_of(piece) is side}


def side_of(piece: Piece) -> Side:
    """Return the owner of a piece: the side in whose rows it was set up."""
    return Side.RED if Side.RED.home >> piece & 1 else Side.BLUE


def public_ranks(edition: Edition, history: Iterable[PastTurn]) -> dict[Piece, RankSet]:
    """Return the possible ranks of each piece whose own actions rule out some ranks.

    Conclusions drawn from the numbers of pieces per rank are not included.
    """
    armies = {each: edition.army_of(each).ranks for each in Side}
    found: dict[Piece, RankSet] = {}
    for turn in history:
        met, own, other = turn.met, armies[turn.side], armies[turn.side.other]
        if turn.guess is not None:
            found[turn.piece] = 1 << Rank.INFILTRATOR
            if met is not None and not turn.is_right:
                found[met] = found.get(met, other) & ~(1 << turn.guess)
            continue
        is_long = turn.target not in NEIGHBOURS[turn.source]
        found[turn.piece] = found.get(turn.piece, own) & (SCOUTS if is_long else MOVABLE)
        if turn.attacker is not None and turn.result is not None and met is not None:
            found[turn.piece] = 1 << turn.attacker
            beaten = defenders(
                turn.attacker, turn.result, aggressor_advantage=edition.aggressor_advantage
            )
            found[met] = found.get(met, other) & beaten
            if turn.defender is not None:
                found[met] = 1 << turn.defender
    return found


def _turns(turns: Iterable[Turn], possible: Mapping[Square, RankSet]) -> Iterator[Turn]:
    """Yield the turns. For an infiltration, yield one turn for each possible rank of its target."""
    seen: set[tuple[Square, Square]] = set()
    for turn in turns:
        if not isinstance(turn, Infiltrate):
            yield turn
        elif (turn.source, turn.target) not in seen:
            seen.add((turn.source, turn.target))
            for rank in ranks_in(possible[turn.target]):
                yield Infiltrate(turn.source, turn.target, rank)


def _history(game: Game) -> Iterator[PastTurn]:
    """Yield the turns of a game that have not been taken back."""
    before, guess = game.states[0].position, None
    for action, state in zip(game.in_force, game.states[1:], strict=True):
        after = state.position
        if isinstance(state.pending, PendingGuess):
            guess = state.pending.guess
        if after.plies == before.plies:
            before = after if not before.own else before
            continue
        if after.last_move is not None and not isinstance(action, AdoptBoard):
            yield _past_turn(before, after, *after.last_move, guess)
        before, guess = after, None


def _past_turn(
    before: Position, after: Position, source: Square, target: Square, guess: Rank | None
) -> PastTurn:
    met, combat = before.pieces[target], after.last_combat
    return PastTurn(
        side=Side.RED if before.board.red >> source & 1 else Side.BLUE,
        piece=before.pieces[source],
        source=source,
        target=target,
        met=None if met == NO_PIECE else met,
        attacker=combat.attacker if combat else None,
        defender=combat.defender if combat else None,
        result=combat.result if combat else None,
        guess=guess,
        is_right=guess is not None and after.pieces[target] == NO_PIECE,
        before=before.pieces,
    )
