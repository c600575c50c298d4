"""Texts about errors of the file of games, each with a remedy."""

from collections.abc import Mapping
from typing import Final

from companion.speech.language import N_, Language
from companion.store.setting_aside import SetAside
from companion.store.storage_trouble import StorageError, StorageTrouble

_WORDS: Final[Mapping[StorageTrouble, str]] = {
    StorageTrouble.FULL: N_("The disk is full: free some space."),
    StorageTrouble.LOCKED: N_("Another program is using {file}: close it."),
    StorageTrouble.DAMAGED: N_("{file} is damaged: move it elsewhere."),
    StorageTrouble.GAME: N_("The game that was cut off is damaged. Begin a new one."),
    StorageTrouble.NEWER: N_("{file} was written by a newer Boomboard: update this one."),
    StorageTrouble.FOREIGN: N_("There are no games in {file}: move it elsewhere."),
    StorageTrouble.READ_ONLY: N_("{file} may only be read: allow writing."),
    StorageTrouble.FORBIDDEN: N_("Nothing can be written into {folder}: allow it."),
    StorageTrouble.UNOPENED: N_("{file} cannot be opened: move it elsewhere."),
    StorageTrouble.FAILING: N_("The disk with {file} fails: take another one."),
    StorageTrouble.OTHER: N_("{file} cannot be used."),
}
_SET_ASIDE: Final[Mapping[StorageTrouble, str]] = {
    StorageTrouble.DAMAGED: N_(
        "The kept games were damaged. They are now in {file}. New games are kept."
    ),
    StorageTrouble.NEWER: N_(
        "The kept games are of a newer Boomboard. They are now in {file}. New games are kept."
    ),
    StorageTrouble.FOREIGN: N_(
        "Another program's file lay in place of the games. It is now {file}. New games are kept."
    ),
}


def set_aside_words(aside: SetAside, language: Language) -> str:
    """Return which file was set aside, why, and where it is now."""
    return language.text(_SET_ASIDE[aside.trouble], file=aside.path)


def storage_words(error: StorageError, language: Language) -> str:
    """Return the error in one plain sentence, without the error text of the system."""
    return language.text(_WORDS[error.trouble], file=error.path, folder=error.path.parent)
