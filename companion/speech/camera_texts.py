"""Sentences about camera problems and their remedies."""

from collections.abc import Mapping
from typing import Final

from companion.speech.i18n import N_, Language
from engine.board.geometry import name
from firmware_bridge.camera.notices import Notice, NoticeKind

_MOST_NAMED: Final = 6
"""Maximum number of squares named in a sentence."""

SENTENCES: Final[Mapping[NoticeKind, str]] = {
    NoticeKind.NO_FRAME: N_(
        "The camera does not see the printed frame. Aim it so that the whole frame is visible."
    ),
    NoticeKind.WRONG_FRAME: N_(
        "The markers are not where the printed frame has them. Check the order of the pieces of "
        "the frame."
    ),
    NoticeKind.TOO_DARK: N_("It is too dark for the camera. Switch a light on."),
    NoticeKind.MOVED: N_("The camera or the board was moved. Leave both where they are."),
    NoticeKind.COVERED: N_("Something covers the printed frame near {squares}. Remove it."),
    NoticeKind.HIDDEN: N_(
        "Something hides the printed frame near {squares}. If it is the pieces, place the camera "
        "higher. Otherwise, remove it."
    ),
    NoticeKind.SHOW_EMPTY: N_(
        "The camera has to see the empty board first. Remove all pieces for a moment."
    ),
    NoticeKind.SET_UP: N_(
        "The camera knows the empty board now. Set up both armies, Red on rows 1 to 4."
    ),
    NoticeKind.ALIKE: N_(
        "The camera cannot distinguish the pieces from the board. Use pieces in other colours, or "
        "cover the board with plain paper."
    ),
    NoticeKind.UNCLEAR: N_(
        "The camera cannot read {squares}. Put the pieces in the middle of their squares."
    ),
}
"""The sentence for each condition. ``{squares}`` is replaced with the affected squares."""
UNPLUGGED: Final = N_("The camera is not connected. Plug it in again.")


def camera_sentence(notice: Notice, language: Language) -> str:
    some = sorted(notice.squares[:_MOST_NAMED])
    return language.text(SENTENCES[notice.kind], squares=", ".join(map(name, some)))
