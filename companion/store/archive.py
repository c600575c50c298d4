"""The games that are over, to look at once more and to take along.

Nothing of a game that still goes on can be had here but its incidents: nobody looks back before the
end (rules.md §10).
"""

from pathlib import Path

from companion.speech.language import Language
from companion.store.game_row import Summary
from companion.store.incidents import Incident, find_incidents
from companion.store.shelf import Shelf
from companion.store.storage_trouble import JournalError
from engine.games.transcript import Transcript


class Archive:
    """The finished games of a journal."""

    def __init__(self, shelf: Shelf) -> None:
        """Look into the journal of a shelf; games of whatever origin are in it."""
        self.path = shelf.path
        self._shelf = shelf

    @property
    def folder(self) -> Path:
        """Where games are exported to."""
        return self.path.with_name("exported")

    def numbers(self) -> list[int]:
        """Return the numbers of the games that are over, the latest first; or a StorageError."""
        return [game.number for game in reversed(self._shelf.journal().games()) if game.is_over]

    def unfinished_games(self) -> list[Summary]:
        """Return the games that can still go on here, the latest first; or a StorageError."""
        return self._shelf.journal().unfinished_games()[::-1]

    def load(self, number: int) -> Transcript:
        """Return a game; JournalError if it is not there, damaged, or not over."""
        game = self._shelf.journal().transcript(number)
        if game.outcome is None:
            raise JournalError(f"Game {number} is not over; end it first, then look back.")
        return game

    def incidents(self, number: int) -> tuple[Transcript, list[Incident]]:
        """Return a game with what came up in it; JournalError if it is not there or damaged.

        It need not be over, so of the game itself no more may be shown than its beginning.
        """
        journal = self._shelf.journal()
        game = journal.transcript(number)
        return game, find_incidents(game, journal.clocks(number), journal.notes(number))

    def pages(self, number: int, language: Language) -> dict[str, str]:
        """Write a game down: its score sheet, its incidents, its record, each by a file's name."""
        # Few games are written down, and every evening would wait for the readers of all formats.
        from companion.sheets.incident_sheet import incident_sheet  # noqa: PLC0415
        from companion.sheets.score_sheet import score_sheet  # noqa: PLC0415
        from engine.games.files.transcripts import write_transcript  # noqa: PLC0415

        game = self.load(number)
        _, incidents = self.incidents(number)
        return {
            f"game-{number}.txt": score_sheet(game, language),
            f"game-{number}-incidents.txt": incident_sheet(game, incidents, language),
            f"game-{number}.json": write_transcript(game),
        }

    def export(self, number: int, language: Language) -> None:
        """Write the pages of a game into the folder; OSError if it cannot."""
        self.folder.mkdir(exist_ok=True)
        for name, text in self.pages(number, language).items():
            (self.folder / name).write_text(text, encoding="utf-8")
