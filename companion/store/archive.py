"""The games that are over, to look at once more and to take along.

Nothing of a game that still goes on can be had here: nobody looks back before the end (rules.md
§10).
"""

from pathlib import Path

from companion.sheets.score_sheet import score_sheet
from companion.speech.language import Language
from companion.store.journal import Journal, JournalError
from engine.games.files.transcripts import write_transcript
from engine.games.transcript import Transcript


class Archive:
    """The finished games of a journal."""

    def __init__(self, journal: Journal) -> None:
        """Look into a journal; games of whatever origin are in it."""
        self.path = journal.path
        self._journal = journal

    @property
    def folder(self) -> Path:
        """Where games are exported to."""
        return self.path.with_name("exported")

    def numbers(self) -> list[int]:
        """Return the numbers of the games that are over, the latest first; or a JournalError."""
        return [game.number for game in reversed(self._journal.games()) if game.is_over]

    def load(self, number: int) -> Transcript:
        """Return a game; JournalError if it is not there, damaged, or not over."""
        game = self._journal.transcript(number)
        if game.outcome is None:
            raise JournalError(f"Game {number} is not over; end it first, then look back.")
        return game

    def export(self, number: int, language: Language) -> None:
        """Write the score sheet and the record of a game into the folder; OSError if it cannot."""
        game = self.load(number)
        self.folder.mkdir(exist_ok=True)
        sheet, record = (self.folder / f"game-{number}.{kind}" for kind in ("txt", "json"))
        sheet.write_text(score_sheet(game, language), encoding="utf-8")
        record.write_text(write_transcript(game), encoding="utf-8")
