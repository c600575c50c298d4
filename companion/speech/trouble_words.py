"""Texts about errors of the connection to the board, each with a remedy."""

from collections.abc import Mapping
from typing import Final

from companion.speech.language import N_, Language
from firmware_bridge.link import OtherProtocol, Trouble, TroubleKind

_TROUBLES: Final[Mapping[TroubleKind, str]] = {
    TroubleKind.NO_BOARD: N_("No board found. Plug its USB cable in; the search goes on."),
    TroubleKind.NO_SUCH_PORT: N_(
        "There is no serial port {port}. Plug the board in, or name another port."
    ),
    TroubleKind.BUSY: N_("Another program uses {port}. Close it; then this one goes on."),
    TroubleKind.NO_PERMISSION: N_(
        "You may not use {port}. Join its group with “sudo usermod -aG dialout $USER”, log out and "
        "in again."
    ),
    TroubleKind.WRONG_FIRMWARE: N_(
        "The board on {port} does not say which version it speaks. Flash the firmware that came "
        "with this program."
    ),
    TroubleKind.NO_ANSWER: N_(
        "The board on {port} does not answer. Unplug it, plug it in again, and look whether "
        "another device uses this port."
    ),
    TroubleKind.GARBAGE: N_(
        "{port} brings only garbage. Look whether this is the board, and whether its cable is "
        "whole."
    ),
    TroubleKind.SILENT: N_(
        "The board has fallen silent. If it lasts, unplug the board and plug it in again."
    ),
    TroubleKind.UNPLUGGED: N_("The board is unplugged. Plug it in again."),
}


_OTHER_PROTOCOL: Final = N_(
    "The board on {port} speaks version {theirs} and this program {ours}. Flash the firmware that "
    "came with this program."
)


def trouble_words(trouble: Trouble, language: Language) -> str:
    """Return the problem and its remedy, entirely in the player's language."""
    match trouble.detail:
        case OtherProtocol(theirs, ours):
            numbers = {"theirs": theirs, "ours": ours}
            return language.text(_OTHER_PROTOCOL, port=trouble.port, **numbers)
        case str():  # for developers
            return language.text(_TROUBLES[trouble.kind], port=trouble.port)
