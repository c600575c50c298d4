"""Fixtures for the tests of several commands."""

import shutil
from pathlib import Path

import pytest

from companion.storage.records import sample_game


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    """Copy of the sample game."""
    with sample_game() as path:
        return Path(shutil.copy(path, tmp_path / "sample.xml"))
