"""Fixtures: the parts are made once for all tests."""

import pytest

from hardware.mechanics.catalogue import parts
from hardware.mechanics.part import Part


@pytest.fixture(scope="session")
def made() -> list[Part]:
    return parts()
