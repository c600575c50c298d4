"""Tests that the appliance's files are consistent, and that the command in its service file starts
the companion."""

import configparser
import re
import shlex
import subprocess
from pathlib import Path

import pytest

from companion.cli import main
from companion.devices.watchdog import switch_off
from companion.session.game_host import BoardSource
from companion.ui import app
from tests.project import ROOT

PI = ROOT / "hardware" / "pi"
GAMES = "/opt/boomboard/games"


def entries(file: str, section: str) -> configparser.SectionProxy:
    parser = configparser.ConfigParser(
        interpolation=None, comment_prefixes=("#",), strict=False, delimiters=("=",)
    )
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read(PI / file, encoding="utf-8")
    return parser[section]


def test_service_permissions(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program, *arguments = shlex.split(entries("boomboard.service", "Service")["ExecStart"])
    assert program == "/opt/boomboard/current/.venv/bin/boomboard"
    assert arguments[-3:] == ["--data", GAMES, "$OPTIONS"]
    shown: list[BoardSource] = []
    given: list[object] = []

    def run(source: BoardSource, *_: object, switch_off: object, **__: object) -> None:
        shown.append(source)
        given.append(switch_off)

    monkeypatch.setattr(app, "run", run)
    assert main([*arguments[:-2], str(tmp_path)]) == 0
    assert [source.simulated for source in shown] == [None]
    assert given == [switch_off]


def test_companion_is_restarted_a_limited_number_of_times() -> None:
    service, unit = (entries("boomboard.service", part) for part in ("Service", "Unit"))
    assert service["Type"] == "notify"
    assert 0 < int(service["WatchdogSec"]) <= 60
    assert service["Restart"] == "always"
    falls, seconds = int(unit["StartLimitBurst"]), int(unit["StartLimitIntervalSec"])
    # All permitted restarts fit into the period, even if each start takes ten seconds.
    assert falls * (int(service["RestartSec"]) + 10) < seconds
    assert (PI / unit["OnFailure"]).is_file()


def test_service_owns_its_data() -> None:
    assert GAMES in entries("boomboard.service", "Service")["ReadWritePaths"].split()
    user = entries("boomboard.service", "Service")["User"]
    folder = (PI / "boomboard-tmpfiles.conf").read_text(encoding="utf-8")
    assert f"d {GAMES} 0700 {user} {user} -\n" in folder
    users = (PI / "boomboard-sysusers.conf").read_text(encoding="utf-8")
    assert f'u {user} - "Boomboard" {GAMES}\n' in users
    groups = set(re.findall(rf"^m {user} (\w+)$", users, re.MULTILINE))
    assert groups == {"dialout", "video", "render", "input", "audio", "gpio"}


def test_drivers_are_loaded_before_the_service() -> None:
    text = (PI / "boomboard.service").read_text(encoding="utf-8")
    allowed = set(re.findall(r"^DeviceAllow=char-(\w+) ", text, re.MULTILINE))
    assert {"drm", "input", "ttyUSB", "ttyACM", "alsa", "gpiochip"} == allowed
    loaded = (PI / "boomboard-modules.conf").read_text(encoding="utf-8").split()
    assert {"usbserial", "cdc_acm", "snd"} <= set(loaded)
    assert "systemd-modules-load.service" in entries("boomboard.service", "Unit")["After"].split()


def test_only_the_service_user_may_power_off() -> None:
    rule = (PI / "50-boomboard.rules").read_text(encoding="utf-8")
    assert f'subject.user == "{entries("boomboard.service", "Service")["User"]}"' in rule
    allowed = set(re.findall(r'"(org\.[\w.-]+)"', rule))
    assert allowed == {
        "org.freedesktop.login1.power-off",
        "org.freedesktop.login1.power-off-multiple-sessions",
    }


def test_release_trial_period() -> None:
    trial = (PI / "trial.sh").read_text(encoding="utf-8")
    [limit] = re.findall(r"^limit=\$\{1:-(\d+)\}", trial, re.MULTILINE)
    [steady] = re.findall(r"^steady=\$\{2:-(\d+)\}", trial, re.MULTILINE)
    assert int(limit) == 120
    # The program must run for a period without a crash. A frozen program would be detected in that
    # period.
    watched = int(entries("boomboard.service", "Service")["WatchdogSec"])
    assert watched < int(steady) < int(limit)


@pytest.mark.parametrize("path", sorted(PI.glob("*.sh")), ids=lambda path: path.name)
def test_scripts_are_executable(path: Path) -> None:
    assert path.stat().st_mode & 0o111
    assert path.read_text(encoding="utf-8").startswith("#!/usr/bin/env bash\n")
    assert "\nset -euo pipefail\n" in path.read_text(encoding="utf-8")
    subprocess.run(["bash", "-n", str(path)], check=True)
