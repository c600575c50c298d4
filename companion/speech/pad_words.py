"""Reasons why phones cannot be used as pads, each with a remedy."""

from collections.abc import Mapping
from typing import Final

from companion.pads.trouble import PadTrouble
from companion.speech.language import N_, Language

_WORDS: Final[Mapping[PadTrouble, str]] = {
    PadTrouble.PORT_TAKEN: N_(
        "Another program uses port {port}. Close it, or name another port with --pads."
    ),
    PadTrouble.NO_SUCH_ADDRESS: N_(
        "This computer does not have that address. Name one of its own with --pads."
    ),
    PadTrouble.NOT_ALLOWED: N_(
        "This program may not use port {port}. Name a port above 1023 with --pads."
    ),
    PadTrouble.SHUT_OUT: N_(
        "The system lets this program into no network. Allow it as docs/pads.md says."
    ),
    PadTrouble.NO_NETWORK: N_(
        "This computer is in no network. Join one, such as the Wi-Fi of the phones, and try again."
    ),
    PadTrouble.CERTIFICATE: N_(
        "The certificate and its key cannot be used. Look whether both files are there and belong "
        "together."
    ),
    PadTrouble.STOPPED: N_("The phones' pages are not served any more. Open them again."),
}


def pad_words(trouble: PadTrouble, port: int, language: Language) -> str:
    """Return the problem and its remedy; `port` is the requested one."""
    return language.text(_WORDS[trouble], port=port)
