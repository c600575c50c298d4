"""What the tests share that watch a board in real time."""

import math
from functools import partial

import pytest

from companion import live
from companion.workshop import calibration, findings
from firmware_bridge.link import Link

PATIENCE_SECONDS = 60.0


@pytest.fixture
def busy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing that comes late is a finding: the checks keep the computer busy themselves.

    The simulated board, its link and the test are threads of one process, and together they get
    what a busy computer leaves to one. Late frames, a silent board and answers that fail to come
    are tested elsewhere, in the time of the test.
    """
    monkeypatch.setattr(findings, "ASTRAY_FRAMES", math.inf)
    patient = partial(Link, hello_seconds=PATIENCE_SECONDS, silent_seconds=PATIENCE_SECONDS)
    monkeypatch.setattr(live, "Link", patient)
    monkeypatch.setattr(calibration, "ANSWER_SECONDS", PATIENCE_SECONDS)
