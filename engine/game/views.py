"""Views of a game: the public view and each player's own view.

Screens, the terminal and the lamps display views, which contain no secret values. ``print(view)``
draws the board with all visible ranks, and ``?`` for hidden ones. Captured pieces are public. Ranks
that an attack has revealed disappear with the next action. They stay hidden even if a take-back
makes that attack the latest turn again.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from engine.board import board_text
from engine.board.board import Board, Piece
from engine.board.geometry import BESIDE, Side, Square, SquareSet, name, set_of, squares_in
from engine.board.ranks import Rank, RankSet
from engine.board.visibility import Private, Public
from engine.game.game_state import PendingAttack, PendingGuess, Phase
from engine.game.referee import Referee
from engine.game.rulings import Combat, GameOver, Infiltrated, Reason
from engine.rules.editions import Edition
from engine.rules.movement import CombatResult, targets

_COLOURS: Final = {Side.RED: "r", Side.BLUE: "b"}
_NAMES: Final = {Side.RED: "Red", Side.BLUE: "Blue"}


@dataclass(frozen=True)
class PublicView(Public):
    """Public state: pieces, side to move, pending decision and captured pieces."""

    edition: Edition
    board: Board
    phase: Phase
    to_move: Side
    plies: int
    last_move: tuple[Square, Square] | None
    opened: tuple[Square, Square] | None
    """Source and target of the pending attack or guess."""
    guess: Rank | None
    """Rank guessed in a pending infiltration."""
    awaited: tuple[Side, ...]
    """Sides that have to declare a rank in the open attack, attacker first."""
    revealed: Combat | Infiltrated | None
    """Combat or infiltration that the latest action completed."""
    captured: Mapping[Side, tuple[Rank, ...]]
    """Captured pieces of each side, highest rank first."""
    unshown: Mapping[Side, int]
    """Number of pieces of each side that left the board by agreement without their ranks
    being revealed."""
    may_strike: Mapping[Square, SquareSet]
    """Square of the piece that was just set down, and the targets that it may still attack."""
    infiltrations: Mapping[tuple[Square, Square], RankSet]
    """Possible infiltrations by the side to move, with the ranks that each target can have."""
    outcome: GameOver | None
    stuck: Side | None = None
    """Side that cannot move, as long as the opponent must say that it cannot move either, or prove
    that it can. Otherwise None."""
    sealed: frozenset[Side] = frozenset()
    """Sides whose commitments are in force."""
    is_as_sealed: bool | None = None
    """In a dispute: whether the commitment confirms the declaration. None without a commitment."""
    excusable: Square | None = None
    """With touch-move: square of the piece that was carried off, if the owner may claim in private
    that this piece cannot move. The claim itself is not visible."""
    proved: Mapping[Side, Mapping[Piece, Rank]] = field(default_factory=dict)
    """Setups of the armies whose commitments were all opened after the game."""
    open_ranks: Mapping[Square, Rank] = field(default_factory=dict)
    """With an open army: the ranks in this army that the referee has seen."""

    def __str__(self) -> str:
        return _draw("everybody", self, self.open_ranks)


@dataclass(frozen=True)
class PlayerView(Private):
    """A player's view: the public view and the ranks of that player's pieces."""

    public: PublicView
    ranks: Mapping[Square, Rank]
    """Known ranks of the player's pieces, by current square."""

    def __str__(self) -> str:
        return _draw(_NAMES[self.owner], self.public, {**self.public.open_ranks, **self.ranks})


def public_view(referee: Referee) -> PublicView:
    position, opened = referee.position, referee.open_attack or referee.open_guess
    return PublicView(
        edition=position.edition,
        board=position.board,
        phase=referee.phase,
        to_move=position.to_move,
        plies=position.plies,
        last_move=position.last_move,
        opened=(opened.source, opened.target) if opened else None,
        guess=opened.guess if isinstance(opened, PendingGuess) else None,
        awaited=opened.awaited if isinstance(opened, PendingAttack) else (),
        revealed=next((r for r in referee.ruled if isinstance(r, Combat | Infiltrated)), None),
        captured={side: _fallen(referee, side) for side in Side},
        unshown={side: position.unshown(side) for side in Side},
        may_strike=_may_strike(referee),
        infiltrations=_infiltrations(referee),
        outcome=position.outcome,
        stuck=referee.stalemate.stuck if referee.stalemate else None,
        sealed=frozenset(side for side in Side if position.player(side).commitment),
        is_as_sealed=opened.is_as_sealed if isinstance(opened, PendingAttack) else None,
        excusable=position.excusable if referee.phase is Phase.PLAY else None,
        proved={s: proved for s in Side if (proved := position.player(s).proved) is not None},
        open_ranks=_open_ranks(referee),
    )


def player_view(referee: Referee, side: Side, own_ranks: Mapping[Piece, Rank]) -> PlayerView:
    """Return a player's view. `own_ranks` are the known ranks of the player's own pieces."""
    own = referee.position.board.standing(side)
    ranks = {square: own_ranks[piece] for piece, square in own.items() if piece in own_ranks}
    return PlayerView(side, public_view(referee), ranks)


def _fallen(referee: Referee, side: Side) -> tuple[Rank, ...]:
    captured = referee.position.player(side).captured
    return tuple(rank for rank in sorted(captured, reverse=True) for _ in range(captured[rank]))


def _may_strike(referee: Referee) -> Mapping[Square, SquareSet]:
    """Return the square of the piece that was just set down, and the targets it may attack."""
    position = referee.position
    if referee.phase is not Phase.PLAY or position.last_move is None:
        return {}
    square = position.last_move[1]
    enemies = BESIDE[square] & position.board.of(position.to_move)
    found = set_of(t for t in squares_in(enemies) if referee.can_strike_on(square, t))
    return {square: found} if found else {}


def _infiltrations(referee: Referee) -> Mapping[tuple[Square, Square], RankSet]:
    position = referee.position
    army, side = position.edition.army, position.to_move
    if referee.phase is not Phase.PLAY or not army.counts[Rank.INFILTRATOR]:
        return {}
    return {
        (source, target): position.ranks_at(target)
        for source in squares_in(position.own)
        for target in targets(position.enemy, side, source)
        if position.find_infiltration_violation(source, target) is None
    }


def _open_ranks(referee: Referee) -> Mapping[Square, Rank]:
    side, seen = referee.position.edition.open_side, referee.ranks_seen
    if side is None or not seen:
        return {}
    standing = referee.position.board.standing(side)
    return {square: seen[piece] for piece, square in standing.items() if piece in seen}


def _draw(viewer: str, view: PublicView, ranks: Mapping[Square, Rank]) -> str:
    tokens = {
        square: _COLOURS[side] + (ranks[square].symbol if square in ranks else "?")
        for side in Side
        for square in squares_in(view.board.of(side))
    }
    return "\n".join(
        [
            f"what {viewer} sees",
            board_text.draw(tokens.get),
            f"last: {_format_last_turn(view)}",
            _format_next(view),
            *(f"{_NAMES[side]} lost: {_format_lost(view, side)}" for side in Side),
        ]
    )


def _format_lost(view: PublicView, side: Side) -> str:
    symbols = [*(rank.symbol for rank in view.captured[side]), *["?"] * view.unshown[side]]
    return " ".join(symbols) or "-"


def _format_next(view: PublicView) -> str:
    if view.outcome:
        return f"over: {_format_end(view.outcome)}"
    pending = "" if view.phase is Phase.PLAY else f" ({view.phase.value})"
    return f"next: {_NAMES[view.to_move]}{pending}"


def _format_last_turn(view: PublicView) -> str:
    match view.revealed:
        case Combat() as combat:
            return _format_combat(combat)
        case Infiltrated() as infiltration:
            return _format_infiltration(infiltration)
        case _:
            return "-".join(map(name, view.last_move or ())) or "-"


def _format_end(over: GameOver) -> str:
    if over.winner:
        return f"{_NAMES[over.winner]} wins"
    return "both have lost" if over.reason is Reason.FORFEIT else "draw"


_VERBS: Final = {
    CombatResult.ATTACKER_WINS: "takes",
    CombatResult.DEFENDER_WINS: "falls to",
    CombatResult.BOTH_FALL: "falls with",
}


def _format_combat(combat: Combat) -> str:
    squares = f"{name(combat.source)}x{name(combat.target)}"
    defender = "?" if combat.defender is None else combat.defender.symbol
    cry = ". Boom!" if combat.boom else ""
    return f"{squares}: {combat.attacker.symbol} {_VERBS[combat.result]} {defender}{cry}"


def _format_infiltration(guess: Infiltrated) -> str:
    answer = "right" if guess.right else "wrong"
    return f"{name(guess.source)} says {name(guess.target)} is {guess.guess.symbol}: {answer}"
