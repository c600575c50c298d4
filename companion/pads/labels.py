"""The texts that a page has of its own, before and beside what it is shown: no game is in them."""

import json
from functools import cache
from typing import Final

from companion.speech.language import N_, Language

_LABELS: Final = {
    "away": N_("The board cannot be reached. It is tried again."),
    "taken": N_("Another phone has this seat. Have a new code shown on the touchscreen."),
    "out": N_("This code is no longer good. Read the new one on the touchscreen."),
    "again": N_("Touch again"),
    "back": N_("Back"),
    "silent": N_("Sound: off"),
    "loud": N_("Sound: on"),
    "sheet": N_("Score sheet"),
}


@cache
def labels(code: str) -> str:
    """Write them down in a language; LookupError if there is none with this code."""
    text = Language(code).text
    return json.dumps({key: text(_LABELS[key]) for key in _LABELS}, ensure_ascii=False)
