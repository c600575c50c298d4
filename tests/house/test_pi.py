"""What is installed on a Pi fits together, and starts the companion as it is to start there."""

import configparser
import re
import shlex

import pytest

from companion import app
from companion.cli import main
from companion.screens.base.board_host import Source
from tests.house import ROOT

PI = ROOT / "hardware" / "pi"
INSTALLER = (PI / "install.sh").read_text(encoding="utf-8")
PLACEHOLDER = re.compile(r"@\w+@")


def entry(file: str, section: str, key: str) -> str:
    parser = configparser.ConfigParser(interpolation=None, comment_prefixes=("#",), strict=True)
    parser.read(PI / file, encoding="utf-8")
    return parser[section][key]


def test_the_installer_fills_in_every_blank_of_the_service() -> None:
    blanks = PLACEHOLDER.findall((PI / "boomboard.service").read_text(encoding="utf-8"))
    assert blanks
    assert set(blanks) == set(PLACEHOLDER.findall(INSTALLER))


def test_the_desktop_starts_the_service_that_is_installed() -> None:
    _, _, commands = shlex.split(entry("boomboard.desktop", "Desktop Entry", "Exec"))
    _, _, started = commands.rpartition("systemctl --user start ")
    assert (PI / f"{started}.service").is_file()
    assert f"/systemd/user/{started}.service\n" in INSTALLER
    assert f"/autostart/{started}.desktop\n" in INSTALLER


def test_the_service_waits_for_a_board(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    program, *arguments = shlex.split(entry("boomboard.service", "Service", "ExecStart"))
    assert program == "@FOLDER@/.venv/bin/boomboard"
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
    shown: list[Source] = []
    monkeypatch.setattr(app, "run", lambda source, *_: shown.append(source))
    assert main(arguments) == 0
    assert [source.virtual for source in shown] == [None]


def test_the_service_comes_back_until_the_desktop_is_there() -> None:
    assert entry("boomboard.service", "Service", "Restart") == "on-failure"
    assert entry("boomboard.service", "Unit", "StartLimitIntervalSec") == "0"
