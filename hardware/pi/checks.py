"""Checks for a booted appliance, run through a root shell.

Each check returns a measured value or an empty string. A failing check raises CheckError with a
sentence that describes the fault.
"""

from contextlib import suppress
from typing import Final

from hardware.pi.shell import EndedError, Shell, ShellError

GAMES: Final = "/opt/boomboard/games"
EXPOSURE: Final = 3.0
"""Maximum permitted exposure level of the service, which systemd-analyze rates from 0 to 10."""
FREEZES: Final = 5
"""The companion is frozen this many times in a row."""
AS_COMPANION: Final = "runuser -u boomboard --"
"""Prefix for commands that run with only the companion's permissions."""


class CheckError(Exception):
    """A check has failed. The message is a sentence that describes the fault."""


def _property(shell: Shell, name: str, unit: str = "boomboard") -> str:
    return shell.ask(f"systemctl show {unit} --property={name} --value")


def _seconds(microseconds: str) -> float:
    return int(microseconds) / 1e6


def it_starts(shell: Shell) -> str:
    if not shell.comes_about("systemctl --quiet is-active boomboard", 300):
        log = shell.ask("journalctl --unit=boomboard --lines=3 --output=cat --no-pager")
        raise CheckError(f"The companion has not started within five minutes: {log}")
    return ""


def it_runs_as_an_unprivileged_user(shell: Shell) -> str:
    process = _property(shell, "MainPID")
    user = shell.ask(f"stat -c %U /proc/{process}")
    if user != "boomboard":
        raise CheckError(f"The companion is running as {user}; expected boomboard.")
    return ""


def it_sends_heartbeats(shell: Shell) -> str:
    began = _property(shell, "ActiveEnterTimestampMonotonic")
    # The first watchdog ping accompanies the ready notification, before the first frame is drawn.
    drawn = int(began) + 1_000_000
    latest = "$(systemctl show boomboard --property=WatchdogTimestampMonotonic --value)"
    if not shell.comes_about(f'[ "{latest}" -gt {drawn} ]', 60):
        raise CheckError("The companion sent no watchdog ping within a minute of starting.")
    return f"started after {_seconds(began):.0f} s of its clock"


def it_starts_after_its_dependencies(shell: Shell) -> str:
    began = int(_property(shell, "ExecMainStartTimestampMonotonic"))
    needed = ("opt-boomboard.mount", "systemd-modules-load", "systemd-tmpfiles-setup")
    for unit in needed:
        if _property(shell, "ActiveState", unit) != "active":
            raise CheckError(f"{unit} is not active.")
        if int(_property(shell, "ActiveEnterTimestampMonotonic", unit)) > began:
            raise CheckError(f"The companion started before {unit}.")
    circle = shell.ask("journalctl --boot --quiet --output=cat --grep='ordering cycle' || true")
    if circle:
        raise CheckError(f"Units have an ordering cycle: {circle}")
    return ""


def no_unit_has_failed(shell: Shell) -> str:
    if failed := shell.ask("systemctl list-units --failed --plain --no-legend"):
        raise CheckError(f"Units have failed: {failed}")
    return ""


def the_root_is_not_written_to(shell: Shell) -> str:
    if (kind := shell.ask("findmnt --noheadings --output FSTYPE /")) != "overlay":
        raise CheckError(f"Expected the root file system to be an overlay; found {kind}.")
    below = shell.ask("findmnt --noheadings --output OPTIONS /media/root-ro")
    if "ro" not in below.split(","):
        raise CheckError(f"The overlay's lower file system is writable: {below}.")
    shell.ask("echo seen >/etc/boomboard-was-here")
    return ""


def writes_to_the_root_are_discarded(shell: Shell) -> str:
    if shell.holds("[ -e /etc/boomboard-was-here ]"):
        raise CheckError("Files written to the root file system are still there after a restart.")
    return ""


def the_games_can_be_written_and_are_private(shell: Shell) -> str:
    shown = shell.ask("findmnt --noheadings --output FSTYPE,LABEL,OPTIONS /opt/boomboard")
    kind, label, options = shown.split()
    if (kind, label) != ("ext4", "boomboard") or "rw" not in options.split(","):
        raise CheckError(f"The games partition is not mounted writable: {shown}.")
    try:
        shell.ask(f"{AS_COMPANION} sh -c 'echo kept >{GAMES}/tried && rm {GAMES}/tried'")
    except ShellError as error:
        raise CheckError(f"The companion cannot write to its games folder: {error}.") from error
    if shell.holds(f"runuser -u nobody -- ls {GAMES} >/dev/null 2>&1"):
        raise CheckError("Other users can read the games.")
    return ""


def the_service_is_sandboxed(shell: Shell) -> str:
    shown = shell.ask(
        "systemd-analyze security boomboard.service --no-pager 2>/dev/null | tail -n 1"
    )
    exposure = float(shown.split(": ")[1].split()[0])
    if exposure > EXPOSURE:
        raise CheckError(
            f"The exposure of the service is {exposure}; at most {EXPOSURE} is allowed."
        )
    return f"exposure {exposure}"


def nothing_listens_on_the_network(shell: Shell) -> str:
    sockets = [line.split() for line in shell.ask("ss --no-header -ltnu").splitlines()]
    open_ = [f"{kind} {here}" for kind, _, _, _, here, *_ in sockets if not _is_harmless(here)]
    if open_:
        raise CheckError(f"Sockets are open to the network: {', '.join(open_)}.")
    return f"{len(sockets)} sockets, all local or for the address"


def _is_harmless(here: str) -> bool:
    """Return whether a socket is only reachable locally or belongs to the DHCP client."""
    place, port = here.rsplit(":", 1)
    return place.startswith(("127.", "[::1]")) or port in ("68", "546")


def the_watchdog_restarts_a_frozen_companion(shell: Shell) -> str:
    took = ", ".join(f"{_freeze(shell):.0f}" for _ in range(FREEZES))
    return f"after {took} s of its clock"


def _freeze(shell: Shell) -> float:
    """Freeze the companion. Return the time in seconds until it is running again."""
    process = _property(shell, "MainPID")
    frozen = float(shell.ask("cut -d ' ' -f 1 /proc/uptime"))
    shell.ask("systemctl kill --kill-who=main --signal=STOP boomboard")
    another = "$(systemctl show boomboard --property=MainPID --value)"
    is_up = f'[ "{another}" != {process} ] && systemctl --quiet is-active boomboard'
    if not shell.comes_about(is_up, 180):
        raise CheckError("A frozen companion was not restarted.")
    up = _seconds(_property(shell, "ActiveEnterTimestampMonotonic"))
    it_sends_heartbeats(shell)
    return up - frozen


def switch_off(shell: Shell) -> None:
    """Switch the computer off with the companion's permissions, as the screen's button does."""
    program = "from companion.devices.watchdog import switch_off; print(switch_off())"
    message = ""
    with suppress(EndedError):  # the computer may be off before it replies
        message = shell.ask(
            f"{AS_COMPANION} /opt/boomboard/current/.venv/bin/python -c '{program}'"
        )
    if message:
        raise CheckError(f"The companion cannot switch the computer off: {message}")
