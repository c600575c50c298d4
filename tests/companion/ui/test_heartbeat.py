"""A frame sends a watchdog ping if and only if the host has ticked."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.companion.devices.test_watchdog import EIGHT_SECONDS, Systemd
from tests.companion.ui.driver import Driver


def test_heartbeat_needs_a_tick_of_the_host(
    drive: Callable[..., Driver], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with closing(Systemd(str(tmp_path / "notify"))) as systemd:
        driver = drive(supervisor=systemd.start(WATCHDOG_USEC=EIGHT_SECONDS))
        assert driver.view == "start"
        assert systemd.heard()[0] == "READY=1"
        driver.frames(1)
        systemd.heard()
        systemd.now += 2
        driver.frames(1)
        assert systemd.heard() == ["WATCHDOG=1"]

        def fall() -> None:
            raise RuntimeError("the host")

        monkeypatch.setattr(driver.app.host, "poll", fall)
        systemd.now += 2
        with pytest.raises(RuntimeError, match="the host"):
            driver.frames(1)
        assert systemd.heard() == []


def test_closing_the_window_is_reported(drive: Callable[..., Driver], tmp_path: Path) -> None:
    with closing(Systemd(str(tmp_path / "notify"))) as systemd:
        driver = drive(supervisor=systemd.start())
        assert driver.view == "start"
        systemd.heard()
        driver.app.dispatch("on_stop")
        assert systemd.heard() == ["STOPPING=1"]
