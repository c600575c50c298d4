"""Two sessions with pads and sealed armies that differ in some of Red's ranks.

Players declare the ranks that they have sealed, except for a few lies. Both tables refuse the lies.
The salts are known, so a test can try all ranks to find the sealed one.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from companion.core.inputs import Command, CommandInput, Input
from companion.core.table import Table
from engine.board.board import Piece
from engine.board.geometry import BETWEEN, Side, Square, squares_in
from engine.board.ranks import Rank
from engine.board.visibility import Secret
from engine.deduction.commitment import ArmyCommitment, Opening
from engine.game.actions import Action, AnswerGuess, Declare, Move, PlaceArmies, UpholdDeclaration
from engine.game.referee import Referee
from engine.rules.editions import Edition
from tests.companion.core.short_game import ARMIES
from tests.companion.pads.pad_pair import PadPair

LIES: Final = 0.1
"""Fraction of declarations that differ from the sealed rank."""
_ALIKE: Final = (Rank.MARSHAL, Rank.COLONEL, Rank.SERGEANT)
"""Ranks that move in the same way, so that only a combat can distinguish them."""


class SealedPair(PadPair):
    """Tables at which both armies are sealed, with different ranks for Red."""

    @classmethod
    def histories(
        cls, edition: Edition, chance: random.Random
    ) -> tuple[Sequence[Action], Sequence[Action]]:
        """Return two histories with the same moves and different ranks for Red."""
        red, blue = (_dealt(side, edition, chance) for side in Side)
        alike = [piece for piece, rank in red.items() if rank in _ALIKE]
        ranks = [red[piece] for piece in alike]
        exchanged = dict(zip(alike, ranks[1:] + ranks[:1], strict=True))
        placed, placed_otherwise = (_placed(each, blue) for each in (red, {**red, **exchanged}))
        moves = _moved(edition, placed, {**red, **blue}, chance)
        return [placed, *moves], [placed_otherwise, *moves]

    def both(self, given: Input) -> tuple[Input, Input]:
        """Return the command for each table, with that table's openings added."""
        if not isinstance(given, CommandInput):
            return given, given
        lies = self.chance.random() < LIES
        one, other = (
            replace(given, what=_opened(table, given.what, lies=lies))
            for table in (self.one, self.other)
        )
        return one, other


def _dealt(side: Side, edition: Edition, chance: random.Random) -> dict[Piece, Rank]:
    pieces = list(squares_in(ARMIES.of(side)))
    ranks = list(edition.army.pieces)
    chance.shuffle(ranks)
    return dict(zip(pieces, ranks, strict=True))


def _placed(red: Mapping[Piece, Rank], blue: Mapping[Piece, Rank]) -> PlaceArmies:
    commitments = {
        side: ArmyCommitment.of(
            side, {piece: Opening(rank, _salt(piece)) for piece, rank in army.items()}
        )
        for side, army in zip(Side, (red, blue), strict=True)
    }
    return PlaceArmies(ARMIES.red, ARMIES.blue, commitments)


def _moved(
    edition: Edition, placed: PlaceArmies, ranks: Mapping[Piece, Rank], chance: random.Random
) -> list[Action]:
    """Return legal moves that bring pieces towards each other."""
    referee = Referee.waiting(edition)
    referee.apply(placed)
    for _ in range(chance.randrange(30)):
        moves = [
            each
            for each in referee.legal_moves()
            if isinstance(each, Move)
            and ranks[referee.position.board.piece_at(each.source)] not in (Rank.FLAG, Rank.BOMB)
            and not BETWEEN[each.source][each.target]
        ]
        if not moves:
            break
        forward = 1 if referee.to_move is Side.RED else -1
        tried = chance.choices(moves, k=3)
        referee.apply(max(tried, key=lambda move: (move.target - move.source) * forward))
    return list(referee.actions)[1:]


def _salt(piece: Piece) -> str:
    return f"{piece:032x}"


def _opening(table: Table, side: Side, at: Square) -> Opening | None:
    """Return the rank and salt that open the commitment to a side's piece.

    Return None if the side has no commitments or no piece on the square.
    """
    commitment, board = table.commitments.get(side), table.referee.position.board
    if commitment is None or board.side_at(at) is not side:
        return None
    piece = board.piece_at(at)
    openings = (Opening(rank, _salt(piece)) for rank in Rank)
    return next(each for each in openings if commitment.holds(side, piece, each))


def _opened(table: Table, what: Action | Command, *, lies: bool) -> Action | Command:
    """Return the command with the opening of the rank that was sealed at this table."""
    talk, opened = table.conversation, table.view.opened
    match what:
        case Declare() if (asked := talk.question) and asked.owner is what.rank.owner and not lies:
            opening = _opening(table, asked.owner, _stands(table, asked.owner))
            return _word(Declare, asked.owner, opening) if opening else what
        case UpholdDeclaration() if (
            refused := talk.contradiction
        ) and refused.owner is what.rank.owner:
            opening = _opening(table, refused.owner, _stands(table, refused.owner))
            is_true = opening is not None and opening.rank is refused.proof.rank
            if opening and is_true:
                return _word(UpholdDeclaration, refused.owner, opening)
            return UpholdDeclaration(Secret(refused.owner, refused.proof.rank))
        case AnswerGuess() if opened and table.view.guess is not None:
            owner = table.view.to_move.other
            opening = _opening(table, owner, opened[1])
            if opening:
                return AnswerGuess(opening.rank is table.view.guess, Secret(owner, opening))
    return what


def _word(
    kind: type[Declare | UpholdDeclaration], side: Side, opening: Opening
) -> Declare | UpholdDeclaration:
    return kind(Secret(side, opening.rank), Secret(side, opening.salt))


def _stands(table: Table, side: Side) -> Square:
    """Return the square of a side's piece in the open attack."""
    source, target = table.view.opened or (0, 0)
    return source if table.view.to_move is side else target
