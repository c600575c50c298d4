"""What a pair of eyes may see of a game at one moment: everybody's, or those of one player.

``print(view)`` is a picture of the board with what may be said about it. The opponent's ranks are a
``?`` and the fallen lie open for all. Ranks that an attack has shown are gone with the next action
and never come back (rules.md §10), though a take-back may make that attack the last turn once more.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from engine import picture
from engine.actions import (
    AnswerGuess,
    Declare,
    Infiltrate,
    OpenAttack,
    Override,
    SettleDispute,
)
from engine.board import Piece
from engine.combat import Result
from engine.position import Phase
from engine.ranks import Rank
from engine.referee import Referee
from engine.rulings import Combat, GameOver, Infiltrated
from engine.secrecy import Private, Public
from engine.sides import Side
from engine.squares import Square, SquareSet, name, squares_in

_COLOURS: Final = {Side.RED: "r", Side.BLUE: "b"}
_NAMES: Final = {Side.RED: "Red", Side.BLUE: "Blue"}
_REVEALS: Final = (Declare, OpenAttack, SettleDispute, Override)
"""The actions that can end an attack."""


@dataclass(frozen=True)
class PublicView(Public):
    """What everybody sees: who stands where, who is to move, and who has fallen."""

    standing: Mapping[Side, SquareSet]
    phase: Phase
    to_move: Side
    last_move: tuple[Square, Square] | None
    revealed: Combat | Infiltrated | None
    """The combat or infiltration that the latest action brought to its end."""
    captured: Mapping[Side, tuple[Rank, ...]]
    """The fallen pieces of each side, the highest ranks first."""
    outcome: GameOver | None

    def __str__(self) -> str:
        return _draw("everybody", self, {})


@dataclass(frozen=True)
class PlayerView(Private):
    """What one player sees: what everybody sees, and the own ranks."""

    public: PublicView
    ranks: Mapping[Square, Rank]
    """The ranks of the own pieces by where they stand, as far as the player knows them."""

    def __str__(self) -> str:
        return _draw(_NAMES[self.owner], self.public, self.ranks)


def public_view(referee: Referee) -> PublicView:
    """Return what everybody may see at this moment."""
    return PublicView(
        standing={side: referee.board.of(side) for side in Side},
        phase=referee.phase,
        to_move=referee.to_move,
        last_move=referee.last_move,
        revealed=_find_revealed(referee),
        captured={
            side: tuple(sorted(referee.captured[side].elements(), reverse=True)) for side in Side
        },
        outcome=referee.outcome,
    )


def player_view(referee: Referee, side: Side, own_ranks: Mapping[Piece, Rank]) -> PlayerView:
    """Return what a player may see, who knows these ranks of the own pieces."""
    own = {square: referee.board.piece_at(square) for square in squares_in(referee.board.of(side))}
    ranks = {square: own_ranks[piece] for square, piece in own.items() if piece in own_ranks}
    return PlayerView(side, public_view(referee), ranks)


def _find_revealed(referee: Referee) -> Combat | Infiltrated | None:
    if referee.phase not in (Phase.PLAY, Phase.OVER):
        return None
    match referee.actions[-2:]:
        case [Infiltrate() as tried, AnswerGuess()] | [*_, Infiltrate() as tried]:
            side, right = referee.to_move.other, referee.board.side_at(tried.target) is None
            return Infiltrated(side, tried.source, tried.target, tried.guess, right)
        case [*_, latest] if isinstance(latest, _REVEALS):
            return referee.last_combat
    return None


def _draw(eyes: str, view: PublicView, ranks: Mapping[Square, Rank]) -> str:
    """Draw what is public, and these ranks."""
    tokens = {
        square: _COLOURS[side] + (ranks[square].symbol if square in ranks else "?")
        for side in Side
        for square in squares_in(view.standing[side])
    }
    return "\n".join(
        [
            f"what {eyes} sees",
            picture.draw(tokens.get),
            f"last: {_tell_last_turn(view)}",
            _tell_next(view),
            *(f"{_NAMES[side]} lost: {_symbols(view.captured[side])}" for side in Side),
        ]
    )


def _symbols(ranks: tuple[Rank, ...]) -> str:
    return " ".join(rank.symbol for rank in ranks) or "-"


def _tell_next(view: PublicView) -> str:
    if view.outcome:
        return f"over: {_NAMES[view.outcome.winner]} wins" if view.outcome.winner else "over: draw"
    open_matter = "" if view.phase is Phase.PLAY else f" ({view.phase.value})"
    return f"next: {_NAMES[view.to_move]}{open_matter}"


def _tell_last_turn(view: PublicView) -> str:
    match view.revealed:
        case Combat() as fought:
            return _tell_combat(fought)
        case Infiltrated() as tried:
            return _tell_infiltration(tried)
        case _:
            return "-".join(map(name, view.last_move or ())) or "-"


_VERBS: Final = {
    Result.ATTACKER_WINS: "takes",
    Result.DEFENDER_WINS: "falls to",
    Result.BOTH_FALL: "falls with",
}


def _tell_combat(fought: Combat) -> str:
    way = f"{name(fought.source)}x{name(fought.target)}"
    defender = "?" if fought.defender is None else fought.defender.symbol
    cry = ". Boom!" if fought.boom else ""
    return f"{way}: {fought.attacker.symbol} {_VERBS[fought.result]} {defender}{cry}"


def _tell_infiltration(tried: Infiltrated) -> str:
    answer = "right" if tried.right else "wrong"
    return f"{name(tried.source)} says {name(tried.target)} is {tried.guess.symbol}: {answer}"
