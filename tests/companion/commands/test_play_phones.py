"""Tests for ``boomboard play`` with phones."""

from pathlib import Path

import pytest

from companion.cli import main
from companion.commands.options import WIFI_PASSWORD
from companion.pads import Certificate, ListenAddress
from companion.ui import app
from companion.ui.base.pads import USUAL, NetworkOptions, Wifi

CERTIFICATE = Certificate(Path("chain.pem"), Path("key.pem"), "board.club.example")


@pytest.mark.parametrize(
    ("options", "reach"),
    [
        ([], USUAL),
        (["--pads"], NetworkOptions(ListenAddress(), at_once=True)),
        (["--pads", "8018"], NetworkOptions(ListenAddress(port=8018), at_once=True)),
        (
            ["--pads", "192.168.1.20:8018"],
            NetworkOptions(ListenAddress("192.168.1.20", 8018), at_once=True),
        ),
        (
            ["--pads", "[fd00::7]:8018"],
            NetworkOptions(ListenAddress("fd00::7", 8018), at_once=True),
        ),
        (["--wifi", "Board"], NetworkOptions(wifi=Wifi("Board"))),
        (
            ["--pads-certificate", "chain.pem", "key.pem", "board.club.example"],
            NetworkOptions(ListenAddress(certificate=CERTIFICATE)),
        ),
        (
            ["--pads", "443", "--pads-certificate", "chain.pem", "key.pem", "board.club.example"],
            NetworkOptions(ListenAddress(port=443, certificate=CERTIFICATE), at_once=True),
        ),
    ],
)
def test_phone_address_option(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, options: list[str], reach: NetworkOptions
) -> None:
    given: list[object] = []
    monkeypatch.setattr(app, "run", lambda *_, reach, **__: given.append(reach))
    assert main(["play", "--simulate", "--data", str(tmp_path), *options]) == 0
    assert given == [reach]


def test_wifi_password_from_the_environment(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    given: list[NetworkOptions] = []
    monkeypatch.setattr(app, "run", lambda *_, reach, **__: given.append(reach))
    monkeypatch.setenv(WIFI_PASSWORD, "b o m b")
    assert main(["play", "--simulate", "--data", str(tmp_path), "--wifi", "Board"]) == 0
    assert given == [NetworkOptions(wifi=Wifi("Board", "b o m b"))]


def test_password_on_the_command_line_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main(["play", "--data", str(tmp_path), "--wifi", "Board", "secret"]) != 0
    errors = capsys.readouterr().err
    assert f"set the environment variable {WIFI_PASSWORD}" in errors
    assert "secret" not in errors


@pytest.mark.parametrize(
    "place",
    ["board:8017", "192.168.1.20", "192.168.1.20:", "8o17", "1.2.3.4:65536", "fd00::7", "[::]:80"],
)
def test_invalid_phone_address(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, place: str
) -> None:
    with pytest.raises(SystemExit):
        main(["play", "--data", str(tmp_path), f"--pads={place}"])
    errors = capsys.readouterr().err
    assert (
        f"'{place}' is neither a numeric address with a port, such as 192.168.1.20:8017" in errors
    )


def test_no_phones_without_a_window(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("companion.commands.referee.run", lambda _options: 0)
    assert main(["play", "--simulate", "--data", str(tmp_path), "--pads", "0"]) == 0
    assert "Phones can be used only with a window, so --pads is ignored." in capsys.readouterr().out
