"""Review of a finished game: attacks, guesses, missed attacks, and ranks that could be deduced.

For every turn, the review asks what public facts could prove about the ranks when the turn began.
It compares the answer with the ranks as known after the game. Both players could have found these
proofs. Ranks that only the referee could see are not used for a proof. If a rank is still unknown,
the review uses only what the game revealed. A piece is left out of the review if an arbiter's
decision contradicted a proof about it.

A combat that was taken back is not reviewed, but both players remember the ranks that it revealed.
A move that was taken back proves nothing, because the player may have moved the wrong piece.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property
from typing import Final, NamedTuple, TypeAlias

from engine.board.board import Piece
from engine.board.geometry import NEIGHBOURS, Side, Square
from engine.board.ranks import IMMOBILE, MOVABLE, Rank, RankSet, only_rank, ranks_in
from engine.deduction.possible_ranks import Evidence, RankDeduction
from engine.game.actions import Amend, Attack, TakeBack
from engine.game.game_state import Phase
from engine.game.position import Position
from engine.game.position_updates import as_public, with_player
from engine.game.referee import Referee
from engine.game.rulings import BoardAdopted, Combat, GameOver, Infiltrated, Moved
from engine.records.transcript import Transcript
from engine.rules.movement import CombatResult, defenders

_DECISIVE: Final = {
    *(Rank.MARSHAL, Rank.GENERAL, Rank.COLONEL),
    *(Rank.SPY, Rank.BOMB, Rank.FLAG),
}
"""Ranks whose combats often decide games. The choice is a matter of judgement."""
PlyRuling: TypeAlias = Moved | Combat | Infiltrated | BoardAdopted


def is_turning_point(ruling: object) -> bool:
    """Whether a ruling ends the game, or involves a piece that often decides games."""
    if isinstance(ruling, Combat):
        return bool(_DECISIVE & {ruling.attacker, ruling.defender})
    return isinstance(ruling, GameOver) or (isinstance(ruling, Infiltrated) and ruling.right)


class Inference(Enum):
    """The main reason why a piece can have only certain ranks."""

    SHOWN = "shown"
    """The rank of the piece had been revealed before."""
    LONG_MOVE = "long-move"
    """The piece had moved more than one square, so it was a scout."""
    LAST = "last"
    """The army still had N unidentified pieces of the possible ranks, and only N pieces could have
    such a rank. Each of these N pieces therefore had one of the possible ranks."""
    COUNTED = "counted"
    """All pieces of every other rank were known. If the piece had moved, bombs and the flag did not
    have to be known, because they cannot move."""
    NONE = "none"
    """Any other combination of facts, or no facts at all."""


@dataclass(frozen=True)
class SuspectedPiece:
    """Facts that a player could know about an opposing piece at the beginning of a turn."""

    piece: Piece
    side: Side
    square: Square
    possible: RankSet
    rank: Rank | None
    """The rank as known after the game, or None if it was never revealed."""
    army: RankSet
    """All ranks of the piece's army."""
    has_moved: bool
    inference: Inference
    since: int = 0
    """For SHOWN: number of plies since the rank was revealed."""
    count: int = 0
    """For LAST: the number N of pieces that could have one of the possible ranks."""

    @property
    def only(self) -> Rank | None:
        """The rank of the piece if only one rank is possible, otherwise None."""
        return only_rank(self.possible)


@dataclass(frozen=True)
class AttackReview:
    """An attack, rated by what the attacker could have known."""

    ply: int
    """Ply number, counted from 1."""
    combat: Combat
    target: SuspectedPiece
    """The attacked piece, as it was known before the attack."""
    beaten: RankSet
    """Those of the target's possible ranks that the attacker beats."""

    @property
    def is_certain(self) -> bool:
        """Whether the attacker wins against every possible rank."""
        return self.beaten == self.target.possible

    @property
    def is_hopeless(self) -> bool:
        """Whether the attacker would beat none of the possible ranks."""
        return not self.beaten

    @property
    def is_won(self) -> bool:
        return self.combat.result is CombatResult.ATTACKER_WINS

    @property
    def is_turning_point(self) -> bool:
        return is_turning_point(self.combat)


@dataclass(frozen=True)
class GuessReview:
    """A right guess of an infiltrator, and what could have been known about the piece."""

    ply: int
    """Ply number, counted from 1."""
    infiltration: Infiltrated
    target: SuspectedPiece
    """The removed piece, as it was known before the guess."""


@dataclass(frozen=True)
class MissedAttack:
    """An attack that was certain to win, but that a side did not make for one or more turns."""

    ply: int
    """Number of the first ply in which the attack was possible, counted from 1."""
    side: Side
    source: Square
    """Square of the attacker in that ply."""
    attacker: Rank
    piece: Piece
    """The piece that could have attacked."""
    target: SuspectedPiece
    """The piece that could have been captured, as known in that ply."""
    turns: int = 1
    """Number of the side's consecutive turns in which the attack was possible."""


@dataclass(frozen=True)
class DeducedRank:
    """A rank that could be deduced before it was revealed."""

    ply: int
    """Number of plies after which the rank could be known."""
    target: SuspectedPiece


@dataclass(frozen=True)
class ReviewedTurn:
    """A completed turn, with the position in which it began."""

    before: Position
    made: PlyRuling

    @property
    def ply(self) -> int:
        """Ply number of the turn, counted from 1."""
        return self.before.plies + 1


class Reveal(NamedTuple):
    """A rank that was revealed by a combat or a guess that was taken back."""

    rank: Rank
    ply: int
    """Number of plies before the rank was revealed."""


def replay_turns(
    transcript: Transcript,
) -> tuple[list[ReviewedTurn], Position, dict[Piece, Reveal]]:
    """Return the turns of a game, its last position, and the ranks revealed before a take-back.

    The positions contain what both players could know, including these ranks.
    """
    turns: list[ReviewedTurn] = []
    remembered: dict[Piece, Reveal] = {}
    referee = Referee.waiting(transcript.edition)
    begun = as_public(referee.position)
    for action in (entry.action for entry in transcript.carried_out):
        if isinstance(action, Amend):
            begun = turns[-1].before  # a scout continues its turn with an attack
        elif referee.phase in (Phase.PLAY, Phase.SHOWING):
            begun = _informed(referee.position, remembered)
        rulings = referee.apply(action)
        while isinstance(action, TakeBack) and turns and turns[-1].before.plies >= referee.plies:
            remembered |= _reveals(turns.pop(), transcript.ranks)
        for ruling in rulings:
            if isinstance(ruling, PlyRuling):
                if turns and turns[-1].before is begun:
                    turns.pop()  # the first part of the scout's turn
                turns.append(ReviewedTurn(begun, ruling))
    return turns, _informed(referee.position, remembered), remembered


def _reveals(turn: ReviewedTurn, ranks: Mapping[Piece, Rank]) -> Iterator[tuple[Piece, Reveal]]:
    """Yield the ranks that a turn has revealed, without those that turned out to be wrong."""
    made, shown = turn.made, dict[Square, Rank | None]()
    if isinstance(made, Combat):
        shown = {made.source: made.attacker, made.target: made.defender}
    elif isinstance(made, Infiltrated):
        shown = {made.source: Rank.INFILTRATOR, made.target: made.guess if made.right else None}
    for square, rank in shown.items():
        piece = turn.before.pieces[square]
        if rank is not None and ranks.get(piece, rank) is rank:
            yield piece, Reveal(rank, turn.before.plies)


def _informed(position: Position, remembered: Mapping[Piece, Reveal]) -> Position:
    """Return what both players know about a position, with the ranks that they remember."""
    position = as_public(position)
    for side in Side if remembered else ():
        player = position.player(side)
        deduction = player.deduction
        for piece in deduction.individual.keys() & remembered.keys():
            rank, ply = remembered[piece]
            if deduction.possible(piece) >> rank & 1:
                deduction = deduction.with_revealed(piece, rank, ply=ply)
        position = with_player(position, side, player.with_deduction(deduction))
    return position


class GameReview:
    """Review of one finished game."""

    def __init__(self, transcript: Transcript) -> None:
        """Review a game. Raises ValueError if it is not over: until then, its ranks are secret."""
        if transcript.outcome is None:
            raise ValueError("only a finished game can be reviewed")
        self.outcome = transcript.outcome
        self.edition = transcript.edition
        self.turns, self.end, remembered = replay_turns(transcript)
        self._ranks = {piece: seen.rank for piece, seen in remembered.items()}
        self._ranks |= transcript.ranks

    @property
    def positions(self) -> Iterator[Position]:
        """The positions in which the turns began, and the last position."""
        yield from (turn.before for turn in self.turns)
        yield self.end

    @property
    def knows_all_ranks(self) -> bool:
        """Whether the rank of every piece is known after the game."""
        pieces = (piece for side in Side for piece in self._deduction(self.end, side).individual)
        return all(piece in self._ranks for piece in pieces)

    def rank(self, piece: Piece) -> Rank | None:
        """Return the rank of a piece as known after the game."""
        return self._ranks.get(piece)

    @cached_property
    def attacks(self) -> list[AttackReview]:
        """All attacks, except those whose result contradicts what could be known beforehand."""
        found = []
        for turn in self.turns:
            if isinstance(combat := turn.made, Combat):
                target = self._suspect(turn.before, combat.target)
                if target:
                    beaten = self._beaten_by(combat.attacker) & target.possible
                    found.append(AttackReview(turn.ply, combat, target, beaten))
        return found

    @cached_property
    def guesses(self) -> list[GuessReview]:
        """All right guesses. Wrong guesses are left out, because they capture nothing."""
        return [
            GuessReview(turn.ply, guess, target)
            for turn in self.turns
            if isinstance(guess := turn.made, Infiltrated)
            and guess.right
            and (target := self._suspect(turn.before, guess.target))
        ]

    @cached_property
    def missed_attacks(self) -> list[MissedAttack]:
        """Attacks that were certain to win and were not made, in the order of their first ply.

        An attack can be found only if the rank of the attacking piece is known after the game.
        """
        found = self._find_missed_attacks()
        return sorted(found, key=lambda each: (each.ply, each.source, each.target.square))

    def _find_missed_attacks(self) -> list[MissedAttack]:
        missed: list[MissedAttack] = []
        running: dict[Side, dict[tuple[Piece, Piece], MissedAttack]] = {side: {} for side in Side}
        for turn in self.turns:
            side, begun = turn.before.to_move, running[turn.before.to_move]
            if isinstance(turn.made, BoardAdopted) or turn.made.side is not side:
                continue  # an unexpected board was accepted, or a turn out of order
            now = {(found.piece, found.target.piece): found for found in self._certain(turn.before)}
            missed += [found for key, found in begun.items() if key not in now]
            attacked = turn.made.target if isinstance(turn.made, Combat) else None
            running[side] = {
                key: replace(begun[key], turns=begun[key].turns + 1) if key in begun else found
                for key, found in now.items()
                if found.target.square != attacked
            }
        return missed + [found for begun in running.values() for found in begun.values()]

    @cached_property
    def deduced_ranks(self) -> list[DeducedRank]:
        """Ranks of pieces on the board that can be deduced although they have not been revealed."""
        found: list[DeducedRank] = []
        done: set[Piece] = set()
        latest: dict[Side, RankDeduction] = {}
        for position in self.positions:
            for side in Side:
                deduction = self._deduction(position, side)
                if latest.get(side) is deduction:
                    continue
                latest[side] = deduction
                for piece, square in position.board.standing(side).items():
                    if piece in done or only_rank(deduction.ranks[piece]) is None:
                        continue
                    done.add(piece)
                    target = self._suspect(position, square)
                    if target and target.inference not in (Inference.SHOWN, Inference.LONG_MOVE):
                        found.append(DeducedRank(position.plies, target))
        return found

    def _certain(self, position: Position) -> Iterator[MissedAttack]:
        """Yield the attacks of the side to move that are certain to win."""
        side, deduction = position.to_move, position.own_player.deduction
        for turn in position.legal_moves():
            if not isinstance(turn, Attack):
                continue
            piece = position.pieces[turn.source]
            rank = self.rank(piece)
            if rank is None or not deduction.possible(piece) & MOVABLE & 1 << rank:
                continue
            if rank is not Rank.SCOUT and turn.target not in NEIGHBOURS[turn.source]:
                continue
            if position.ranks_at(turn.target) & ~self._beaten_by(rank):
                continue
            if target := self._suspect(position, turn.target):
                yield MissedAttack(position.plies + 1, side, turn.source, rank, piece, target)

    def _suspect(self, position: Position, square: Square) -> SuspectedPiece | None:
        """Return what could be known about a piece, or None if its actual rank contradicts that."""
        side = position.board.side_at(square)
        assert side is not None
        deduction, piece = position.deduction_at(square)
        possible, rank = deduction.possible(piece), self.rank(piece)
        if rank is not None and not possible >> rank & 1:
            return None
        inference, number = _infer(deduction, piece, position.plies)
        return SuspectedPiece(
            piece,
            side,
            square,
            possible,
            rank,
            army=deduction.army.ranks,
            has_moved=piece in deduction.moved,
            inference=inference,
            since=number if inference is Inference.SHOWN else 0,
            count=number if inference is Inference.LAST else 0,
        )

    def _beaten_by(self, attacker: Rank) -> RankSet:
        advantage = self.edition.aggressor_advantage
        return defenders(attacker, CombatResult.ATTACKER_WINS, aggressor_advantage=advantage)

    @staticmethod
    def _deduction(position: Position, side: Side) -> RankDeduction:
        return position.player(side).deduction


def _infer(deduction: RankDeduction, piece: Piece, plies: int) -> tuple[Inference, int]:
    """Return why a piece can have only certain ranks, and the number quoted in the explanation.

    For SHOWN, the number counts the plies since the rank was revealed. For LAST, it counts the
    pieces that can have one of the possible ranks. Otherwise, it is 0.
    """
    for fact in deduction.facts.get(piece, ()):
        if fact.ground is Evidence.REVEALED:
            return Inference.SHOWN, max(plies - fact.ply, 0)
    if piece in deduction.long_moved:
        return Inference.LONG_MOVE, 0
    possible = deduction.possible(piece)
    if count := _count_last(deduction, piece):
        return Inference.LAST, count
    excluded = deduction.army.ranks & ~possible
    if piece in deduction.moved:
        excluded &= ~IMMOBILE
    grounds = {_ground(deduction, piece, rank) for rank in ranks_in(excluded)}
    if grounds == {Evidence.ALL_FOUND}:
        return Inference.COUNTED, 0
    return Inference.NONE, 0


def _ground(deduction: RankDeduction, piece: Piece, rank: Rank) -> Evidence | None:
    proof = deduction.refute(piece, rank, attacks=False)
    return proof.ground if proof else None


def _count_last(deduction: RankDeduction, piece: Piece) -> int:
    """Return the number of unknown pieces that can have one of the piece's possible ranks.

    Return 0 if the army has fewer unidentified pieces of these ranks, because nothing can then be
    concluded. Also return 0 if the possible ranks follow from facts about the piece alone.
    """
    alone: Mapping[Piece, RankSet] = deduction.individual
    possible = deduction.possible(piece)
    if possible == alone[piece]:
        return 0
    count = sum(1 for ranks in alone.values() if ranks & possible and ranks & ranks - 1)
    found = sum(1 for ranks in alone.values() if ranks & possible and not ranks & ranks - 1)
    left = sum(deduction.army.counts[rank] for rank in ranks_in(possible)) - found
    return left if count == left else 0
