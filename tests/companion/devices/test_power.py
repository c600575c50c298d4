"""Shutting down the computer."""

import logging
import sys

import pytest

from companion.devices.watchdog import COMMAND, STAYS_ON, switch_off


def test_systemd_is_asked_without_a_password() -> None:
    assert COMMAND == ("systemctl", "--no-ask-password", "poweroff")


def test_a_computer_that_goes_off_says_nothing() -> None:
    assert switch_off([sys.executable, "-c", ""]) == ""


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ([sys.executable, "-c", "raise SystemExit('Access denied')"], "Access denied"),
        (["no-such-program"], "no-such-program"),
    ],
)
def test_a_computer_that_stays_on_is_told_on_the_screen_and_why_in_the_log(
    caplog: pytest.LogCaptureFixture, command: list[str], reason: str
) -> None:
    with caplog.at_level(logging.ERROR):
        assert switch_off(command) == STAYS_ON
    [record] = caplog.records
    assert reason in record.getMessage()
