"""A rank declared by ear: one after another is read to its owner, who stops at the right one.

The order is new each time and nobody can foresee it: how often a button is pressed tells nothing.
"""

import random
from dataclasses import dataclass

from companion.speech.language import Language, capitalized
from companion.table.events import RankAsked
from engine.ranks import Rank
from engine.secrecy import Secret


@dataclass(frozen=True)
class Reading:
    """What is read at one press: a rank, or a word that is for its owner alone."""

    words: Secret[str]
    rank: Secret[Rank] | None


class RanksByEar:
    """The ranks that a piece can have, in the language of its owner, round and round."""

    def __init__(self, asked: RankAsked, language: Language, word: str) -> None:
        """Read a question; a word comes first, if there is something to be told."""
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
        """Go on to what is read next."""
        self._due = self._due or list(self._round)
        self._latest = self._due.pop(0)
        return self._latest.words

    @property
    def latest(self) -> Secret[Rank] | None:
        """The rank that was read last, None before the first."""
        return self._latest.rank if self._latest else None
