"""Tests for ``boomboard play`` without a display, and for the command line as a whole."""

import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from companion.cli import main
from companion.devices.watchdog import switch_off
from companion.session.game_host import BoardSource
from companion.storage.journal_provider import JournalProvider
from companion.ui import app
from engine.game.clocks import TIME_CONTROLS, TimeControl
from engine.rules.editions import DEFAULT, Edition
from firmware_bridge.link import find_ports
from tests.campaigns import RARE
from tests.companion.storage.disk_faults import LETTER
from tests.project import ROOT
from tools.sbom.parts import own_version

README = ROOT / "README.md"


def without_display(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER"):
        monkeypatch.delenv(name, raising=False)


def test_terminal_referee_without_a_display(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert find_ports() == [], "this test needs a computer without a board"
    without_display(monkeypatch)
    assert main(["play", "--data", str(tmp_path)]) == 0
    output = capsys.readouterr().out
    assert output.startswith("There is no display: the table is in this terminal.\n")
    assert_shown_as_in_the_readme(output)
    assert output.count("Boom!") == 2
    assert output.endswith(
        "206/206  Blue wins: the other side has resigned. (house rule: the end of the game)\n"
    )


def assert_shown_as_in_the_readme(output: str) -> None:
    """Check that the output contains each part of the README's abridged example, in order."""
    [block] = re.findall(r"```\n(There is no display.*?)```", README.read_text(), re.DOTALL)
    at = 0
    for shown in filter(None, block.split("  …\n")):
        assert shown in output[at:]
        at = output.index(shown, at)


def start_playing(display: str, data: Path, *options: str) -> subprocess.Popen[str]:
    """Start ``boomboard play`` with an unusable ``DISPLAY``."""
    names = ("WAYLAND_DISPLAY", "XDG_RUNTIME_DIR", "SDL_VIDEODRIVER")
    environment = {name: value for name, value in os.environ.items() if name not in names}
    command = [sys.executable, "-m", "companion", "play", *options, "--data", str(data)]
    return subprocess.Popen(
        command,
        env=environment | {"DISPLAY": display},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize("display", [":4321", ""])
def test_unusable_display(tmp_path: Path, display: str) -> None:
    with start_playing(display, tmp_path) as process:
        assert process.stdout
        output = process.stdout.readline()
        moved = next(line for line in process.stdout if line.startswith("  1/206"))
        process.kill()
    assert output == "There is no display: the table is in this terminal.\n"
    assert moved == "  1/206  Red: e4 to e5.\n"


def test_sealed_armies_need_a_window(tmp_path: Path) -> None:
    with start_playing("", tmp_path, "--sealed-armies") as process:
        assert process.stdout
        _no_display, output = process.stdout.readline(), process.stdout.readline()
        process.kill()
    assert output == "Armies can be sealed only in a window, so --sealed-armies is ignored.\n"


@pytest.mark.parametrize("option", [[], ["--sealed-armies"]])
def test_sealed_armies_option(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, option: list[str]
) -> None:
    shown: list[Edition] = []
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr(app, "run", lambda *given, **_: shown.append(given[3]))
    choices = ["play", "--simulate", "--data", str(tmp_path), "--edition", "isf"]
    assert main([*choices, *option]) == 0
    assert [each.sealed_armies for each in shown] == [bool(option)]


def test_waiting_for_a_board_without_a_display(tmp_path: Path) -> None:
    with start_playing(":4321", tmp_path, "--board") as process:
        output, errors = process.communicate()
    assert (process.returncode, output) == (2, "")
    [sentence] = errors.splitlines()
    assert sentence.startswith(
        "boomboard: No window can be opened, because no display was found. Connect a display"
    )


def test_unopenable_window_is_explained(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ImportError("libGL.so.1: cannot open shared object file")

    monkeypatch.setattr(app, "run", fail)
    assert main(["play", "--simulate", "--data", str(tmp_path)]) == 2
    output = capsys.readouterr().err
    assert "libGL.so.1" in output
    assert "make setup" in output


def test_damaged_games_file_does_not_block_the_window(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "games.sqlite").write_bytes(LETTER)
    shown: list[JournalProvider] = []
    monkeypatch.setattr(app, "run", lambda _source, journals, *_, **__: shown.append(journals))
    assert main(["play", "--simulate", "--data", str(tmp_path)]) == 0
    assert [journals.path for journals in shown] == [tmp_path / "games.sqlite"]
    assert main(["games", "list", "--data", str(tmp_path)]) == 2
    assert "cannot be read or saved" in capsys.readouterr().err
    assert (tmp_path / "games.sqlite").read_bytes() == LETTER, (
        "reading the list does not move the file"
    )


@RARE
def test_damaged_file_is_quarantined_in_a_terminal(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "games.sqlite").write_bytes(LETTER)
    assert main(["referee", "--simulate", "--data", str(tmp_path)]) == 0
    output = capsys.readouterr().out
    [aside] = tmp_path.glob("games-damaged-*.sqlite")
    assert aside.read_bytes() == LETTER
    assert f"The saved games were damaged. They are now in {aside}. New games are saved." in output


@pytest.mark.parametrize(("option", "simulated"), [("--board", False), ("--simulate", True)])
def test_no_simulated_board_on_request(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, option: str, simulated: bool
) -> None:
    assert find_ports() == [], "this test needs a computer without a board"
    shown: list[BoardSource] = []
    monkeypatch.setattr(app, "run", lambda source, *_, **__: shown.append(source))
    assert main(["play", option, "--data", str(tmp_path)]) == 0
    assert [source.simulated is not None for source in shown] == [simulated]


def test_unspecified_options_use_saved_settings(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    named: list[object] = []

    def show(_source: object, _journal: object, *chosen: object, **_: object) -> None:
        named.append(chosen[:3])

    monkeypatch.setattr(app, "run", show)
    for options in ([], ["--silent-defence", "--clock", "total"], ["--clock", "15+10,whole=60"]):
        assert main(["play", "--simulate", "--data", str(tmp_path), *options]) == 0
    silent = replace(DEFAULT, silent_defence=True)
    free = TimeControl.of(each=900, delay=10, whole=3600)
    assert named == [
        (None, None, None),
        (None, silent, TIME_CONTROLS["total"]),
        (None, None, free),
    ]


def test_board_without_a_display(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    without_display(monkeypatch)
    assert main(["play", "--board", "--data", str(tmp_path)]) == 2
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(("options", "offered"), [([], None), (["--appliance"], switch_off)])
def test_power_off_needs_the_appliance_option(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, options: list[str], offered: object
) -> None:
    given: list[object] = []
    monkeypatch.setattr(app, "run", lambda *_, switch_off, **__: given.append(switch_off))
    assert main(["play", "--simulate", *options, "--data", str(tmp_path)]) == 0
    assert given == [offered]


def test_module_entry_point() -> None:
    command = [sys.executable, "-m", "companion", "--help"]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "adjudicate" in output


def test_version_option(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"boomboard {own_version()}\n"


@pytest.mark.parametrize("command", ["play", "referee", "simulate", "adjudicate"])
def test_commands_have_help(capsys: pytest.CaptureFixture[str], command: str) -> None:
    with pytest.raises(SystemExit) as ended:
        main([command, "--help"])
    assert ended.value.code == 0
    assert "--edition" in capsys.readouterr().out


@pytest.mark.parametrize("command", ["play", "referee", "simulate"])
def test_edition_choices_are_explained(capsys: pytest.CaptureFixture[str], command: str) -> None:
    with pytest.raises(SystemExit):
        main([command, "--help"])
    output = capsys.readouterr().out
    choices = {"--army", "--two-squares-limit", "--silent-defence", "--aggressor-advantage"}
    choices |= {"--moved-bomb", "--touch-move"}
    assert {choice for choice in choices if choice in output} == choices
    assert ("--clock" in output) == (command != "simulate"), "simulated players need no clock"


@pytest.mark.parametrize("command", ["play", "referee"])
def test_invalid_clock_is_refused(capsys: pytest.CaptureFixture[str], command: str) -> None:
    with pytest.raises(SystemExit) as ended:
        main([command, "--clock", "12+4,hole=55"])
    assert ended.value.code == 2
    output = capsys.readouterr().err
    assert "argument --clock: 'hole=55' is neither whole=MINUTES nor setup=MINUTES" in output


def test_closed_output_is_no_error() -> None:
    game = Path(app.__file__).parent / "samples" / "classic-2004.xml"
    files = " ".join([str(game)] * 2000)
    command = f"{sys.executable} -m companion adjudicate {files} | head -n 1"
    ended = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert ended.stdout.count("\n") == 1
    assert ended.stderr == ""
