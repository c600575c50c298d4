"""Fixed texts of a page. They contain nothing about a game."""

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
    # From here on: sealed armies.
    "setups": N_("Setups …"),
    "clear": N_("Take all off"),
    "name": N_("Name"),
    "keep": N_("Keep"),
    "delete": N_("Delete"),
    "complete": N_("All pieces have their places. Seal them, and each counts as what it is here."),
    "seal": N_("Seal"),
    "sealed": N_(
        "Your army is sealed. Set it up like this; what the board does not see yet is pale."
    ),
    "elsewhere": N_("Your army is sealed on the touchscreen or on another phone."),
    "change": N_("Change the setup"),
    "differs": N_("The board sees it otherwise: {squares}."),
    "another": N_("My piece is another one"),
    "mixed": N_(
        "Touch what your piece is. That is not what you have sealed, so stay by it then, and it is "
        "decided by both of you or by an arbiter."
    ),
    "unopened": N_(
        "This phone does not have what opens your seals. Use the touchscreen or the phone on which "
        "you have sealed, or let the arbiter break your seals."
    ),
}


@cache
def labels(code: str) -> str:
    """Return the texts in a language as JSON; LookupError if the code is unknown.

    Only the page can fill in the ``{squares}`` of a text.
    """
    text = Language(code).text
    said = {key: text(label, squares="{squares}") for key, label in _LABELS.items()}
    return json.dumps(said, ensure_ascii=False)
