"""What a rule forbids, as a ruling: the fault, the squares it is about and where it is written."""

from dataclasses import dataclass

from engine.rulebook.faults import Fault
from engine.rulebook.rules import Citation
from engine.secrecy import Public
from engine.sides import Side
from engine.squares import SquareSet, names


@dataclass(frozen=True)
class Violation(Public):
    """A rule forbids the action; the game stands as before. ``str`` says so in a sentence."""

    fault: Fault
    squares: SquareSet
    """The squares concerned; for two-squares those between which the piece went."""
    citation: Citation
    count: int = 0
    """For two-squares: how many times in a row are allowed. For more-squares: how many moves of
    either side ago the position stood on the board. For an army: how many pieces it has."""
    side: Side | None = None
    """For a setup: whose army it is about. For a move out of turn: whose turn it is."""

    def __str__(self) -> str:
        place = names(self.squares)
        reading = f"; our reading: {self.citation.reading.meaning}" if self.citation.reading else ""
        rule = self.fault.rule.value
        return f"{self.fault.meaning} ({place}) – {rule}, {self.citation}{reading}"
