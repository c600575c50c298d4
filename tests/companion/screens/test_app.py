"""Where the companion fills the screen, and where it is a window."""

from pathlib import Path

import pytest

from companion.app import _is_small_screen


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
