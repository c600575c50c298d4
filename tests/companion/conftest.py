"""What the tests share that watch a board in real time."""

import math

import pytest

from companion.workshop import findings


@pytest.fixture
def busy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Frames that come late are no finding: the checks keep the computer busy themselves.

    ``workshop/test_findings.py`` tests that finding, in the time of the test.
    """
    monkeypatch.setattr(findings, "ASTRAY_FRAMES", math.inf)
