"""Fixtures for the parts, which are built once for all tests."""

import pytest

from hardware.mechanics.flat import Part
from hardware.mechanics.tables import parts


@pytest.fixture(scope="session")
def made() -> list[Part]:
    return parts()
