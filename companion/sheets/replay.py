"""A game that is over, ply by ply: where everything stood, and what had been said.

It tells every rank that is known, so it is nothing for the time of the game (rules.md §10).
"""

from dataclasses import dataclass
from typing import Final

from companion.sheets.snapshot import Snapshot, stand
from companion.speech.announcer import Announcer
from engine.games.transcript import Transcript
from engine.play.moment import Phase
from engine.play.referee import Referee
from engine.play.rulings import (
    ArmiesPlaced,
    AttackOpened,
    Combat,
    DisputeSettled,
    GameOver,
    Infiltrated,
    InfiltrationOpened,
    Moved,
    Overridden,
    Ruling,
)

_TOLD: Final = (
    *(ArmiesPlaced, Moved, AttackOpened, Combat, InfiltrationOpened, Infiltrated),
    *(Overridden, DisputeSettled, GameOver),
)


@dataclass(frozen=True)
class Page:
    """The game after one ply."""

    seen: Snapshot
    told: str
    """What was said about it, in one or more sentences."""


def replay(transcript: Transcript, announcer: Announcer) -> list[Page]:
    """Return a page for the setup and one for each ply that was not taken back."""
    pages: list[Page] = []
    referee, told = Referee.waiting(transcript.edition), ""
    for action in transcript.referee().in_force:
        told = _joined(told, _say(referee.apply(action), announcer))
        settled = referee.phase in (Phase.PLAY, Phase.OVER)
        # A scout has gone on from where it was set down, or somebody has ended the game: the page
        # of this ply is made anew, or waits with it until its combat is settled.
        while len(pages) > referee.plies + (not settled):
            told = _joined(pages.pop().told, told)
        if settled:
            pages.append(Page(stand(transcript, referee), told))
            told = ""
    return pages


def _say(rulings: tuple[Ruling, ...], announcer: Announcer) -> str:
    return _joined(*(announcer.sentence(each) for each in rulings if isinstance(each, _TOLD)))


def _joined(*sentences: str) -> str:
    return " ".join(filter(None, sentences))
