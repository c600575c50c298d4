"""Check that everything announced is on disk, and that the disk reproduces the same game.

A separate reader looks at the file whenever an event is announced. It replays every action from
there: the announcements, the file and the table have to agree.
"""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

from companion.simulator.soak.claim import Claim, insist
from companion.simulator.soak.disk import Disk
from companion.store.journal import Journal, KeptGame
from companion.store.session import Session
from companion.table import Table
from engine.board.geometry import Side
from engine.game.referee import Referee
from engine.records.serialization import read_action

_ACTIONS = "SELECT action FROM action WHERE game = ? AND number > ? ORDER BY number"


class KeptWatched:
    """Follows one session on the disk."""

    def __init__(self, path: Path, session: Session) -> None:
        """Start with a session that has not announced anything yet."""
        self._path, self._session = path, session
        self._reader: sqlite3.Connection | None = None
        self._mirror = Referee.waiting(session.table.referee.edition)
        self.announced = 0
        """Number of actions at the latest announcement."""

    @property
    def may_be_over(self) -> bool:
        """Whether the disk may hold no unfinished game: it is over, or nothing was announced."""
        is_over = self._session.table.referee.outcome or self._mirror.outcome
        return is_over is not None or not self.announced

    def close(self) -> None:
        if self._reader:
            self._reader.close()
            self._reader = None

    def told(self) -> None:
        """Check at an announcement of the session that everything up to here is on disk."""
        session, referee = self._session, self._session.table.referee
        accepted = len(referee.actions)
        if not session.is_kept or accepted == self.announced:
            return
        self.announced = accepted
        self._read()
        on_disk = len(self._mirror.actions)
        insist(
            Claim.ON_DISK,
            on_disk == accepted,
            f"{accepted} actions were accepted when it was told, and {on_disk} are on disk",
        )
        check_same_game(self._mirror, referee)

    def _read(self) -> None:
        if self._reader is None:
            self._reader = sqlite3.connect(self._path, isolation_level=None)
        at = self._session.number, len(self._mirror.actions)
        for (action,) in self._reader.execute(_ACTIONS, at).fetchall():
            self._mirror.apply(read_action(json.loads(action)))


def check_same_game(kept: Referee, played: Referee) -> None:
    """Check that the saved game leads to the current state of the game."""
    same = (
        list(kept.actions) == list(played.actions)
        and kept.phase is played.phase
        and kept.position == played.position
        and kept.outcome == played.outcome
    )
    insist(Claim.REPLAYS, same, f"it differs after {len(played.actions)} actions")


def check_same_table(kept: Table, played: Table) -> None:
    """Check that a resumed table has the same state as the one that was played at."""
    check_same_game(kept.referee, played.referee)
    insist(Claim.REPLAYS, kept.saved == played.saved, f"{kept.saved} is kept of {played.saved}")
    ours, theirs = kept.conversation, played.conversation
    insist(Claim.REPLAYS, ours.question == theirs.question, "another rank is asked for")
    words = [(ours.private_word(side), theirs.private_word(side)) for side in Side]
    insist(Claim.REPLAYS, all(a == b for a, b in words), "what was disproved is lost")


def read_kept(disk: Disk) -> KeptGame | None:
    """Return the unfinished game, as another program reads it from the file."""
    with closing(Journal(disk.path, connect=disk.connect_beside)) as journal:
        journal.file.check()
        return journal.unfinished()
