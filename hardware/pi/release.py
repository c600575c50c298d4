"""Checks that the appliance rolls back a broken release.

The emulated computer has no network, so a separate disk contains the files that an update would
download: a clone and the Python packages.
"""

from pathlib import Path
from typing import Final

from hardware.pi.checks import CheckError, it_sends_heartbeats
from hardware.pi.sd_image import run
from hardware.pi.shell import Shell

LABEL: Final = "release"
_REPOSITORY: Final = Path(__file__).parents[2]
_PROGRAM: Final = Path("companion/ui/program.py")
_FRAME: Final = "    def _tick(self, _seconds: float) -> None:\n"
"""First line of the method that the program calls for every frame."""
_SIZE_MB: Final = 512
_PLACE: Final = f"/run/{LABEL}"
_CURRENT: Final = "readlink /opt/boomboard/current"


def make_disk(wheels: Path, folder: Path) -> Path:
    """Make a disk with a release that hangs. It is based on the latest commit of this clone."""
    files = folder / LABEL
    clone = files / "clone"
    run("git", "clone", "--quiet", "--depth", "1", f"file://{_REPOSITORY}", str(clone))
    text = (clone / _PROGRAM).read_text()
    if text.count(_FRAME) != 1:
        raise CheckError(f"Expected {_PROGRAM} to contain the line {_FRAME!r} exactly once.")
    (clone / _PROGRAM).write_text(text.replace(_FRAME, f"{_FRAME}        return\n"))
    who = ("-c", "user.name=maker", "-c", "user.email=maker@board")
    run("git", "-C", str(clone), *who, "commit", "--quiet", "--all", "--message", "never ahead")
    run("cp", "-r", str(wheels), str(files / "wheels"))
    disk = folder / f"{LABEL}.img"
    run("mkfs.ext4", "-q", "-L", LABEL, "-d", str(files), str(disk), f"{_SIZE_MB}M")
    return disk


def a_hanging_release_is_rolled_back(shell: Shell) -> str:
    old = shell.ask(_CURRENT)
    shell.ask(f"mkdir {_PLACE} && mount -o ro /dev/disk/by-label/{LABEL} {_PLACE}")
    shell.ask(
        f"env PIP_NO_INDEX=1 PIP_FIND_LINKS={_PLACE}/wheels "
        f"/opt/boomboard/current/hardware/pi/update.sh {_PLACE}/clone"
    )
    new = shell.ask(_CURRENT)
    if new == old:
        raise CheckError("The update was not installed.")
    began = float(shell.ask("cut -d ' ' -f 1 /proc/uptime"))
    if not shell.comes_about("test ! -e /opt/boomboard/trial", 300):
        raise CheckError("The trial of the broken release has not ended.")
    ended = float(shell.ask("cut -d ' ' -f 1 /proc/uptime"))
    if (now := shell.ask(_CURRENT)) != old:
        raise CheckError(f"The broken release is still in use: {now}.")
    if not shell.comes_about(f"test ! -e /opt/boomboard/{new}", 60):
        raise CheckError("The broken release is still on disk after the rollback.")
    if not shell.comes_about("systemctl --quiet is-active boomboard", 120):
        raise CheckError("The previous release did not start after the rollback.")
    it_sends_heartbeats(shell)
    shell.ask(f"umount {_PLACE}")
    return f"after {ended - began:.0f} s of its clock"
