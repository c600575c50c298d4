"""Emulated computer that boots an SD card image.

The computer is not a Pi but QEMU's "virt" machine with one Cortex-A53 core, 448 MB of memory (what
a Pi Zero 2 W has besides its graphics memory), an isolated network, and an unaccelerated
display. Kernel, initrd and command line come from the image; the command line is extended only to
connect the terminals to this program. The Pi's boot loader and Pi-specific hardware are not tested.

While the emulated machine is busy, its clock counts instructions instead of real time, so timeouts
inside the machine do not depend on the load on the host. While the machine is idle, for example
when it waits for its card, its clock runs in real time. This program has no timeout when it waits
for system messages.
"""

import json
import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TextIO

from hardware.pi.checks import CheckError
from hardware.pi.sd_image import Kernel, run
from hardware.pi.shell import Shell, ShellError

MEMORY_MB: Final = 448
INSTRUCTIONS: Final = 250_000_000
"""Speed of the emulated computer, in instructions per second of its clock: one every 2² ns."""
GUEST: Final = "visitor"
"""User that can log in without a password, but only on the second terminal of the emulated machine.

The image does not contain this user. A systemd credential creates it on the emulated machine.
"""
_EXTRA: Final = (
    "console=ttyAMA0 systemd.show_status=1 systemd.log_color=0 panic=-1 "
    "systemd.wants=serial-getty@hvc0.service "
    f'systemd.set_credential="tmpfiles.extra:w+ /etc/passwd - - - - {GUEST}::0:0::/root:/bin/sh"'
)
WRONG: Final = re.compile(
    r"Kernel panic|\(initramfs\)|emergency mode|Failed to (start|mount) .*(boomboard|overlay)",
    re.IGNORECASE,
)
"""Console messages after which a test can no longer succeed."""
_COLOURS: Final = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class ComputerError(Exception):
    """QEMU ended early, or its monitor rejected a command."""


@dataclass
class Computer:
    process: "subprocess.Popen[str]"
    folder: Path
    line: socket.socket
    """Connection to the computer's second terminal."""

    @contextmanager
    def shell(self) -> Iterator[Shell]:
        """Wait for the login prompt and log in with root privileges."""
        with self.line.makefile("rwb") as file:
            shell = Shell(file)
            shell.log_in(GUEST)
            yield shell

    def pull_the_plug(self) -> None:
        """Kill the emulated computer. Data already written to its card is kept."""
        self.process.kill()

    def wait_until_off(self) -> None:
        self.process.wait()

    def photograph(self, file: Path) -> None:
        """Save a screenshot of the display as a PNG file."""
        with socket.socket(socket.AF_UNIX) as monitor:
            monitor.connect(str(self.folder / "monitor"))
            with monitor.makefile("rw") as talk:
                talk.readline()  # skip the monitor's greeting
                _send_command(talk, "qmp_capabilities")
                _send_command(talk, "screendump", filename=str(file), format="png")


def _log_console(process: "subprocess.Popen[str]", listener: socket.socket, log: TextIO) -> None:
    """Log the console output. Kill the computer after a message that matches `WRONG`.

    When the computer has ended, close the listener, so that nothing waits for a connection.
    """
    assert process.stdout
    with process.stdout as output:
        for read in output:
            line = _COLOURS.sub("", read).strip()
            print(line, file=log, flush=True)
            if WRONG.search(line):
                process.kill()
    listener.shutdown(socket.SHUT_RDWR)


def _accept(listener: socket.socket) -> socket.socket:
    """Return the computer's connection.

    Raises:
        ComputerError: The computer has ended.
    """
    try:
        return listener.accept()[0]
    except OSError as error:
        raise ComputerError("QEMU ended before the computer had started.") from error


def _send_command(talk: TextIO, command: str, **arguments: str) -> None:
    talk.write(json.dumps({"execute": command, "arguments": arguments}) + "\n")
    talk.flush()
    while "return" not in (answer := json.loads(talk.readline())):
        if "error" in answer:
            raise ComputerError(answer["error"]["desc"])


@contextmanager
def computer(
    image: Path, kernel: Kernel, folder: Path, log: TextIO, *disks: Path
) -> Iterator[Computer]:
    """Start a computer with the given card. When the context ends, cut the computer's power.

    Args:
        image: The card image, which is modified.
        kernel: The kernel to start.
        folder: The folder for the sockets of its terminals.
        log: The file to which its console output is written.
        disks: Additional read-only disks.
    """
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(folder / "shell"))
        listener.listen()
        process = _start(image, kernel, folder, disks)
        logger = threading.Thread(target=_log_console, args=(process, listener, log))
        logger.start()
        try:
            with _accept(listener) as line:
                yield Computer(process, folder, line)
        finally:
            process.kill()
            process.wait()
            logger.join()
            (folder / "shell").unlink()


def _start(
    image: Path, kernel: Kernel, folder: Path, disks: Iterable[Path]
) -> "subprocess.Popen[str]":
    plugged_in = [f"file={disk},format=raw,if=virtio,readonly=on" for disk in disks]
    return subprocess.Popen(  # noqa: S603 (our own command)
        [
            *("qemu-system-aarch64", "-M", "virt", "-cpu", "cortex-a53", "-m", str(MEMORY_MB)),
            *("-icount", "shift=2,sleep=on", "-no-reboot", "-display", "none"),
            *("-kernel", str(kernel.kernel), "-initrd", str(kernel.initrd)),
            *("-append", f"{kernel.command_line} {_EXTRA}"),
            *("-drive", f"file={image},format=raw,if=virtio"),
            *(argument for disk in plugged_in for argument in ("-drive", disk)),
            *("-device", "virtio-gpu-pci,xres=800,yres=480"),
            *("-netdev", "user,id=cable,restrict=on"),
            *("-device", "virtio-net-pci,netdev=cable,romfile="),
            *("-serial", "stdio", "-monitor", "none"),
            *("-qmp", f"unix:{folder / 'monitor'},server=on,wait=off"),
            *("-chardev", f"socket,id=shell,path={folder / 'shell'}"),
            *("-device", "virtio-serial-pci", "-device", "virtconsole,chardev=shell"),
        ],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )


def on_copy_of_image(image: Path, what: Callable[[Path, TextIO], None]) -> int:
    """Run a test on a copy of an image and return the program's exit status.

    Args:
        image: The image, which is not modified.
        what: Called with the copy and a log file for the console output, which is kept next to
            the image.
    """
    copy, log_file = image.with_suffix(".tried"), image.with_suffix(".log")
    report(f"Booting {image.name} with {MEMORY_MB} MB ...")
    try:
        run("cp", "--sparse=always", str(image), str(copy))
        with log_file.open("w") as log:
            what(copy, log)
    except (CheckError, ComputerError, ShellError) as error:
        print(f"A check of the image failed. {error}", file=sys.stderr)
        print(f"The console output is in {log_file}.", file=sys.stderr)
        return 1
    except subprocess.CalledProcessError as error:
        reason = (error.stderr or b"").decode(errors="replace").strip()
        print(f"{error.cmd[0]} failed: {reason}", file=sys.stderr)
        return 1
    finally:
        copy.unlink(missing_ok=True)
    return 0


def check(what: Callable[[Shell], str], shell: Shell) -> None:
    report(what.__name__.replace("_", " "), what(shell))


def report(what: str, figure: str = "") -> None:
    """Print a line that starts with the elapsed time in seconds."""
    print(f"{time.monotonic() - _BEGUN:5.0f}s  {what}{figure and ': '}{figure}", flush=True)


_BEGUN: Final = time.monotonic()
