"""Tests for the SD card image, which is built from three folders and read back."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from hardware.pi.sd_image import Kernel, Partition, partitions

SCRIPT = Path(__file__).parents[3] / "hardware" / "pi" / "partitions.sh"
MIB = 1 << 20


@pytest.fixture(autouse=True)
def _tools(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"{os.environ['PATH']}:/usr/sbin")


@pytest.fixture
def folders(tmp_path: Path) -> list[Path]:
    """Create the folders for the boot, root and games partitions."""
    boot, root, games = (tmp_path / name for name in ("boot", "root", "games"))
    (boot / "overlays").mkdir(parents=True)
    (boot / "overlays" / "a.dtbo").write_bytes(b"tree")
    (boot / "config.txt").write_text("arm_64bit=1\nkernel=vmlinuz-6\ninitramfs initrd.img-6\n")
    (boot / "cmdline.txt").write_text("root=LABEL=boomboard-root rootwait\n")
    (boot / "vmlinuz-6").write_bytes(b"kernel")
    (boot / "initrd.img-6").write_bytes(b"initrd")
    (root / "etc").mkdir(parents=True)
    (root / "etc" / "hostname").write_text("boomboard\n")
    (root / "sbin").symlink_to("usr/sbin")
    (games / "games").mkdir(parents=True, mode=0o700)
    (games / "current").symlink_to("releases/1")
    return [boot, root, games]


def make(folders: list[Path], image: Path) -> subprocess.CompletedProcess[str]:
    command = [str(SCRIPT), *map(str, folders), str(image)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture
def image(folders: list[Path], tmp_path: Path) -> Path:
    image = tmp_path / "card.img"
    made = make(folders, image)
    assert (made.returncode, made.stderr) == (0, "")
    return image


def ask(image: Path, part: Partition, question: str) -> str:
    """Run a debugfs request on a partition."""
    command = ["debugfs", "-R", question, f"{image}?offset={part.at}"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_partition_table(image: Path) -> None:
    answer = subprocess.run(["sfdisk", "--json", image], capture_output=True, check=True).stdout
    table = json.loads(answer)["partitiontable"]
    assert table["label"] == "dos", "older Pis only start from an MBR partition table"
    assert [(p["type"], p.get("bootable", False)) for p in table["partitions"]] == [
        ("c", True),
        ("83", False),
        ("83", False),
    ]
    boot, root, games = partitions(image)
    assert [part.size // MIB for part in (boot, root, games)] == [512, 2560, 2048]
    assert boot.at % (4 * MIB) == root.at % (4 * MIB) == games.at % (4 * MIB) == 0
    assert boot.at + boot.size <= root.at
    assert root.at + root.size <= games.at
    assert games.at + games.size <= image.stat().st_size
    assert image.stat().st_blocks * 512 < 300 * MIB, "empty blocks take no disk space"


def test_file_systems(image: Path) -> None:
    _, root, games = partitions(image)
    for part, label in ((root, "boomboard-root"), (games, "boomboard")):
        checked = subprocess.run(
            ["e2fsck", "-fn", f"{image}?offset={part.at}"], capture_output=True, check=False
        )
        assert checked.returncode == 0, checked.stdout
        assert f"Filesystem volume name:   {label}\n" in ask(image, part, "show_super_stats -h")


def test_folders_and_permissions(folders: list[Path], image: Path) -> None:
    boot, root, games = partitions(image)
    tree = ["mtype", "-i", f"{image}@@{boot.at}", "::/overlays/a.dtbo"]
    assert subprocess.run(tree, capture_output=True, check=True).stdout == b"tree"
    assert ask(image, root, "cat /etc/hostname") == "boomboard\n"
    assert 'Fast link dest: "usr/sbin"' in ask(image, root, "stat /sbin")
    kept = ask(image, games, "stat /games")
    owner = (folders[2] / "games").stat()
    assert "Mode:  0700" in kept
    assert f"User: {owner.st_uid:5}   Group: {owner.st_gid:5}" in kept
    assert 'Fast link dest: "releases/1"' in ask(image, games, "stat /current")


def test_boot_settings(image: Path, tmp_path: Path) -> None:
    boot, _, _ = partitions(image)
    kernel = Kernel.read(image, boot, tmp_path)
    assert kernel.kernel.read_bytes() == b"kernel"
    assert kernel.initrd.read_bytes() == b"initrd"
    assert kernel.command_line == "root=LABEL=boomboard-root rootwait"


def test_written_partition_is_detected(tmp_path: Path) -> None:
    image, root = tmp_path / "card.img", Partition(at=4096, size=8192)
    image.write_bytes(bytes(16384))
    before = root.digest(image)
    for at, is_noticed in ((4095, False), (12288, False), (4096, True), (12287, True)):
        written = bytearray(16384)
        written[at] = 1
        image.write_bytes(written)
        assert (root.digest(image) != before) == is_noticed, at


def test_too_small_image_is_reported(folders: list[Path], tmp_path: Path) -> None:
    with (folders[0] / "large").open("wb") as file:
        file.truncate(513 * MIB)
    made = make(folders, tmp_path / "card.img")
    assert made.returncode == 1
    assert f"the contents of {folders[0]} do not fit into 512 MiB." in made.stderr
    assert [path.name for path in tmp_path.glob("card*")] == []


def test_missing_folder_is_named(folders: list[Path], tmp_path: Path) -> None:
    made = make([*folders[:2], tmp_path / "nowhere"], tmp_path / "card.img")
    assert made.returncode == 1
    assert made.stderr == f"No image was made: there is no folder {tmp_path}/nowhere.\n"
