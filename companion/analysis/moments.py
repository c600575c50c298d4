"""The most interesting moments of a finished game, and how well both players bluffed.

The statements about a moment are exact, but the choice of moments is a matter of judgement: an
attack weighs more if its result could be known in advance or if high ranks were at stake. The
weights were chosen after reading the stories that they produced for games from the Gravon archive.

A player bluffs well if the opponent must consider many ranks possible. The number of ranks that a
piece can have follows from the deduction, so the measure is exact:

    ranks(position) = sum of the possible ranks of all pieces of a side on the board / their number
    average         = mean of ranks(position) over the positions before each turn and at the end

If nothing is known about a side, the value is the number of ranks in its army, 12 in the classic
game. If everything is known, the value is 1. Only pieces on the board count, so the measure does
not depend on how many pieces are lost. docs/review.md explains the measure to players.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from companion.analysis import game_review
from engine.board.board import Piece
from engine.board.geometry import Side
from engine.board.ranks import MOVABLE, Rank, RankSet, only_rank, ranks_in
from engine.game.position import Position
from engine.game.rulings import Reason
from engine.rules.movement import CombatResult

Moment: TypeAlias = (
    game_review.AttackReview
    | game_review.GuessReview
    | game_review.MissedAttack
    | game_review.DeducedRank
)
MOMENTS: Final = 3
"""Number of moments in a story."""
_APART: Final = 4
"""Minimum number of plies between two moments of a story, so that they are not part of one
exchange."""
_ENDS: Final = (Reason.FLAG_CAPTURED, Reason.NO_MOVABLE_PIECE)
"""Outcomes that are the result of a capture."""
_STAKES: Final = {rank: int(rank) for rank in Rank} | {
    Rank.FLAG: 30,
    Rank.SPY: 5,
    Rank.MINER: 5,
    Rank.BOMB: 3,
    Rank.INFILTRATOR: 5,
}
"""Values of the pieces. The value is usually the piece's number, but the flag and pieces with a
special ability have a higher value, and bombs have a lower one. The values are a matter of
judgement."""

# Weights of the types of moments. They are added to the values of the pieces.
_KNOWN_LOSS: Final = 40
"""Weight of an attack on a piece that beats the attacker, if the attacking side could know the
piece's rank."""
_HOPELESS: Final = 24
"""Weight of an attack that could not succeed against any possible rank of the target."""
_MISSED: Final = 14
_TURNS: Final = 5
"""Number of turns after which the weight of a missed attack no longer grows."""
_DEDUCED: Final = 10
_CERTAIN: Final = 8
_RISKY: Final = 12
"""Weight of an attack or a right guess with an uncertain result."""


def all_moments(review: game_review.GameReview) -> list[Moment]:
    """Return every attack, right guess, missed attack and deduced rank of a game, in order."""
    found: list[Moment] = [*review.attacks, *review.guesses]
    found += [*review.missed_attacks, *review.deduced_ranks]
    return sorted(found, key=lambda moment: moment.ply)


def choose_moments(review: game_review.GameReview) -> list[Moment]:
    """Return up to three moments of a game in order, of different types if possible.

    The capture that ended the game is always one of them.
    """
    found = sorted(_weighed(review), key=lambda pair: (-pair[0], pair[1].ply))
    chosen = [moment for _, moment in found if _ends(review, moment)]
    end = chosen[:1]
    for most in (1, MOMENTS):
        for _, moment in found:
            kinds = Counter(map(_kind, chosen))
            if len(chosen) == MOMENTS or kinds[_kind(moment)] >= most:
                continue
            if all(_is_apart(moment, other, may_repeat=other in end) for other in chosen):
                chosen.append(moment)
    return sorted(chosen, key=lambda moment: moment.ply)


def _weighed(review: game_review.GameReview) -> Iterator[tuple[float, Moment]]:
    for attack in review.attacks:
        yield _weight(attack), attack
    for guess in review.guesses:
        certainty = _RISKY if guess.target.only is None else _CERTAIN
        yield _gain(Rank.INFILTRATOR, _STAKES[guess.infiltration.guess]) + certainty, guess
    for missed in review.missed_attacks:
        lowest = min(_STAKES[rank] for rank in ranks_in(missed.target.possible))
        yield _MISSED + _gain(missed.attacker, lowest) + min(missed.turns, _TURNS), missed
    for deduced in review.deduced_ranks:
        rank = deduced.target.only
        assert rank is not None
        yield _DEDUCED + _STAKES[rank], deduced


def _weight(attack: game_review.AttackReview) -> float:
    own = _STAKES[attack.combat.attacker]
    if attack.is_won:
        stake = 0 if attack.target.rank is None else _STAKES[attack.target.rank]
        gain = _gain(attack.combat.attacker, stake)
        return gain + (_CERTAIN if attack.is_certain else _RISKY + own * _share_lost(attack))
    if not attack.is_hopeless:
        return own + _RISKY
    is_known = attack.target.only is not None
    # Players often exchange equal pieces or give up a scout on purpose, so such losses are not
    # mistakes.
    if attack.combat.result is CombatResult.BOTH_FALL:
        return own
    if attack.combat.attacker is Rank.SCOUT and not is_known:
        return own
    return own + (_KNOWN_LOSS if is_known else _HOPELESS)


def _gain(attacker: Rank, stake: int) -> int:
    """Return the weight of a capture, which is higher if a low piece captures a high one."""
    return stake + max(0, stake - _STAKES[attacker])


def _share_lost(attack: game_review.AttackReview) -> float:
    """Return what share of the target's possible ranks the attacker does not beat."""
    possible: RankSet = attack.target.possible
    return 1 - attack.beaten.bit_count() / possible.bit_count()


def _kind(moment: Moment) -> object:
    """Return the type of a moment. A story prefers moments of different types."""
    if not isinstance(moment, game_review.AttackReview):
        return type(moment)
    if moment.is_hopeless or moment.is_certain:
        return moment.is_hopeless, moment.target.inference is game_review.Inference.SHOWN
    return moment.is_won, "risky"


def _is_apart(one: Moment, other: Moment, *, may_repeat: bool) -> bool:
    """Whether two moments are far apart in the game and concern different pieces.

    With `may_repeat`, they may concern the same piece.
    """
    are_different = may_repeat or one.target.piece != other.target.piece
    return are_different and abs(one.ply - other.ply) >= _APART


def _ends(review: game_review.GameReview, moment: Moment) -> bool:
    """Whether a moment is the capture of the flag or of the last movable piece."""
    is_capture = isinstance(moment, game_review.AttackReview | game_review.GuessReview)
    return is_capture and moment.ply == review.end.plies and review.outcome.reason in _ENDS


@dataclass(frozen=True)
class KeptSecret:
    """A side's piece whose rank stayed secret for the longest time after its first move."""

    rank: Rank
    plies: int
    """Number of plies from the piece's first move until the opponent could know its rank, or until
    the end of the game."""
    is_out: bool
    """Whether the opponent could know the rank by the end of the game."""


@dataclass(frozen=True)
class BluffReview:
    """Measures how secret a side's ranks were during a game."""

    side: Side
    curve: tuple[float, ...]
    """Mean number of possible ranks per piece on the board: before each turn, and at the end."""
    hidden: int
    """Number of the side's pieces that were on the board at the end and whose rank could not be
    known."""
    left: int
    """Number of the side's pieces on the board at the end."""
    secret: KeptSecret | None
    """The best-kept secret, or None. A secret counts only if the rank is known after the game and
    stayed secret for at least two plies after the piece's first move."""

    @property
    def average(self) -> float:
        """Mean of the curve: how many ranks the opponent had to consider per piece."""
        return sum(self.curve) / len(self.curve)

    @property
    def stages(self) -> tuple[float, float, float]:
        """Values of the curve at the beginning, halfway through the game, and at the end."""
        return self.curve[0], self.curve[len(self.curve) // 2], self.curve[-1]


def review_bluffs(review: game_review.GameReview) -> dict[Side, BluffReview]:
    """Return the measures for both sides. Raises ValueError if no turn was made."""
    if not review.turns:
        raise ValueError("the game has no turns")
    positions = [*review.positions]
    return {side: _review(review, positions, side) for side in Side}


def _review(
    review: game_review.GameReview, positions: Sequence[Position], side: Side
) -> BluffReview:
    counts = _ranks_left(positions[-1], side)
    return BluffReview(
        side,
        tuple(_mean(_ranks_left(position, side)) for position in positions),
        hidden=sum(count > 1 for count in counts),
        left=len(counts),
        secret=_best_kept(review, positions, side),
    )


def _ranks_left(position: Position, side: Side) -> list[int]:
    """For each of a side's pieces on the board, return the number of possible ranks."""
    ranks = position.player(side).deduction.ranks
    return [ranks[piece].bit_count() for piece in position.board.standing(side)]


def _mean(counts: Sequence[int]) -> float:
    return sum(counts) / len(counts) if counts else 1.0


def _best_kept(
    review: game_review.GameReview, positions: Sequence[Position], side: Side
) -> KeptSecret | None:
    """Return the secret that lasted longest.

    In a tie, the secret of the highest rank is returned.
    """
    moved: dict[Piece, int] = {}
    known: dict[Piece, int] = {}
    for position in positions:
        deduction = position.player(side).deduction
        for piece in deduction.moved:
            moved.setdefault(piece, position.plies)
            if piece not in known and only_rank(deduction.possible(piece)) is not None:
                known[piece] = position.plies
    end = positions[-1].plies
    secrets = [
        KeptSecret(rank, known.get(piece, end) - since, piece in known)
        for piece, since in moved.items()
        if (rank := review.rank(piece)) is not None and MOVABLE >> rank & 1
    ]
    best = max(secrets, key=lambda secret: (secret.plies, secret.rank), default=None)
    return best if best and best.plies > 1 else None
