"""A game that is over, ply by ply: where everything stood, and what had been said.

It tells every rank that is known, so it is nothing for the time of the game (rules.md §10).
"""

from dataclasses import dataclass
from typing import Final

from companion.announcer import Announcer
from companion.score.snapshot import Snapshot, stand
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
        told = " ".join(filter(None, [told, _say(referee.apply(action), announcer)]))
        if referee.phase not in (Phase.PLAY, Phase.OVER):
            continue  # the ply is still being made
        if referee.plies == len(pages):
            pages.append(Page(stand(transcript, referee), told))
        else:
            # A scout has gone on from where it was set down, or somebody has ended the game.
            before = pages.pop()
            pages.append(Page(stand(transcript, referee), f"{before.told} {told}"))
        told = ""
    return pages


def _say(rulings: tuple[Ruling, ...], announcer: Announcer) -> str:
    return " ".join(announcer.sentence(each) for each in rulings if isinstance(each, _TOLD))
