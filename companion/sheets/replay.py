"""A finished game, ply by ply: positions and announcements.

It reveals every known rank, so it must not be shown during the game (rules.md §10).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from companion.sheets.snapshot import Snapshot, stand
from companion.speech.announcer import Announcer
from engine.board.geometry import Square, squares_in
from engine.board.ranks import Rank, sole
from engine.game.game_state import Phase
from engine.game.referee import Referee
from engine.game.rulings import (
    ArmiesPlaced,
    AttackOpened,
    BoardAccepted,
    Combat,
    DisputeSettled,
    GameOver,
    Infiltrated,
    InfiltrationOpened,
    Moved,
    Overridden,
    Ruling,
)
from engine.records.transcript import Transcript

_TOLD: Final = (
    *(ArmiesPlaced, Moved, AttackOpened, Combat, InfiltrationOpened, Infiltrated),
    *(Overridden, DisputeSettled, BoardAccepted, GameOver),
)

_DECISIVE: Final = {
    *(Rank.MARSHAL, Rank.GENERAL, Rank.COLONEL),
    *(Rank.SPY, Rank.BOMB, Rank.FLAG),
}


@dataclass(frozen=True)
class Page:
    """The game after one ply."""

    seen: Snapshot
    told: str
    """Announcements of the ply, in one or more sentences."""
    known: Mapping[Square, Rank] = field(default_factory=dict)
    """Ranks that follow from public information up to then."""
    is_key: bool = False
    """Whether a piece fell that often decides games, or the game ended."""


def replay(transcript: Transcript, announcer: Announcer) -> list[Page]:
    """Return a page for the setup and one for each ply that was not taken back."""
    pages: list[Page] = []
    referee, told, is_key = Referee.waiting(transcript.edition), "", False
    for action in transcript.referee().in_force:
        rulings = referee.apply(action)
        told = _joined(told, _say(rulings, announcer))
        is_key = is_key or any(map(_decides, rulings))
        settled = referee.phase in (Phase.PLAY, Phase.OVER)
        # A scout has moved on from its first target, or a player has ended the game: the page of
        # this ply is replaced, or is delayed until its combat is settled.
        while len(pages) > referee.plies + (not settled):
            page = pages.pop()
            told, is_key = _joined(page.told, told), page.is_key or is_key
        if settled:
            pages.append(Page(stand(transcript, referee), told, _known(referee), is_key))
            told, is_key = "", False
    return pages


def _known(referee: Referee) -> dict[Square, Rank]:
    """The ranks on the board that follow from public information."""
    position = referee.position
    found = {each: sole(position.ranks_at(each)) for each in squares_in(position.board.occupied)}
    return {square: rank for square, rank in found.items() if rank is not None}


def _decides(ruling: Ruling) -> bool:
    """Whether a ruling announces something that often decides games."""
    if isinstance(ruling, Combat):
        return bool(_DECISIVE & {ruling.attacker, ruling.defender})
    return isinstance(ruling, GameOver) or (isinstance(ruling, Infiltrated) and ruling.right)


def _say(rulings: tuple[Ruling, ...], announcer: Announcer) -> str:
    return _joined(*(announcer.sentence(each) for each in rulings if isinstance(each, _TOLD)))


def _joined(*sentences: str) -> str:
    return " ".join(filter(None, sentences))
