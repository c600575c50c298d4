"""What is wrong with the place where games are kept, and what to do about it."""

from collections.abc import Mapping
from typing import Final

from companion.speech.language import N_, Language
from companion.store.journal import StorageError
from companion.store.storage_trouble import StorageTrouble

_WORDS: Final[Mapping[StorageTrouble, str]] = {
    StorageTrouble.FULL: N_("The disk is full: free some space."),
    StorageTrouble.LOCKED: N_("Another program is using {file}: close it."),
    StorageTrouble.DAMAGED: N_("{file} is damaged: move it elsewhere."),
    StorageTrouble.FORBIDDEN: N_("Nothing can be written into {folder}: allow it."),
    StorageTrouble.OTHER: N_("{file} cannot be used ({detail})."),
}


def storage_words(error: StorageError, language: Language) -> str:
    """Say it in one plain sentence."""
    return language.text(
        _WORDS[error.trouble], file=error.path, folder=error.path.parent, detail=error.detail
    )
