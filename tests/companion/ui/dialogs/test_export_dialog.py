"""Export a game and its incidents to a USB drive."""

from pathlib import Path

import pytest

from companion.devices.usb_drives import UsbDrive
from engine.game.referee import Referee
from tests.campaigns import RARE
from tests.companion.ui.driver import Driver
from tests.companion.ui.playing import STANDING, after, begin, play


@pytest.fixture
def ended(driver: Driver) -> Driver:
    """Viewer with a finished game that contains an illegal move."""
    begin(driver)
    image = play(driver, STANDING, "e4 e5", "a7 a6")
    driver.show(after(image, "k4 i5"))
    driver.show(image)
    for button in ("menu", "red_resigns"):
        driver.tap(button)
    driver.confirm()
    driver.tap("look")
    driver.confirm()
    return driver


def plug_in(driver: Driver, *sticks: UsbDrive) -> None:
    driver.app.presenter.find_sticks = lambda: sticks


def copy(driver: Driver) -> None:
    driver.tap("copy")
    driver.wait_for_real(lambda: not driver.find("copy").disabled)


def test_usb_drive_is_found(ended: Driver, tmp_path: Path) -> None:
    found: list[UsbDrive] = []
    ended.app.presenter.find_sticks = lambda: found
    ended.tap("open_export")
    assert "No USB stick found." in ended.texts()
    assert ended.find("copy").disabled
    found.append(UsbDrive(tmp_path / "CLUB", is_read_only=False))
    ended.pass_time(1.1)
    assert "CLUB is plugged in." in ended.texts()
    found.clear()
    ended.pass_time(1.1)
    assert "No USB stick found." in ended.texts()


def test_export_is_complete(ended: Driver, tmp_path: Path) -> None:
    (tmp_path / "CLUB").mkdir()
    plug_in(ended, UsbDrive(tmp_path / "CLUB", is_read_only=False))
    ended.tap("open_export")
    copy(ended)
    assert "You can unplug it." in ended.texts()
    folder = tmp_path / "CLUB" / "boomboard"
    assert sorted(path.name for path in folder.iterdir()) == [
        *("game-1-incidents.txt", "game-1.json", "game-1.txt")
    ]
    assert "Pieces move straight" in (folder / "game-1-incidents.txt").read_text()
    ended.pass_time(1.1)
    assert "You can unplug it." in ended.texts()
    ended.tap("close")
    assert "2 of 2" in ended.texts()


def test_full_usb_drive(ended: Driver, tmp_path: Path) -> None:
    folder = tmp_path / "CLUB" / "boomboard"
    folder.mkdir(parents=True)
    (folder / "game-1.json").symlink_to("/dev/full")
    plug_in(ended, UsbDrive(tmp_path / "CLUB", is_read_only=False))
    ended.tap("open_export")
    copy(ended)
    assert "CLUB is full." in ended.texts()


def test_write_protected_usb_drive(ended: Driver, tmp_path: Path) -> None:
    plug_in(ended, UsbDrive(tmp_path / "CLUB", is_read_only=True))
    ended.tap("open_export")
    assert "Cannot write to CLUB." in ended.texts()
    assert ended.find("copy").disabled


def test_usb_drive_removed_too_soon(ended: Driver, tmp_path: Path) -> None:
    plug_in(ended, UsbDrive(tmp_path / "CLUB", is_read_only=False))
    ended.tap("open_export")
    copy(ended)
    assert "Cannot write to CLUB." in ended.texts()


@RARE
def test_incidents_can_be_read(ended: Driver) -> None:
    ended.tap("open_export")
    ended.tap("incidents")
    assert "Red: Pieces move straight" in ended.texts()
    ended.tap("close")
    assert "Export game" in ended.texts()


def test_arbiter_reads_incidents_during_a_game(driver: Driver) -> None:
    begin(driver)
    image = play(driver, STANDING, "e4 e5", "a7 a6")
    for _ in range(6):
        for wrong in ("k4 i5", "i4 k5"):
            driver.show(after(image, wrong))
            driver.show(image)
    for button in ("menu", "arbiter", "incidents"):
        driver.tap(button)
    assert "Red: Pieces move straight" in driver.texts()
    last = driver.texts()
    driver.tap("before")
    assert driver.texts() != last
    driver.tap("close")
    driver.find("set_clocks")


def test_arbiter_exports_the_position(driver: Driver) -> None:
    begin(driver)
    play(driver, STANDING, "e4 e5", "a7 a6")
    for button in ("menu", "arbiter", "incidents", "position"):
        driver.tap(button)
    text = driver.find("code").text
    assert driver.app.host.table
    assert Referee.from_text(text).position == driver.app.host.table.referee.position
    assert "with all revealed ranks" in str(driver.texts())
    driver.tap("close")
    assert not driver.find("code").text
    assert "No incidents so far." in driver.texts()
