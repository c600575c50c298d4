"""The archive of finished games, for viewing and export.

Of a game in progress it provides only the incidents: players must not look back before the end
(rules.md §10).
"""

from pathlib import Path

from companion.speech.language import Language
from companion.store.game_row import Summary
from companion.store.incidents import Incident, find_incidents
from companion.store.shelf import Shelf
from companion.store.storage_trouble import JournalError
from engine.records.transcript import Transcript


class Archive:
    """The finished games of a journal."""

    def __init__(self, shelf: Shelf) -> None:
        """Open the archive of a shelf's journal; it contains the games of all origins."""
        self.path = shelf.path
        self._shelf = shelf

    @property
    def folder(self) -> Path:
        """The folder for exported games."""
        return self.path.with_name("exported")

    def numbers(self) -> list[int]:
        """Return the numbers of the finished games, the latest first; or a StorageError."""
        return [game.number for game in reversed(self._shelf.journal().games()) if game.is_over]

    def unfinished_games(self) -> list[Summary]:
        """Return the games that can be resumed here, the latest first; or a StorageError."""
        return self._shelf.journal().unfinished_games()[::-1]

    def load(self, number: int) -> Transcript:
        """Return a game; JournalError if it is missing, damaged, or not over."""
        game = self._shelf.journal().transcript(number)
        if game.outcome is None:
            raise JournalError(f"Game {number} is not over; end it first, then look back.")
        return game

    def incidents(self, number: int) -> tuple[Transcript, list[Incident]]:
        """Return a game with its incidents; JournalError if it is missing or damaged.

        It need not be over, so only the beginning of the game itself may be shown.
        """
        journal = self._shelf.journal()
        game = journal.transcript(number)
        return game, find_incidents(game, journal.clocks(number), journal.notes(number))

    def pages(self, number: int, language: Language) -> dict[str, str]:
        """Export a game: its score sheet, its incidents and its record, by file name."""
        # Lazy: few games are exported, and every start would wait for the readers of all formats.
        from companion.sheets.incident_sheet import incident_sheet  # noqa: PLC0415
        from companion.sheets.score_sheet import score_sheet  # noqa: PLC0415
        from engine.records.record_files import write_transcript  # noqa: PLC0415

        game = self.load(number)
        _, incidents = self.incidents(number)
        return {
            f"game-{number}.txt": score_sheet(game, language),
            f"game-{number}-incidents.txt": incident_sheet(game, incidents, language),
            f"game-{number}.json": write_transcript(game),
        }

    def export(self, number: int, language: Language) -> None:
        """Write the pages of a game into the folder; OSError if that fails."""
        self.folder.mkdir(exist_ok=True)
        for name, text in self.pages(number, language).items():
            (self.folder / name).write_text(text, encoding="utf-8")
