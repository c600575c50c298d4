"""The well-known setups, for all players; `known.txt` has their pictures."""

from dataclasses import replace
from functools import cache
from importlib import resources
from typing import Final

from companion.setups.setup_file import NamedSetup, read_setups
from engine.board.ranks import Army

FILE: Final = "known.txt"


def known_setups(army: Army) -> list[NamedSetup]:
    """Return the setups that fit an army. Names and sentences are to be translated."""
    adapted = [replace(each, setup=each.setup.adapted(army)) for each in _all()]
    return [each for each in adapted if each.setup.fits(army)]


@cache
def _all() -> list[NamedSetup]:
    text = resources.files("companion.setups").joinpath(FILE).read_text(encoding="utf-8")
    return read_setups(text, FILE)
