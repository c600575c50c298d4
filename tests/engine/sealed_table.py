"""A test table whose armies are sealed."""

from collections.abc import Mapping
from dataclasses import replace

from engine.board.board import Piece
from engine.board.geometry import Side, name, square
from engine.board.ranks import Rank
from engine.board.visibility import Secret
from engine.deduction.commitment import ArmyCommitment, Opening
from engine.game import actions, rulings
from engine.game.referee import Referee
from engine.rules.editions import EDITIONS, Edition
from tests.engine.tables import SKIRMISH, Setup

ISF = replace(EDITIONS["isf"], sealed_armies=True)
Army = Mapping[Piece, Opening]


def salted(ranks: Mapping[Piece, Rank]) -> Army:
    """Add a fixed salt to the rank of each piece."""
    return {piece: Opening(rank, f"{piece:032x}") for piece, rank in ranks.items()}


class SealedTable:
    """Referee and two players who have committed to their armies."""

    def __init__(self, drawn: str = SKIRMISH, rules: Edition = ISF, **sealed: str) -> None:
        """Set up the pieces in a text drawing of a board. ``e4="scout"`` commits to a rank other
        than the real one."""
        self.setup = Setup.parse(drawn)
        ranks = {**self.setup.ranks, **{square(at): Rank[r.upper()] for at, r in sealed.items()}}
        pieces = self.setup.pieces.items()
        self.armies = {
            side: salted({at: ranks[at] for at, (its, _) in pieces if its is side}) for side in Side
        }
        self.commitments = {
            side: ArmyCommitment.of(side, army) for side, army in self.armies.items()
        }
        self.referee = Referee.waiting(replace(rules, army=self.setup.army))
        self.placing = replace(self.setup.placing, commitments=self.commitments)
        assert self.referee.apply(self.placing) == (rulings.ArmiesPlaced(),)

    def opening(self, piece: str) -> Opening:
        side, _ = self.setup.pieces[square(piece)]
        return self.armies[side][square(piece)]

    def declare(
        self, piece: str, rank: str = "", salt: str | None = None
    ) -> tuple[rulings.Ruling, ...]:
        """Declare a rank, by default the real one, for the piece that was set up on a square."""
        return self.referee.apply(self._word(actions.Declare, piece, rank, salt))

    def insist(
        self, piece: str, rank: str = "", salt: str | None = None
    ) -> tuple[rulings.Ruling, ...]:
        return self.referee.apply(self._word(actions.UpholdDeclaration, piece, rank, salt))

    def _word(
        self,
        kind: type[actions.Declare | actions.UpholdDeclaration],
        piece: str,
        rank: str,
        salt: str | None,
    ) -> actions.Declare | actions.UpholdDeclaration:
        side, opening = self.setup.pieces[square(piece)][0], self.opening(piece)
        declared = Rank[rank.upper()] if rank else opening.rank
        salt = opening.salt if salt is None else salt
        return kind(Secret(side, declared), Secret(side, salt) if salt else None)

    def play(self, turns: str) -> tuple[rulings.Ruling, ...]:
        """Play turns. Both sides open their commitments when asked. Return the last rulings."""
        ruled: tuple[rulings.Ruling, ...] = ()
        for turn in turns.split():
            ruled = self.referee.push(turn)
            while (attack := self.referee.open_attack) and attack.awaited:
                piece = self.referee.position.board.piece_at(attack.square(attack.awaited[0]))
                ruled = self.declare(name(piece))
        return ruled


def attacked() -> SealedTable:
    """Return a game in which Red's e5 attacks e6. No rank has been declared."""
    table = SealedTable()
    table.play("e4-e5 e7-e6")
    table.referee.push("e5xe6")
    return table
