"""Detect USB drives from system files and folders that the test creates."""

from pathlib import Path

import pytest

from companion.devices import usb_drives


class System:
    def __init__(self, root: Path) -> None:
        self.mounts, self.blocks = root / "mounts", root / "block"
        self.blocks.mkdir()
        self.lines = ["proc /proc proc rw 0 0", "tmpfs /run tmpfs rw 0 0"]

    def drive(self, name: str, *parts: str, removable: bool = False) -> None:
        for part in parts:
            (self.blocks / name / part).mkdir(parents=True)
        (self.blocks / name).mkdir(exist_ok=True)
        (self.blocks / name / "removable").write_text(f"{removable:d}\n")

    def mount(self, device: str, place: str, options: str = "rw,nosuid") -> None:
        self.lines.append(f"/dev/{device} {place} vfat {options} 0 0")

    def find(self) -> list[usb_drives.UsbDrive]:
        self.mounts.write_text("\n".join(self.lines) + "\n")
        return usb_drives.find_usb_drives(self.mounts, self.blocks)


@pytest.fixture
def system(tmp_path: Path) -> System:
    system = System(tmp_path)
    system.drive("mmcblk0", "mmcblk0p1", "mmcblk0p2")
    system.mount("mmcblk0p2", "/")
    system.mount("mmcblk0p1", "/boot/firmware")
    return system


def test_no_usb_drive(system: System) -> None:
    assert not system.find()


def test_usb_drive_with_a_partition(system: System) -> None:
    system.drive("sda", "sda1", removable=True)
    system.mount("sda1", "/media/pi/CLUB")
    assert system.find() == [usb_drives.UsbDrive(Path("/media/pi/CLUB"), is_read_only=False)]


def test_usb_drive_without_partitions(system: System) -> None:
    system.drive("sdb", removable=True)
    system.mount("sdb", r"/media/pi/MY\040STICK", "ro,relatime")
    (found,) = system.find()
    assert (found.name, found.is_read_only) == ("MY STICK", True)


def test_usb_drive_not_marked_removable(system: System, tmp_path: Path) -> None:
    real = tmp_path / "devices" / "usb1" / "sdc"
    (real / "sdc1").mkdir(parents=True)
    (system.blocks / "sdc").symlink_to(real)
    system.mount("sdc1", "/media/pi/DISK")
    assert [stick.name for stick in system.find()] == ["DISK"]


def test_unmounted_usb_drive(system: System) -> None:
    system.drive("sda", "sda1", removable=True)
    assert not system.find()


def test_system_drive_is_excluded(tmp_path: Path) -> None:
    system = System(tmp_path)
    system.drive("sda", "sda1", "sda2", removable=True)
    system.mount("sda2", "/")
    system.mount("sda1", "/boot/firmware")
    assert not system.find()


@pytest.mark.parametrize("place", ["/opt/boomboard", "/media/root-ro"])
def test_drives_with_games_or_root_are_excluded(system: System, place: str) -> None:
    system.drive("sda", "sda1", removable=True)
    system.mount("sda1", place)
    assert not system.find()


def test_system_without_drive_information(tmp_path: Path) -> None:
    assert not usb_drives.find_usb_drives(tmp_path / "nothing", tmp_path / "none")


def test_files_are_copied(tmp_path: Path) -> None:
    usb_drives.write_to_usb_drive(
        usb_drives.UsbDrive(tmp_path, is_read_only=False), {"game-1.txt": b"sheet"}
    )
    usb_drives.write_to_usb_drive(
        usb_drives.UsbDrive(tmp_path, is_read_only=False), {"game-1.txt": b"again"}
    )
    assert (tmp_path / "boomboard" / "game-1.txt").read_bytes() == b"again"


def test_full_usb_drive(tmp_path: Path) -> None:
    """The file to be written is replaced with /dev/full."""
    (tmp_path / "boomboard").mkdir()
    (tmp_path / "boomboard" / "game-1.txt").symlink_to("/dev/full")
    with pytest.raises(usb_drives.UsbError) as full:
        usb_drives.write_to_usb_drive(
            usb_drives.UsbDrive(tmp_path, is_read_only=False), {"game-1.txt": b"sheet"}
        )
    assert full.value.kind is usb_drives.UsbErrorKind.FULL


def test_removed_usb_drive(tmp_path: Path) -> None:
    with pytest.raises(usb_drives.UsbError) as gone:
        usb_drives.write_to_usb_drive(
            usb_drives.UsbDrive(tmp_path / "gone", is_read_only=False), {"a": b""}
        )
    assert gone.value.kind is usb_drives.UsbErrorKind.GONE


def test_real_system_query() -> None:
    assert isinstance(usb_drives.find_usb_drives(), list)
