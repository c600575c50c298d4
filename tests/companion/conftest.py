"""Fixture for tests that observe a board in real time."""

import math

import pytest

from companion.diagnostics import inspection
from tests.timeouts import put_off_answers


@pytest.fixture
def busy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ignore late frames, because the tests keep the computer busy.

    The board, the link and the test are threads of a single process. Late frames are tested in
    simulated time.
    """
    monkeypatch.setattr(inspection, "ASTRAY_FRAMES", math.inf)
    put_off_answers(monkeypatch)
