"""Journals of random games, written row by row, and the feed items made from them."""

import random
from dataclasses import dataclass, field
from pathlib import Path

from companion.core.inputs import AdjustClock
from companion.hall.protocol.feed import Feed, write_item
from companion.hall.protocol.messages import game_key
from companion.simulator.random_games import RandomGame
from companion.storage.game_rows import PlayerNames
from companion.storage.journal import Journal
from companion.storage.journal_tail import JournalTail
from engine.board.geometry import Side
from engine.board.visibility import Secret
from engine.game.actions import Action, Attack, Declare, PlaceArmies
from engine.game.clocks import NO_CLOCK, ClockState
from engine.game.referee import Referee
from engine.rules.editions import DEFAULT


@dataclass
class SavedTable:
    path: Path
    seed: int = 0
    names: PlayerNames = field(default_factory=lambda: PlayerNames("Anna", "Bert"))

    def __post_init__(self) -> None:
        self.journal = Journal(self.path)
        self.at = 0.0
        self.begin()

    def begin(self) -> None:
        self.seed += 1
        self._game = RandomGame(DEFAULT, self.seed)
        self._shadow = Referee.waiting(DEFAULT, known=self._game.ranks)
        self.referee = Referee.waiting(DEFAULT)
        self.number = self.journal.begin(DEFAULT, self.seed, NO_CLOCK, self.names)
        self._keep(PlaceArmies(self._game.red, self._game.blue))
        self._shadow.apply(PlaceArmies(self._game.red, self._game.blue))

    def play(self, rows: int) -> None:
        """Save rows: turns and a few notes. When a game ends, a new one begins."""
        for _ in range(rows):
            if self.referee.outcome or (turn := self._game.turn(self._shadow)) is None:
                self.begin()
                continue
            if random.Random(f"{self.seed} {self.at}").random() < 0.1:
                self._keep(note=AdjustClock(Side.RED, 60))
            position = self.referee.position
            ranks = {}
            if isinstance(turn, Attack):
                sides = position.to_move, position.to_move.other
                squares = turn.source, turn.target
                ranks = {
                    side: self._game.ranks[position.board.piece_at(square)]
                    for side, square in zip(sides, squares, strict=True)
                }
            self._keep(turn)
            self._shadow.apply(turn)
            while self.referee.open_attack:
                side = self.referee.open_attack.awaited[0]
                self._keep(Declare(Secret(side, ranks[side])))

    def _keep(self, action: Action | None = None, note: AdjustClock | None = None) -> None:
        self.at += 1.5
        if action:
            self.referee.apply(action)
        self.journal.append(
            self.number,
            self.at,
            [action] if action else [],
            self.referee.outcome,
            ClockState(),
            notes=[note] if note else [],
        )


def items_of(path: Path, origin: str = "board") -> dict[str, list[str]]:
    """Return the items of every game in a journal."""
    follower = JournalTail(path, origin)
    texts = {}
    for begun in follower.games(1):
        feed = Feed(begun)
        items = [feed.begin(), *map(feed.take, follower.rows(begun.game).new())]
        texts[game_key(begun.at, begun.game)] = [write_item(item) for item in items]
    follower.close()
    return texts
