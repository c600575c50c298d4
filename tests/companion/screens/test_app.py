"""Where the companion fills the screen, and where it is a window."""

from pathlib import Path

import pytest

from companion.app import _is_small_screen
from companion.screens.base.base_screen import BaseScreen
from tests.companion.screens.driver import Driver, walk
from tests.companion.screens.playing import begin


@pytest.mark.parametrize(
    ("status", "modes", "small"),
    [
        ("connected\n", "800x480\n640x480\n", True),
        ("connected\n", "1920x1080\n800x480\n", False),
        ("disconnected\n", "800x480\n", False),
        ("connected\n", "", False),
    ],
)
def test_a_pi_s_own_screen_is_filled(tmp_path: Path, status: str, modes: str, small: bool) -> None:
    output = tmp_path / "card1-DSI-1"
    output.mkdir()
    (output / "status").write_text(status)
    (output / "modes").write_text(modes)
    assert _is_small_screen(tmp_path) is small


def test_a_machine_without_displays_has_no_small_screen(tmp_path: Path) -> None:
    assert not _is_small_screen(tmp_path / "none")


def test_a_screen_is_gone_as_soon_as_another_is_there(driver: Driver) -> None:
    begin(driver)
    driver.app.stage.leave()
    driver.app.face.refresh()
    assert driver.view == "start"
    assert sum(isinstance(widget, BaseScreen) for widget in walk(driver.app.root)) == 1
