"""Declaration of a rank by ear: ranks are read to the owner, who stops at the right one.

The order is random each time and cannot be foreseen: the number of presses reveals nothing.
"""

import random
from dataclasses import dataclass

from companion.speech.language import Language, capitalized
from companion.table.events import RankAsked
from engine.board.ranks import Rank
from engine.board.visibility import Secret


@dataclass(frozen=True)
class Reading:
    """The text for one press: a rank, or a notice for its owner only."""

    words: Secret[str]
    rank: Secret[Rank] | None


class RanksByEar:
    """The possible ranks of a piece, in the language of its owner, repeated in a cycle."""

    def __init__(self, asked: RankAsked, language: Language, word: str) -> None:
        """Prepare a question; if there is a private notice, `word`, it is read first."""
        owner = asked.owner
        ranks = list(asked.tiles)
        random.SystemRandom().shuffle(ranks)
        self._due = [
            Reading(Secret(owner, capitalized(language.rank(rank))), Secret(owner, rank))
            for rank in ranks
        ]
        self._round = list(self._due)
        if word:
            self._due.insert(0, Reading(Secret(owner, word), None))
        self._latest: Reading | None = None

    def next(self) -> Secret[str]:
        """Advance to the next text."""
        self._due = self._due or list(self._round)
        self._latest = self._due.pop(0)
        return self._latest.words

    @property
    def latest(self) -> Secret[Rank] | None:
        """The rank that was read last, None before the first."""
        return self._latest.rank if self._latest else None
