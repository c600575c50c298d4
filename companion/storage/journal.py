"""The journal: saves every accepted action and note to disk before it is announced.

One SQLite file contains all games. Actions that are accepted together are saved in one transaction,
so a power cut loses only actions that have not been announced. Each row has a checksum. The file
contains declared ranks, so only the owner may read it, and no message quotes its contents.
"""

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from companion.codec import from_plain, to_plain
from companion.core.events import write_event
from companion.core.game_options import BLANK, GameOptions, SavedState
from companion.storage import game_rows, journal_file
from companion.storage.errors import JournalError, StorageError, StorageErrorKind
from companion.storage.printed_pieces import PrintedPieces
from engine.game.actions import Action
from engine.game.clocks import ClockState, TimeControl
from engine.game.rulings import GameOver
from engine.records.serialization import read_action, read_clock, write_clock
from engine.records.transcript import Transcript, transcribe, with_printed
from engine.rules.editions import Edition

_NUMBERS: Final = 2**63
"""Upper limit (exclusive) for SQLite's integers."""
_READ_GAME: Final = f"SELECT {journal_file.GAME_COLUMNS}, checksum FROM game"  # noqa: S608
_READ_ACTIONS: Final = (
    f"SELECT {journal_file.ACTION_COLUMNS}, checksum FROM action WHERE game = ? ORDER BY number"  # noqa: S608
)
_READ_NOTES: Final = (
    f"SELECT {journal_file.NOTE_COLUMNS}, checksum FROM note WHERE game = ? ORDER BY number"  # noqa: S608
)


@dataclass(frozen=True)
class SavedGame:
    """A saved game that can be resumed."""

    id: int
    beginning: GameOptions
    players: game_rows.PlayerNames = game_rows.NO_NAMES


class Journal:
    """The saved games in one file.

    Only games of the given `origin` can be resumed, because the pieces of all others are on another
    board.
    """

    def __init__(
        self,
        path: Path,
        origin: str = "board",
        connect: journal_file.Connect | None = None,
        *,
        creates: bool = True,
    ) -> None:
        """Open or create the file. Raise StorageError on failure.

        `connect` replaces `sqlite3.connect`. Simulations pass a function that opens a database with
        simulated disk failures. Without `creates`, a missing file is read as if it were empty.
        """
        self.path = path
        self.origin = origin
        self.file = journal_file.JournalFile(path, connect, creates=creates)
        self._one_player = journal_file.JournalLock(path)
        self._lengths: dict[int, int] = {}
        """Number of saved actions in each game that this process plays."""

    def close(self) -> None:
        """Close the file and release the lock."""
        self.file.close()
        self._one_player.leave()

    def play(self) -> None:
        """Lock the file for playing. Raise StorageError if another process holds the lock."""
        try:
            with self.file.translating_errors():
                self._one_player.take()
        except StorageError as error:
            # Another process has locked the file, so the error is not a disk error.
            if isinstance(error.__cause__, BlockingIOError):
                why = "another Boomboard is playing these games"
                raise StorageError(self.path, StorageErrorKind.LOCKED, why) from error
            raise

    def cannot_follow(self, why: str) -> StorageError:
        """Return the error for saved data that is not a valid game. `why` is the reason."""
        return StorageError(self.path, StorageErrorKind.GAME, why)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Save everything within this context in one transaction, or save nothing."""
        # If the transaction fails, the numbers of saved actions are restored, so that the same rows
        # can be written again.
        lengths = dict(self._lengths)
        try:
            with self.file.together():
                yield
        except BaseException:
            self._lengths = lengths
            raise

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """Use the open transaction, or open a new one."""
        with self.file.translating_errors():
            # SQLite has no nested transactions, but a new game is saved together with its first
            # actions.
            is_part = self.file.connection.in_transaction
        with nullcontext() if is_part else self.transaction():
            yield self.file.connection

    def begin(
        self,
        edition: Edition,
        seed: int,
        control: TimeControl,
        players: game_rows.PlayerNames = game_rows.NO_NAMES,
    ) -> int:
        """Create a new game and return its number.

        Raise StorageError on failure, or if another process is playing games in this file.
        """
        self.play()
        now = f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S}"
        written = map(to_plain, (edition, control, players, BLANK))
        played, timed, named, saved = map(json.dumps, written)
        with self._transaction() as connection:
            # Disk corruption may have changed a game's number to a number that was never assigned.
            ((game,),) = connection.execute(
                "SELECT max(next, (SELECT coalesce(max(id), 0) + 1 FROM game)) FROM ledger"
            )
            connection.execute(
                "INSERT INTO game VALUES (?, ?, ?, ?, ?, ?, ?, ?, NULL, NULL, NULL, 0, ?, ?, '')",
                (
                    *(game, now, self.origin, played, seed, timed, named, saved),
                    *(game_rows.FIRST_PREDECESSOR, game_rows.FIRST_PREDECESSOR),
                ),
            )
            journal_file.update_game_checksum(connection, game)
            connection.execute("UPDATE ledger SET next = ? + 1, games = games + 1", (game,))
            journal_file.update_ledger_checksum(connection)
            self._lengths[game] = 0
        return int(game)

    def append(
        self,
        game: int,
        at: float,
        actions: Sequence[Action],
        outcome: GameOver | None,
        clock: ClockState,
        saved: SavedState = BLANK,
        notes: Sequence[game_rows.Note] = (),
        plies: int = 0,
    ) -> None:
        """Save accepted actions. Once the method has returned, they survive a power cut.

        Args:
            game: Number of the game.
            at: Time on the table's clock, in seconds.
            actions: The actions, which may be empty if only the other data has changed.
            outcome: Outcome of the game, or None if the game is not over.
            clock: State of the players' clocks after the actions.
            saved: State of the table after the actions.
            notes: Notes taken at the same time, before the actions.
            plies: Number of plies after the actions.

        Raise StorageError on failure, or if another process is playing games in this file or has
        written to this game.
        """
        self.play()
        shown = json.dumps(write_clock(clock))
        with self._transaction() as connection:
            # The check must be part of the transaction. Otherwise, another process could write
            # between the check and the insertion.
            self._expect_nothing_new(game)
            # Each checksum covers the previous one, so the latest checksums are saved in the game's
            # row.
            row = connection.execute(
                "SELECT actions, notes, (SELECT count(*) FROM note WHERE game = ?1) FROM game"
                " WHERE id = ?1",
                (game,),
            ).fetchone()
            if row is None:
                raise ValueError(f"game {game} was deleted")
            length, (last_action, last_note, noted) = self._lengths[game], row
            # Notes come first, because they were taken before any actions with the same time. One
            # of their columns contains the number of earlier actions.
            for number, note in enumerate(notes, noted + 1):
                columns = number, length, float(at), json.dumps(write_event(note)), shown
                last_note = game_rows.row_checksum(last_note, game, *columns)
                connection.execute(
                    "INSERT INTO note VALUES (?, ?, ?, ?, ?, ?, ?)", (game, *columns, last_note)
                )
            for number, action in enumerate(actions, length + 1):
                done = number, float(at), game_rows.action_text(action), shown
                last_action = game_rows.row_checksum(last_action, game, *done)
                connection.execute(
                    "INSERT INTO action VALUES (?, ?, ?, ?, ?, ?)", (game, *done, last_action)
                )
            # The outcome may have become None again, if the end of the game was taken back.
            reason = outcome and outcome.reason.value
            winner = outcome.winner.value if outcome and outcome.winner else None
            connection.execute(
                "UPDATE game SET outcome = ?, winner = ?, plies = ?, memory = ?, clock = ?,"
                " actions = ?, notes = ? WHERE id = ?",
                (
                    *(reason, winner, plies, json.dumps(to_plain(saved)), shown),
                    *(last_action, last_note, game),
                ),
            )
            journal_file.update_game_checksum(connection, game)
            self._lengths[game] += len(actions)

    def unfinished(self, number: int | None = None) -> SavedGame | None:
        """Return an unfinished game from `origin`, by default the latest.

        Return None if the game is over.

        Raise StorageError if the game is damaged, and JournalError if no game has this number.
        """
        with self.file.snapshot():
            return self._unfinished(number)

    def unfinished_games(self) -> list[game_rows.GameSummary]:
        """Return all games from `origin` that can be resumed, oldest first."""
        with self.file.translating_errors():
            found = self.file.connection.execute(
                f"{_READ_GAME} WHERE origin = ? AND outcome IS NULL ORDER BY id", (self.origin,)
            ).fetchall()
        games = [game_rows.GameRow(*row).summary() for row in found]
        # A damaged game must not hide all others. `games list` shows that it is damaged.
        return [game for game in games if not game.is_damaged]

    def _unfinished(self, number: int | None) -> SavedGame | None:
        row = self._latest() if number is None else self._row(number)
        if row is None:
            return None
        with self.file.translating_errors(StorageErrorKind.GAME):
            row.check()
        if row.outcome is not None or row.origin != self.origin:
            return None
        with self.file.translating_errors(StorageErrorKind.GAME):
            # The notes are not used, only checked: a game with damaged notes must not be continued,
            # because its next note would extend a broken chain.
            lines, _ = self._lines(row), self._noted(row)
            beginning = GameOptions(
                row.edition_played,
                row.seed,
                row.control,
                tuple(read_action(game_rows.plain(action)) for _, _, action, _ in lines),
                read_clock(game_rows.plain(row.clock)) if row.clock else None,
                from_plain(game_rows.plain(row.memory), SavedState, "the saved state"),
                row.people.computer,
            )
            self._lengths[row.id] = len(lines)
            return SavedGame(row.id, beginning, row.people)

    def reload(self, kept: SavedGame) -> SavedGame:
        """Reload an unfinished game, because another process may have continued it.

        Raise StorageError if the game is over or has been deleted in the meantime.
        """
        found = None
        with suppress(JournalError):
            found = self.unfinished(kept.id)
        # The game was unfinished when it was chosen, so another process must have played it.
        if found is None:
            why = f"another Boomboard has continued game {kept.id}"
            raise StorageError(self.path, StorageErrorKind.LOCKED, why)
        return found

    def games(self) -> list[game_rows.GameSummary]:
        """Return the games of all origins, oldest first, including damaged games."""
        with self.file.translating_errors():
            rows = [
                game_rows.GameRow(*row)
                for row in self.file.connection.execute(f"{_READ_GAME} ORDER BY id")
            ]
        return [row.summary() for row in rows]

    def transcript(self, number: int) -> Transcript:
        """Return the transcript of a saved game. It must not be shown during the game.

        The transcript contains declared ranks and, for a finished game on the simulated board, the
        ranks printed on the pieces. Raise JournalError if no game has this number, or if the game
        is damaged.
        """
        try:
            with self.file.snapshot():
                row = self._row(number)
                row.check()
                lines = self._lines(row)
            timed = [(at, read_action(game_rows.plain(action))) for _, at, action, _ in lines]
            players = row.people.both
            game = transcribe(row.edition_played, timed, row.control, row.began_at, players=players)
        except game_rows.ChecksumError as error:
            raise self._damaged(number, str(error)) from error
        except ValueError as error:
            raise self._damaged(number, "its actions are not a valid game") from error
        printed = game.outcome and PrintedPieces(self.path).all_of(number, game.begun)
        return with_printed(game, printed) if printed else game

    def people(self, number: int) -> game_rows.PlayerNames:
        """Return the names in a saved game. Raise the same errors as `transcript`."""
        try:
            row = self._row(number)
            row.check()
            return row.people
        except ValueError as error:
            raise self._damaged(number, "its players cannot be read") from error

    def notes(self, number: int) -> list[game_rows.StoredNote]:
        """Return the notes of a saved game in order. Raise the same errors as `transcript`.

        Notes of an unknown type are left out.
        """
        try:
            with self.file.snapshot():
                rows = self._noted(self._row(number))
        except game_rows.ChecksumError as error:
            raise self._damaged(number, str(error)) from error
        noted = []
        for _, after, at, note, clock in rows:
            with suppress(ValueError):
                noted.append(
                    game_rows.StoredNote(
                        after,
                        at,
                        game_rows.read_note(game_rows.plain(note)),
                        read_clock(game_rows.plain(clock)),
                    )
                )
        return noted

    def clocks(self, number: int) -> list[ClockState]:
        """Return the clocks after each action of a saved game.

        Raise the same errors as `transcript`.
        """
        try:
            with self.file.snapshot():
                lines = self._lines(self._row(number))
            return [read_clock(game_rows.plain(clock)) for _, _, _, clock in lines]
        except game_rows.ChecksumError as error:
            raise self._damaged(number, str(error)) from error
        except ValueError as error:
            raise self._damaged(number, "its clock cannot be read") from error

    def delete(self, number: int) -> None:
        """Delete a saved game.

        Raise JournalError if no game has this number. Raise StorageError if another process is
        playing games in this file, because that process may be playing this game.
        """
        self._row(number)
        self.play()
        self._row(number)  # another process may have deleted it before the lock was taken
        with self._transaction() as connection:
            # Foreign keys are off, so the rows are deleted table by table, ending with the game's
            # row.
            connection.execute("DELETE FROM note WHERE game = ?", (number,))
            connection.execute("DELETE FROM action WHERE game = ?", (number,))
            connection.execute("DELETE FROM game WHERE id = ?", (number,))
            connection.execute("UPDATE ledger SET games = games - 1")
            journal_file.update_ledger_checksum(connection)
        # The printed ranks are deleted last. If the deletion fails, ranks without a game do no
        # harm, whereas a game without its ranks would be incomplete.
        PrintedPieces(self.path).forget(number)

    def _expect_nothing_new(self, game: int) -> None:
        """Raise ValueError if another process has written to the game."""
        (count,) = self.file.connection.execute(
            "SELECT count(*) FROM action WHERE game = ?", (game,)
        ).fetchone()
        if self._lengths.setdefault(game, count) != count:
            raise ValueError(f"another process has written to game {game}")

    def _latest(self) -> game_rows.GameRow | None:
        """Return the latest game of this origin, or None.

        Raise StorageError if that game or a later one is damaged.
        """
        with self.file.translating_errors():
            numbers = self.file.connection.execute(
                "SELECT id FROM game ORDER BY id DESC"
            ).fetchall()
        # The search stops at a damaged game. That game may be the one to resume, and resuming an
        # older game would hide the damage.
        for (number,) in numbers:
            row = self._row(number)
            with self.file.translating_errors(StorageErrorKind.GAME):
                row.check()
            if row.origin == self.origin:
                return row
        return None

    def _row(self, number: int) -> game_rows.GameRow:
        with self.file.translating_errors():
            found = None
            if number < _NUMBERS:
                query = f"{_READ_GAME} WHERE id = ?"
                found = self.file.connection.execute(query, (number,)).fetchone()
        if found:
            return game_rows.GameRow(*found)
        raise JournalError(
            f"There is no game {number} in {self.path}; “boomboard games list” lists all games."
        )

    def _lines(self, row: game_rows.GameRow) -> list[tuple[int, float, str, str]]:
        """Return each action of a game: its number, time, text and clock.

        Raise ChecksumError if one of them is damaged.
        """
        with self.file.translating_errors():
            found = self.file.connection.execute(_READ_ACTIONS, (row.id,)).fetchall()
        # The chain is verified before any row is parsed, because a parse error could reveal a
        # declared rank.
        game_rows.verify_chain("action", row.id, found, row.actions)
        return [line[:-1] for line in found]

    def _noted(self, row: game_rows.GameRow) -> list[tuple[int, int, float, str, str]]:
        """Return each note of a game: its number, the number of earlier actions, time, text, clock.

        Raise ChecksumError if one of them is damaged.
        """
        with self.file.translating_errors():
            found = self.file.connection.execute(_READ_NOTES, (row.id,)).fetchall()
        game_rows.verify_chain("note", row.id, found, row.notes)
        return [note[:-1] for note in found]

    def _damaged(self, number: int, why: str) -> JournalError:
        return JournalError(
            f"Game {number} in {self.path} is damaged ({why}); the others are not, and "
            f"“boomboard games delete {number}” deletes it."
        )
