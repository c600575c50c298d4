"""The position of a refereed game after any of its plies."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from engine.board import board_text
from engine.board.geometry import Side, Square, squares_in
from engine.board.ranks import Rank
from engine.game.actions import PlaceArmies
from engine.game.game_state import Phase
from engine.game.referee import Referee
from engine.records.transcript import Transcript


@dataclass(frozen=True)
class Snapshot:
    """The pieces on the board; ``print(snapshot)`` shows a picture with ``?`` for unknown ranks."""

    pieces: Mapping[Square, tuple[Side, Rank | None]]
    """Side of each piece, and its rank as far as it is known."""
    last_move: tuple[Square, Square] | None = None
    """Source and target of the ply before."""

    def __str__(self) -> str:
        return self.draw(lambda rank: rank.symbol)

    def draw(self, sign: Callable[[Rank], str]) -> str:
        """Draw the board with a custom symbol for each rank."""
        tokens = {
            square: side.value[0] + ("?" if rank is None else sign(rank))
            for square, (side, rank) in self.pieces.items()
        }
        return board_text.draw(tokens.get)


def snapshot(transcript: Transcript, ply: int | None = None) -> Snapshot:
    """Return the position after `ply` plies, of those that were not taken back.

    0 is before the first ply, and None the end. ValueError if there is no such ply, or if the
    armies were never set up.
    """
    end = transcript.referee()
    wanted = end.plies if ply is None else ply
    if not 0 <= wanted <= end.plies:
        raise ValueError(f"there is no ply {ply}; this game has {end.plies} legal ones")
    referee = Referee.waiting(transcript.edition)
    found = as_placed(transcript) if wanted == 0 else Snapshot({})
    for action in end.in_force:
        referee.apply(action)
        if referee.plies > wanted:
            break
        # The same ply can be settled more than once: a scout moves on from its first target, or an
        # arbiter corrects the position.
        if referee.plies == wanted and referee.phase is not Phase.SETUP:
            found = stand(transcript, referee)
    return found


def as_placed(transcript: Transcript) -> Snapshot:
    """Return the armies as they were set up, legally or not. ValueError if they never were."""
    for entry in transcript.entries:
        if isinstance(placing := entry.action, PlaceArmies):
            ranks = transcript.ranks
            return Snapshot({square: (side, ranks.get(square)) for side, square in placing.pieces})
    raise ValueError("the armies were never set up")


def stand(transcript: Transcript, referee: Referee) -> Snapshot:
    """Return the position of a referee at any point of this game."""
    board = referee.position.board
    return Snapshot(
        {
            square: (side, transcript.ranks.get(board.piece_at(square)))
            for side in Side
            for square in squares_in(board.of(side))
        },
        referee.position.last_move,
    )
