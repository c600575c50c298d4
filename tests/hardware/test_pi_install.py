"""Tests that the appliance can be installed more than once, and removed again. The tests install it
into a folder."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.project import ROOT

INSTALL = ROOT / "hardware" / "pi" / "install.sh"
CONFIG = "dtparam=audio=on\n[cm5]\ndtoverlay=dwc2\n"
CMDLINE = "console=tty1 root=PARTUUID=1234-02 rootwait\n"
SWITCH = "dtoverlay=gpio-shutdown,gpio_pin=3"


def install(root: Path, *words: str) -> subprocess.CompletedProcess[str]:
    assert shutil.which("systemctl"), "systemctl is missing; make setup installs it"
    return subprocess.run(
        [str(INSTALL), *words],
        env=os.environ | {"DESTDIR": str(root)},
        capture_output=True,
        text=True,
        check=False,
    )


SYSTEM = """
. "$1"
is_live() { true; }
mountpoint() { false; }
systemctl() { [ ! -e "$DESTDIR/systemctl.sh" ] || . "$DESTDIR/systemctl.sh"; }
mount() { rmdir "$2" && ln -s "$DESTDIR/partition" "$2"; }
umount() { [ -L "$1" ] && rm "$1" && mkdir "$1"; }
"""
"""The functions of the installer, with simulated commands of the system. Mounting the partition
makes a link to a folder."""


def run_function(root: Path, script: str) -> subprocess.CompletedProcess[str]:
    """Run functions of the installer with a simulated system."""
    (root / "temporary").mkdir(exist_ok=True)
    return subprocess.run(
        ["bash", "-c", SYSTEM + script, "bash", str(INSTALL)],
        env=os.environ | {"DESTDIR": str(root), "TMPDIR": str(root / "temporary")},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def pi(tmp_path: Path) -> Path:
    """Return a simulated Raspberry Pi's root folder with the files that the installer checks."""
    boot = tmp_path / "boot" / "firmware"
    boot.mkdir(parents=True)
    (boot / "config.txt").write_text(CONFIG)
    (boot / "cmdline.txt").write_text(CMDLINE)
    return tmp_path


def picture(root: Path) -> dict[str, tuple[int, str]]:
    """Return every file with its permissions and contents, and every link with its target."""
    return {
        str(path.relative_to(root)): (
            path.lstat().st_mode,
            os.readlink(path) if path.is_symlink() else "" if path.is_dir() else path.read_text(),
        )
        for path in root.rglob("*")
    }


def config(root: Path) -> str:
    return (root / "boot" / "firmware" / "config.txt").read_text()


def words(root: Path) -> list[str]:
    return (root / "boot" / "firmware" / "cmdline.txt").read_text().split()


def restart(root: Path) -> None:
    """Start with the words of the kernel command line."""
    (root / "proc").mkdir(exist_ok=True)
    (root / "proc" / "cmdline").write_text(" ".join(words(root)))


def test_installed_files(pi: Path) -> None:
    done = install(pi)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1].startswith("Ready.")
    systemd = pi / "etc" / "systemd"
    for unit in ("boomboard.service", "boomboard-trial.service"):
        started = systemd / "system" / "multi-user.target.wants" / unit
        assert started.is_symlink()
        assert (systemd / "system" / unit).is_file()
    assert (systemd / "system" / "boomboard-failed.service").is_file()
    remounting = systemd / "system" / "systemd-remount-fs.service.d" / "boomboard.conf"
    assert "Environment=LIBMOUNT_FORCE_MOUNT2=always\n" in remounting.read_text()
    assert "Storage=volatile" in (systemd / "journald.conf.d" / "boomboard.conf").read_text()
    assert (pi / "etc" / "polkit-1" / "rules.d" / "50-boomboard.rules").is_file()
    assert (pi / "usr" / "local" / "lib" / "boomboard" / "trial.sh").stat().st_mode & 0o111
    assert config(pi) == f"{CONFIG}\n[all]\n{SWITCH}\n"
    assert words(pi) == [*CMDLINE.split(), "consoleblank=0"]


def test_service_user_groups(pi: Path) -> None:
    assert install(pi).returncode == 0
    users = pi / "etc" / "sysusers.d" / "boomboard.conf"
    subprocess.run(["systemd-sysusers", f"--root={pi}", str(users)], check=True)
    assert "boomboard:x:" in (pi / "etc" / "passwd").read_text()
    lines = (pi / "etc" / "group").read_text().splitlines()
    member = {line.split(":")[0] for line in lines if line.endswith(":boomboard")}
    assert member == {"dialout", "video", "render", "input", "audio", "gpio"}


@pytest.mark.parametrize("how", [(), ("readonly",)])
def test_installation_is_idempotent(pi: Path, how: tuple[str, ...]) -> None:
    assert install(pi, *how).returncode == 0
    before = picture(pi)
    assert install(pi, *how).returncode == 0
    assert picture(pi) == before


def test_read_only_root(pi: Path) -> None:
    assert install(pi, "readonly").returncode == 0
    mount = pi / "etc" / "systemd" / "system" / "opt-boomboard.mount"
    lines = mount.read_text().splitlines()
    [partition] = [line.removeprefix("What=") for line in lines if line.startswith("What=")]
    assert partition == "/dev/disk/by-label/boomboard"
    escape = ["systemd-escape", "--path", "--template=systemd-fsck@.service", partition]
    check = subprocess.run(escape, capture_output=True, text=True, check=True).stdout.strip()
    assert {f"Wants={check}", f"After={check}"} <= set(lines)
    assert (mount.parent / "local-fs.target.wants" / mount.name).is_symlink()
    assert words(pi) == [*CMDLINE.split(), "consoleblank=0", "overlayroot=tmpfs:recurse=0", "ro"]
    assert config(pi).count("auto_initramfs=1") == 1
    assert install(pi, "writable").returncode == 0
    assert words(pi) == [*CMDLINE.split(), "consoleblank=0"]


def test_read_only_root_survives_a_kernel_update(pi: Path) -> None:
    default = pi / "etc" / "default"
    default.mkdir(parents=True)
    (default / "raspi-firmware").write_text("# what Debian makes config.txt and cmdline.txt of\n")
    for _ in range(2):
        assert install(pi, "readonly").returncode == 0
        assert (default / "raspi-firmware-custom").read_text() == f"\n[all]\n{SWITCH}\n"
        added = (default / "raspi-extra-cmdline").read_text().split()
        assert added == ["consoleblank=0", "overlayroot=tmpfs:recurse=0", "ro"]
        assert words(pi) == [*CMDLINE.split(), *added]
    assert "auto_initramfs" not in config(pi), "Debian sets the initrd itself"
    restart(pi)
    below = pi / "media" / "root-ro" / "etc" / "default"
    shutil.copytree(default, below)
    done = run_function(pi, 'mount() { echo "$*"; }; make_writable')
    assert done.returncode == 0, done.stderr
    remounted = [line for line in done.stdout.splitlines() if "root-ro" in line]
    assert remounted == [f"-o remount,{how} {pi}/media/root-ro" for how in ("rw", "ro")]
    for folder in (default, below):
        assert (folder / "raspi-extra-cmdline").read_text().split() == ["consoleblank=0"]
    assert words(pi) == [*CMDLINE.split(), "consoleblank=0"]


def test_no_read_only_root_without_the_partition(tmp_path: Path) -> None:
    done = install(tmp_path, "readonly")
    assert done.returncode == 1
    assert "only a Raspberry Pi's root can be made read-only" in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def played(pi: Path) -> Path:
    """Return the root folder with a game, a release and an empty partition."""
    opt = pi / "opt" / "boomboard"
    (opt / "games").mkdir(parents=True)
    (opt / "games" / "games.sqlite").write_text("a game")
    (opt / "releases" / "1").mkdir(parents=True)
    (opt / "releases" / "1" / "program").write_text("a program")
    (opt / "current").symlink_to("releases/1")
    (pi / "partition").mkdir()
    return pi


def test_copy_to_partition(played: Path) -> None:
    opt, partition = played / "opt" / "boomboard", played / "partition"
    before = picture(opt)
    done = run_function(played, "mount_partition")
    assert done.returncode == 0, done.stderr
    assert picture(partition) == picture(opt) == before
    assert list((played / "temporary").iterdir()) == []

    (opt / "games" / "games.sqlite").write_text("another game")
    assert run_function(played, "mount_partition").returncode == 0
    assert picture(partition) == before, "the copy is made only once"


def test_companion_is_stopped_before_the_copy(played: Path) -> None:
    game = played / "opt" / "boomboard" / "games" / "games.sqlite"
    (played / "systemctl.sh").write_text(f'[ "$1" != stop ] || echo "the last move" >{game}\n')
    done = run_function(played, "mount_partition")
    assert done.returncode == 0, done.stderr
    assert (played / "partition" / "games" / game.name).read_text() == "the last move\n"


@pytest.mark.parametrize("command", ["tar", "cp", "sync", "mv"])
def test_interrupted_copy_is_completed(played: Path, command: str) -> None:
    opt, partition = played / "opt" / "boomboard", played / "partition"
    log = opt / "games" / "games.sqlite-wal"
    log.write_text("pages")
    # The command that is interrupted has done its work, which is as bad as half of it.
    broken = f'{command}() {{ command {command} "$@"; [ "$1" = -c ] || exit 1; }}\n'
    done = run_function(played, broken + "mount_partition")
    assert done.returncode == 1
    assert list((played / "temporary").iterdir()) == [], "the partition is still mounted"
    mount = played / "etc" / "systemd" / "system" / "opt-boomboard.mount"
    assert not mount.exists(), "an incomplete copy is mounted at the next start"

    log.unlink()
    before = picture(opt)
    done = run_function(played, "mount_partition")
    assert done.returncode == 0, done.stderr
    if command == "mv":  # the copy was complete
        log.write_text("pages")
        before = picture(opt)
    assert picture(partition) == before
    assert mount.exists()


def test_first_installation_with_a_partition(pi: Path) -> None:
    (pi / "partition").mkdir()
    done = run_function(pi, "mount_partition")
    assert done.returncode == 0, done.stderr
    assert list((pi / "partition" / "releases").iterdir()) == []


def test_no_firmware_settings_on_other_computers(tmp_path: Path) -> None:
    assert install(tmp_path).returncode == 0
    assert not (tmp_path / "boot").exists()


def test_network_permission(pi: Path) -> None:
    assert install(pi).returncode == 0
    before = picture(pi)
    assert install(pi, "networked").returncode == 0
    allowed = pi / "etc" / "systemd" / "system" / "boomboard.service.d" / "network.conf"
    assert "RestrictAddressFamilies=AF_INET\n" in allowed.read_text()

    assert install(pi).returncode == 0
    assert allowed.exists(), "a new installation keeps the permission"
    assert install(pi, "offline").returncode == 0
    assert picture(pi) == before


def test_network_permission_needs_an_installation(pi: Path) -> None:
    done = install(pi, "networked")
    assert done.returncode == 1
    assert "the companion is not installed" in done.stderr


def test_uninstall_keeps_releases_and_games(pi: Path) -> None:
    assert install(pi).returncode == 0
    assert install(pi, "networked").returncode == 0
    game = pi / "opt" / "boomboard" / "games" / "games.sqlite"
    game.write_text("a game")
    assert install(pi, "remove").returncode == 0
    assert game.read_text() == "a game"
    ours = [path for path in pi.rglob("*boomboard*") if "opt" not in path.relative_to(pi).parts]
    assert ours == []


def test_read_only_root_is_not_changed(pi: Path) -> None:
    assert install(pi, "readonly").returncode == 0
    restart(pi)
    before = picture(pi)
    for how in ((), ("readonly",), ("networked",), ("offline",), ("remove",)):
        done = install(pi, *how)
        assert done.returncode == 1
        assert "the root is read-only" in done.stderr
    assert picture(pi) == before


@pytest.mark.parametrize("how", [(), ("readonly",)])
def test_uninstall_restores_the_start_settings(pi: Path, how: tuple[str, ...]) -> None:
    default = pi / "etc" / "default"
    default.mkdir(parents=True)
    (default / "raspi-firmware").touch()
    assert install(pi, *how).returncode == 0
    assert install(pi, "remove").returncode == 0
    assert (words(pi), config(pi)) == (CMDLINE.split(), f"{CONFIG}\n[all]\n")
    assert (default / "raspi-extra-cmdline").read_text().split() == []
    assert SWITCH not in (default / "raspi-firmware-custom").read_text()


def test_unknown_word_lists_the_known_ones(pi: Path) -> None:
    before = picture(pi)
    done = install(pi, "read-only")
    assert done.returncode == 1
    [sentence] = done.stderr.splitlines()
    assert sentence == (
        'Installation stopped: "read-only" is unknown; say nothing, "readonly", "writable", '
        '"networked", "offline" or "remove".'
    )
    assert picture(pi) == before
