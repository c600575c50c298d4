"""The corpus of recorded games: a folder beside the repository, ../shared/corpus.

A clone does not have it, so tests that read it are skipped there. Continuous integration has it,
and there they must run.
"""

import os
from pathlib import Path

import pytest

CORPUS = Path(__file__).parents[2] / "shared" / "corpus"


def corpus(path: str, folder: Path = CORPUS) -> Path:
    """Return a file or folder of the corpus; skip where there is none, but never in CI."""
    if not folder.is_dir():
        word = "the corpus of recorded games, the folder ../shared/corpus, is not beside this clone"
        if os.environ.get("CI"):
            pytest.fail(word)
        pytest.skip(word)
    return folder / path


def chase_games() -> list[str]:
    """Name the recorded chases, for parameters; without the corpus one that will be skipped."""
    return sorted(file.name for file in (CORPUS / "chase").glob("*.txt")) or ["no chase"]
