import logging
import sys

import pytest

from companion.devices.watchdog import COMMAND, STAYS_ON, switch_off


def test_power_off_without_a_password() -> None:
    assert COMMAND == ("systemctl", "--no-ask-password", "poweroff")


def test_successful_power_off_is_silent() -> None:
    assert switch_off([sys.executable, "-c", ""]) == ""


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ([sys.executable, "-c", "raise SystemExit('Access denied')"], "Access denied"),
        (["no-such-program"], "no-such-program"),
    ],
)
def test_failed_power_off_is_reported(
    caplog: pytest.LogCaptureFixture, command: list[str], reason: str
) -> None:
    with caplog.at_level(logging.ERROR):
        assert switch_off(command) == STAYS_ON
    [record] = caplog.records
    assert reason in record.getMessage()
