"""A finished game, ply by ply: positions and announcements.

A replay reveals every known rank, so it must not be shown during the game (rules.md §10).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from companion.analysis.game_review import is_turning_point, replay_turns
from companion.reports.incident_sheet import Incident, find_incidents
from companion.speech.announcer import Announcer
from companion.speech.i18n import Language
from companion.storage.errors import JournalError
from companion.storage.game_rows import GameSummary
from companion.storage.journal import Journal
from companion.storage.journal_provider import JournalProvider
from engine.board import board_text
from engine.board.geometry import Side, Square, squares_in
from engine.board.ranks import Rank, only_rank
from engine.game import rulings
from engine.game.actions import PlaceArmies
from engine.game.game_state import Phase
from engine.game.position import Position
from engine.game.referee import Referee
from engine.records.transcript import Transcript


@dataclass(frozen=True)
class Snapshot:
    """The pieces on the board. ``print(snapshot)`` draws them, with ``?`` for unknown ranks."""

    pieces: Mapping[Square, tuple[Side, Rank | None]]
    """Side of the piece on each square, and its rank if known."""
    last_move: tuple[Square, Square] | None = None
    """Source and target of the previous ply."""

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
    """Return the position after `ply` plies, not counting plies that were taken back.

    0 means before the first ply, None means the end. Raise ValueError if there is no such ply, or
    if the armies were never set up.
    """
    end = transcript.referee()
    number = end.plies if ply is None else ply
    if not 0 <= number <= end.plies:
        raise ValueError(f"there is no ply {ply}; this game has {end.plies} legal plies")
    referee = Referee.waiting(transcript.edition)
    found = as_placed(transcript) if number == 0 else Snapshot({})
    for action in end.in_force:
        referee.apply(action)
        if referee.plies > number:
            break
        # A ply can have several final positions, because a scout may move on from its first target,
        # or an arbiter may correct the position.
        if referee.plies == number and referee.phase is not Phase.SETUP:
            found = stand(transcript, referee)
    return found


def as_placed(transcript: Transcript) -> Snapshot:
    """Return the armies as set up, legally or not. Raise ValueError if none were set up."""
    for entry in transcript.entries:
        if isinstance(placing := entry.action, PlaceArmies):
            ranks = transcript.ranks
            return Snapshot({square: (side, ranks.get(square)) for side, square in placing.pieces})
    raise ValueError("the armies were never set up")


def stand(transcript: Transcript, referee: Referee) -> Snapshot:
    """Return a snapshot of the referee's current position in this game."""
    board = referee.position.board
    return Snapshot(
        {
            square: (side, transcript.ranks.get(board.piece_at(square)))
            for side in Side
            for square in squares_in(board.of(side))
        },
        referee.position.last_move,
    )


_ANNOUNCED: Final = (
    *(
        rulings.ArmiesPlaced,
        rulings.Moved,
        rulings.AttackOpened,
        rulings.Combat,
        rulings.InfiltrationOpened,
        rulings.Infiltrated,
    ),
    *(rulings.Overridden, rulings.DisputeSettled, rulings.BoardAdopted, rulings.GameOver),
)


@dataclass(frozen=True)
class ReplayPage:
    """The game after one ply."""

    seen: Snapshot
    text: str
    """Announcements about the ply, in one or more sentences."""
    known: Mapping[Square, Rank] = field(default_factory=dict)
    """Ranks that both players could know after this ply, even if a revealing turn was taken back.
    """
    is_key: bool = False
    """Whether this ply ended the game, or captured a piece whose loss often decides a game."""


def replay(transcript: Transcript, announcer: Announcer) -> list[ReplayPage]:
    """Return a page for the setup and one for each ply that was not taken back."""
    pages: list[ReplayPage] = []
    referee, text, is_key = Referee.waiting(transcript.edition), "", False
    for action in transcript.referee().in_force:
        ruled = referee.apply(action)
        text = _joined(text, _announce(ruled, announcer))
        is_key = is_key or any(map(is_turning_point, ruled))
        settled = referee.phase in (Phase.PLAY, Phase.OVER)
        # This ply may already have a page, if a scout has moved on from its first target or a
        # player has ended the game. Replace the page, or remove it until the combat is decided.
        while len(pages) > referee.plies + (not settled):
            page = pages.pop()
            text, is_key = _joined(page.text, text), page.is_key or is_key
        if settled:
            pages.append(ReplayPage(stand(transcript, referee), text, is_key=is_key))
            text, is_key = "", False
    turns, end, _ = replay_turns(transcript)
    positions = {turn.before.plies: turn.before for turn in turns}
    return [
        replace(page, known=_known(positions.get(number, end))) for number, page in enumerate(pages)
    ]


def _known(position: Position) -> dict[Square, Rank]:
    """For the pieces on the board, return the ranks that follow from public information."""
    found = {
        each: only_rank(position.ranks_at(each)) for each in squares_in(position.board.occupied)
    }
    return {square: rank for square, rank in found.items() if rank is not None}


def _announce(ruled: tuple[rulings.Ruling, ...], announcer: Announcer) -> str:
    return _joined(*(announcer.sentence(each) for each in ruled if isinstance(each, _ANNOUNCED)))


def _joined(*sentences: str) -> str:
    return " ".join(filter(None, sentences))


class Archive:
    """The finished games of a journal, for viewing and export.

    For a game in progress, only the incidents are available, because players must not look back
    before the end (rules.md §10).
    """

    def __init__(self, journals: JournalProvider) -> None:
        """Open the archive of the journal, which contains games of all origins."""
        self.path = journals.path
        self._journals = journals

    @property
    def folder(self) -> Path:
        """Folder for exported games."""
        return self.path.with_name("exported")

    def numbers(self) -> list[int]:
        """Return the numbers of the finished games, most recent first. May raise StorageError."""
        return [game.number for game in reversed(self.journal().games()) if game.is_over]

    def unfinished_games(self) -> list[GameSummary]:
        """Return the games that can be resumed here, most recent first. May raise StorageError."""
        return self._journals.journal().unfinished_games()[::-1]

    def journal(self) -> Journal:
        """Return the journal, for reports on many games. May raise StorageError."""
        return self._journals.journal()

    def load(self, number: int) -> Transcript:
        """Return a game. Raise JournalError if it is missing, damaged, or not over."""
        game = self.journal().transcript(number)
        if game.outcome is None:
            raise JournalError(f"Game {number} is not over; finish it before looking back.")
        return game

    def incidents(self, number: int) -> tuple[Transcript, list[Incident]]:
        """Return a game with its incidents. Raise JournalError if it is missing or damaged.

        The game may be unfinished. In that case, only the start of the transcript may be shown.
        """
        journal = self.journal()
        game = journal.transcript(number)
        return game, find_incidents(game, journal.clocks(number), journal.notes(number))

    def pages(self, number: int, language: Language) -> dict[str, str]:
        """Export a game: return its score sheet, its incidents and its record, by file name."""
        # Imported lazily, because few games are exported and the readers of all formats would
        # otherwise be loaded at every start.
        from companion.reports.incident_sheet import incident_sheet  # noqa: PLC0415
        from companion.reports.score_sheet import score_sheet  # noqa: PLC0415
        from engine.records.record_files import write_transcript  # noqa: PLC0415

        game = self.load(number)
        _, incidents = self.incidents(number)
        return {
            f"game-{number}.txt": score_sheet(game, language),
            f"game-{number}-incidents.txt": incident_sheet(game, incidents, language),
            f"game-{number}.json": write_transcript(game),
        }

    def export(self, number: int, language: Language) -> None:
        """Write a game's files to the folder. Raise OSError on failure."""
        self.folder.mkdir(exist_ok=True)
        for name, text in self.pages(number, language).items():
            (self.folder / name).write_text(text, encoding="utf-8")
