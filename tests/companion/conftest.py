"""What the tests share that watch a board in real time."""

import math

import pytest

from companion.maintenance import findings
from tests.patience import put_off_answers


@pytest.fixture
def busy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing that comes late is a finding: the checks keep the computer busy themselves.

    The simulated board, its link and the test are threads of one process, and together they get
    what a busy computer leaves to one. Late frames and answers that fail to come are tested
    elsewhere, in the time of the test.
    """
    monkeypatch.setattr(findings, "ASTRAY_FRAMES", math.inf)
    put_off_answers(monkeypatch)
