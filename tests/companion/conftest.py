"""Fixtures for tests that watch a board in real time."""

import math

import pytest

from companion.diagnostics import inspection
from tests.timeouts import put_off_answers


@pytest.fixture
def busy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ignore late frames, because the checks themselves keep the computer busy.

    The simulated board, its link and the test are threads of one process, which together get one
    process's share of a busy computer. Late frames and missing answers are tested elsewhere, in
    simulated time.
    """
    monkeypatch.setattr(inspection, "ASTRAY_FRAMES", math.inf)
    put_off_answers(monkeypatch)
