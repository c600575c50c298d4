"""Rule violation as a ruling: the fault, the squares concerned and the citation."""

from dataclasses import dataclass

from engine.rulebook.faults import Fault
from engine.rulebook.rules import Citation
from engine.secrecy import Public
from engine.sides import Side
from engine.squares import SquareSet, names


@dataclass(frozen=True)
class Violation(Public):
    """A rule forbids the action; the game is unchanged."""

    fault: Fault
    squares: SquareSet
    """Squares concerned; for two-squares those between which the piece moved."""
    citation: Citation
    count: int = 0
    """For two-squares: number of repetitions allowed in a row. For more-squares: number of moves of
    either side since the position occurred. For an army: its number of pieces."""
    side: Side | None = None
    """For a setup: owner of the army. For a move out of turn: side to move."""

    def __str__(self) -> str:
        """Return a sentence with the rule, the squares and the citation."""
        place = names(self.squares)
        reading = f"; our reading: {self.citation.reading.meaning}" if self.citation.reading else ""
        rule = self.fault.rule.value
        return f"{self.fault.meaning} ({place}) – {rule}, {self.citation}{reading}"
