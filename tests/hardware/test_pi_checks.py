"""Tests for the checks on a booted image. They run in a real shell with simulated faults."""

import os
import pty
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from hardware.pi import checks, release
from hardware.pi.checks import CheckError
from hardware.pi.qemu import WRONG, ComputerError, computer
from hardware.pi.sd_image import Kernel
from hardware.pi.shell import Shell, ShellError

FLUSH = f"{sys.executable} -c 'import termios; termios.tcflush(0, termios.TCIFLUSH)'"
"""Command that discards pending input. In the same way, the login program of Debian 13 discards
text that was typed before the prompt."""
LOG_IN = (
    "printf 'Debian\\n\\nboomboard login: '; read name; "
    f"{FLUSH}; echo Welcome, $name; PS1='# ' exec sh -i"
)
SERVICE = {
    "MainPID": "71",
    "ActiveState": "active",
    "ActiveEnterTimestampMonotonic": "30000000",
    "ExecMainStartTimestampMonotonic": "31000000",
    "WatchdogTimestampMonotonic": "32000000",
}


@pytest.fixture
def shell() -> Iterator[Shell]:
    """Yield a shell that runs in a terminal on this computer."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        ["sh", "-c", LOG_IN], stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True
    )
    os.close(theirs)
    with open(ours, "r+b", buffering=0) as line:
        shell = Shell(line)
        shell.log_in("visitor")
        yield shell
        process.kill()
    process.wait()


def answer(shell: Shell, command: str, text: str) -> None:
    """Replace a system command with one that prints `text`."""
    shell.ask(f"{command}() {{ echo '{text}'; }}")


def answer_of_service(shell: Shell, **other: str) -> None:
    """Replace systemctl with one that reports a healthy service, except for the given
    properties."""
    cases = "".join(f"*{key}*) echo {value};; " for key, value in (SERVICE | other).items())
    shell.ask(f"systemctl() {{ case $* in {cases} esac; }}")


def test_command_output(shell: Shell) -> None:
    assert shell.ask("printf 'a\\n\\nb\\n'") == "a\n\nb"
    assert shell.ask("printf unended") == "unended"
    assert shell.ask("true") == ""
    assert shell.ask("cat") == "", "commands get no input"
    with pytest.raises(ShellError, match=r"“ls /nowhere” failed with exit status 2: .*/nowhere"):
        shell.ask("ls /nowhere")
    assert shell.holds("[ -e / ]")
    assert not shell.holds("[ -e /nowhere ]")


def test_output_is_read_while_running(shell: Shell) -> None:
    lines = shell.lines("while echo again; do sleep 0.01; done")
    assert [next(lines), next(lines)] == ["again", "again"]


def test_waiting_has_a_timeout(shell: Shell) -> None:
    shell.ask("tries=0; third() { tries=$((tries+1)); [ $tries -ge 3 ]; }; sleep() { :; }")
    assert shell.comes_about("third", 10)
    assert not shell.comes_about("false", 10)


def test_missing_heartbeat_is_detected(shell: Shell) -> None:
    shell.ask("sleep() { :; }")
    answer_of_service(shell)
    assert checks.it_sends_heartbeats(shell) == "started after 30 s of its clock"
    answer_of_service(shell, WatchdogTimestampMonotonic="30000042")
    with pytest.raises(CheckError, match="no watchdog ping within a minute"):
        checks.it_sends_heartbeats(shell)


def test_wrong_user_is_detected(shell: Shell) -> None:
    answer_of_service(shell)
    answer(shell, "stat", "root")
    with pytest.raises(CheckError, match="The companion is running as root; expected boomboard"):
        checks.it_runs_as_an_unprivileged_user(shell)


def test_early_start_is_detected(shell: Shell) -> None:
    answer(shell, "journalctl", "")
    answer_of_service(shell)
    checks.it_starts_after_its_dependencies(shell)
    answer_of_service(shell, ExecMainStartTimestampMonotonic="29000000")
    with pytest.raises(CheckError, match=r"before opt-boomboard\.mount"):
        checks.it_starts_after_its_dependencies(shell)
    answer_of_service(shell, ActiveState="failed")
    with pytest.raises(CheckError, match=r"opt-boomboard\.mount is not active"):
        checks.it_starts_after_its_dependencies(shell)
    answer_of_service(shell)
    answer(shell, "journalctl", "boomboard.service: Found ordering cycle on a.mount/start")
    with pytest.raises(CheckError, match="have an ordering cycle"):
        checks.it_starts_after_its_dependencies(shell)


def test_failed_units_are_named(shell: Shell) -> None:
    answer(shell, "systemctl", "boomboard-trial.service loaded failed failed Keeps the new")
    with pytest.raises(CheckError, match=r"boomboard-trial\.service"):
        checks.no_unit_has_failed(shell)


def test_writable_root_is_detected(shell: Shell) -> None:
    answer(shell, "findmnt", "ext4")
    with pytest.raises(CheckError, match="to be an overlay; found ext4"):
        checks.the_root_is_not_written_to(shell)


def test_unwritable_games_are_detected(shell: Shell) -> None:
    answer(shell, "findmnt", "ext4 boomboard ro,noatime")
    with pytest.raises(CheckError, match="not mounted writable"):
        checks.the_games_can_be_written_and_are_private(shell)
    answer(shell, "findmnt", "ext4 boomboard rw,noatime")
    shell.ask("runuser() { echo Read-only file system; return 1; }")
    with pytest.raises(CheckError, match=r"cannot write to its games folder: .*Read-only file"):
        checks.the_games_can_be_written_and_are_private(shell)
    shell.ask("runuser() { :; }")
    with pytest.raises(CheckError, match="Other users can read the games"):
        checks.the_games_can_be_written_and_are_private(shell)


def test_exposed_service_is_detected(shell: Shell) -> None:
    shown = "→ Overall exposure level for boomboard.service: {} :-)"
    # Not every shell allows hyphens in function names.
    for exposure, is_fine in (("1.4 OK", True), ("3.0 OK", True), ("9.6 UNSAFE", False)):
        answer(shell, "tail", shown.format(exposure))
        if is_fine:
            assert checks.the_service_is_sandboxed(shell) == f"exposure {exposure.split()[0]}"
        else:
            with pytest.raises(CheckError, match=r"exposure of the service is 9\.6"):
                checks.the_service_is_sandboxed(shell)


@pytest.mark.parametrize(
    ("here", "is_open"),
    [
        ("127.0.0.53%lo:53", False),
        ("[::1]:631", False),
        ("10.0.2.15%enp0s1:68", False),
        ("0.0.0.0:22", True),
        ("[::]:22", True),
        ("*:5355", True),
        ("192.168.1.7:8000", True),
    ],
)
def test_listening_ports_are_named(shell: Shell, here: str, is_open: bool) -> None:
    answer(shell, "ss", f"tcp   LISTEN 0      128    {here}    0.0.0.0:*")
    if is_open:
        with pytest.raises(CheckError) as caught:
            checks.nothing_listens_on_the_network(shell)
        assert str(caught.value) == f"Sockets are open to the network: tcp {here}."
    else:
        checks.nothing_listens_on_the_network(shell)


def test_frozen_companion_is_detected(shell: Shell) -> None:
    shell.ask("sleep() { :; }")
    answer_of_service(shell)
    with pytest.raises(CheckError, match="was not restarted"):
        checks.the_watchdog_restarts_a_frozen_companion(shell)


def answer_of_update(shell: Shell, *, now: str, later: str, absent: str = ":") -> None:
    """Simulate an update. The release `now` is installed and tried. After the trial, the release
    `later` is in use."""
    shell.ask(
        "current=releases/old; mkdir() { :; }; mount() { :; }; umount() { :; }; sleep() { :; }"
    )
    shell.ask("readlink() { echo $current; }")
    shell.ask(f"env() {{ current={now}; }}")
    shell.ask(f"test() {{ {absent} || return 1; current={later}; }}")


def test_kept_broken_release_is_detected(shell: Shell) -> None:
    tried = release.a_hanging_release_is_rolled_back
    answer_of_service(shell)
    answer_of_update(shell, now="releases/new", later="releases/old")
    assert tried(shell) == "after 0 s of its clock"
    answer_of_update(shell, now="releases/old", later="releases/old")
    with pytest.raises(CheckError, match="The update was not installed"):
        tried(shell)
    answer_of_update(shell, now="releases/new", later="releases/new")
    with pytest.raises(CheckError, match="The broken release is still in use: releases/new"):
        tried(shell)
    answer_of_update(shell, now="releases/new", later="releases/old", absent="false")
    with pytest.raises(CheckError, match="The trial of the broken release has not ended"):
        tried(shell)
    answer_of_update(
        shell, now="releases/new", later="releases/old", absent='[ "${3%trial}" != "$3" ]'
    )
    with pytest.raises(CheckError, match="The broken release is still on disk after the rollback"):
        tried(shell)


@pytest.mark.parametrize(
    ("line", "is_wrong"),
    [
        ("[    1.9] Kernel panic - not syncing: VFS: Unable to mount root fs", True),
        ("(initramfs)", True),
        ("[FAILED] Failed to mount opt-boomboard.mount - The games of Boomboard.", True),
        ("You are in emergency mode. After logging in, type", True),
        ("[  OK  ] Mounted opt-boomboard.mount - The games of Boomboard.", False),
        ("[FAILED] Failed to start systemd-timesyncd.service.", False),
    ],
)
def test_failed_boot_is_detected(line: str, is_wrong: bool) -> None:
    assert bool(WRONG.search(line)) == is_wrong


def test_early_end_of_the_emulator(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    emulator = tmp_path / "qemu-system-aarch64"
    emulator.write_text("#!/bin/sh\necho 'Could not open the card.' >&2\nexit 1\n")
    emulator.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    image, log_file = tmp_path / "image", tmp_path / "log"
    kernel = Kernel(tmp_path / "kernel", tmp_path / "initrd", "quiet")
    with (
        log_file.open("w") as log,
        pytest.raises(ComputerError, match="ended before"),
        computer(image, kernel, tmp_path, log),
    ):
        pass
    assert log_file.read_text() == "Could not open the card.\n"
