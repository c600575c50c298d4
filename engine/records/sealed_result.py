"""The sealed armies of a recorded game, after its end: proved, not proved or broken."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum

from engine.board.board import PieceSet
from engine.board.geometry import Side
from engine.deduction.commitment import SealWords, seal_words
from engine.game.actions import Action, PlaceArmies
from engine.game.rulings import ArmyOpened, Ruling, SealsBroken
from engine.records.transcript import Transcript


class SealState(Enum):
    """State of a side's commitments after a game."""

    PROVED = "proved"
    """All commitments were opened, and the army agrees with the game."""
    NOT_PROVED = "not proved"
    """The commitments count, but were not opened."""
    CONTRADICTED = "contradicted"
    """All commitments were opened, and the army contradicts the rules or the game."""
    BROKEN = "broken"
    """The commitments were declared void during the game."""


@dataclass(frozen=True)
class SealedSide:
    """The commitments of one side."""

    state: SealState
    wrong: PieceSet = 0
    """Squares of the setup whose ranks contradict the rules or the game."""


@dataclass(frozen=True)
class SealedResult:
    """The commitments of a game."""

    words: SealWords
    """Identification of the commitments with which the game began."""
    sides: Mapping[Side, SealedSide]
    """Every side that had committed to its army."""

    @property
    def is_proved(self) -> bool:
        """Whether every commitment was opened and agrees with the game."""
        return all(each.state is SealState.PROVED for each in self.sides.values())


def sealed_result(transcript: Transcript) -> SealedResult | None:
    """Return the state of the sealed armies; None for a game without sealed armies."""
    result = None
    for entry in transcript.carried_out:
        result = seals_after(result, entry.action, entry.rulings)
    return result


def seals_after(
    before: SealedResult | None, action: Action, rulings: Iterable[Ruling]
) -> SealedResult | None:
    """Return the state of the sealed armies after an action with its rulings."""
    if isinstance(action, PlaceArmies):
        promised = action.commitments
        placed = {side: SealedSide(SealState.NOT_PROVED) for side in Side if side in promised}
        before = SealedResult(seal_words(promised), placed) if placed else None
    if before is None:
        return None
    sides = dict(before.sides)
    for ruling in rulings:
        if isinstance(ruling, SealsBroken):
            sides[ruling.side] = SealedSide(SealState.BROKEN)
        elif isinstance(ruling, ArmyOpened):
            state = SealState.CONTRADICTED if ruling.wrong else SealState.PROVED
            sides[ruling.side] = SealedSide(state, ruling.wrong)
    return SealedResult(before.words, sides)
