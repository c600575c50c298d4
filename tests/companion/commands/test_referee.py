"""Run ``boomboard referee``: play a game in the terminal, and resume it after a power cut."""

import fcntl
import json
import os
import pty
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from companion.cli import main
from companion.storage.journal import Journal
from companion.storage.records import read_record, sample_game
from engine.game.clocks import TIME_CONTROLS, Limit
from engine.records.serialization import read_clock, read_control, read_edition
from engine.rules.editions import EDITIONS, MovedBombPenalty
from tests.campaigns import RARE, Campaign
from tests.companion.commands.beginnings import WHOLE, cut_short

END = "20/20  Blue wins: the other side has resigned. (house rule: the end of the game)"

PIPE = 4096
"""Capacity of a pipe, in bytes. The game's output is longer, so the process cannot exit until the
output is read.
"""
KILLED = Campaign("whole-games", part=120, whole=WHOLE)
CUTS = Campaign("whole-games", part=1, whole=3)


@pytest.fixture
def sample() -> Iterator[Path]:
    with sample_game() as path:
        yield path


@pytest.fixture
def short(tmp_path: Path) -> Path:
    return cut_short(tmp_path, 20, with_end=True)


def refereed(capsys: pytest.CaptureFixture[str], *arguments: object) -> list[str]:
    assert main(["referee", *map(str, arguments)]) == 0
    return capsys.readouterr().out.splitlines()


def test_game_with_every_announcement(
    capsys: pytest.CaptureFixture[str], short: Path, tmp_path: Path
) -> None:
    lines = refereed(capsys, "--game", short, "--data", tmp_path)
    assert " 0/20  Both armies are ready. Red begins." in lines
    assert " 1/20  Red: e4 to e5." in lines
    assert " 4/20  Blue: scout. Red: major. Red wins the combat." in lines
    assert lines[-1] == END


def test_exported_game_has_all_ranks(
    capsys: pytest.CaptureFixture[str], short: Path, tmp_path: Path
) -> None:
    data = ("--data", str(tmp_path))
    refereed(capsys, "--game", short, *data)
    out = tmp_path / "game.xml"
    assert main(["games", "export", "1", "--format", "gravon", "--out", str(out), *data]) == 0
    exported, played = read_record(out), read_record(short)
    assert (exported.ranks, exported.moves) == (played.ranks, played.moves)


def test_in_german(capsys: pytest.CaptureFixture[str], short: Path, tmp_path: Path) -> None:
    lines = refereed(capsys, "--game", short, "--data", tmp_path, "--language", "de")
    assert lines[-1].startswith("20/20  Blau gewinnt")


def test_rules_and_clock_are_saved(
    capsys: pytest.CaptureFixture[str], short: Path, tmp_path: Path
) -> None:
    choices = ("--edition", "isf", "--two-squares-limit", "5", "--silent-defence")
    lines = refereed(capsys, "--game", short, *choices, "--clock", "bronstein", "--data", tmp_path)
    assert lines[-1].startswith("20/20  Blue wins: the other side has resigned.")
    with closing(sqlite3.connect(tmp_path / "games.sqlite")) as connection:
        [(edition, control)] = connection.execute("SELECT edition, time_control FROM game")
        (clock,) = connection.execute("SELECT clock FROM action ORDER BY number DESC").fetchone()
    chosen = replace(EDITIONS["isf"], two_squares_limit=5, silent_defence=True)
    assert read_edition(json.loads(edition)) == chosen
    assert read_control(json.loads(control)) == TIME_CONTROLS["bronstein"]
    used = read_clock(json.loads(clock)).used
    assert 0 < used[Limit.RED] + used[Limit.BLUE] < used[Limit.WHOLE]


def test_moved_bomb_and_touch_move_are_saved(
    capsys: pytest.CaptureFixture[str], short: Path, tmp_path: Path
) -> None:
    choices = ("--edition", "travel-2017", "--moved-bomb", "loses", "--touch-move")
    refereed(capsys, "--game", short, *choices, "--data", tmp_path)
    with closing(sqlite3.connect(tmp_path / "games.sqlite")) as connection:
        [(edition,)] = connection.execute("SELECT edition FROM game")
    chosen = replace(EDITIONS["travel-2017"], moved_bomb=MovedBombPenalty.LOSES, touch_move=True)
    assert read_edition(json.loads(edition)) == chosen


def test_custom_clock_is_saved_and_exported(
    capsys: pytest.CaptureFixture[str], short: Path, tmp_path: Path
) -> None:
    data = ("--data", str(tmp_path))
    refereed(capsys, "--game", short, "--clock", "40:30+7,whole=95,setup=6", *data)

    assert main(["games", "export", "1", "--format", "json", *data]) == 0
    exported = json.loads(capsys.readouterr().out)["time_control"]
    assert exported == {"id": "free", "each": 2430, "delay": 7, "whole": 5700, "setup": 360}
    assert main(["games", "show", "1", *data]) == 0
    sheet = capsys.readouterr().out
    assert "Clock: 40:30 min + 7 s each, 95 min in total, 6 min for setup\n" in sheet


def test_illegal_game_is_not_played(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    options = ["--simulate", "--aggressor-advantage", "--data", str(tmp_path)]
    assert main(["referee", *options]) == 2
    assert "Choose other rules or another game." in capsys.readouterr().err


def start(sample: Path, data: Path, stderr: int | None = None) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "companion", "referee", "--game", sample, "--data", data]
    process = subprocess.Popen(
        [*map(str, command)], stdout=subprocess.PIPE, stderr=stderr, text=True
    )
    assert process.stdout
    fcntl.fcntl(process.stdout, fcntl.F_SETPIPE_SZ, PIPE)
    return process


@pytest.fixture(scope="module")
def uncut(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder with a game, plus the journal and output of an uninterrupted run."""
    folder = tmp_path_factory.mktemp("uncut")
    with start(cut_short(folder, KILLED.size).rename(folder / "game.xml"), folder) as process:
        output, _ = process.communicate()
    (folder / "said").write_text(output)
    return folder


def kill_at(sample: Path, data: Path, line_start: str) -> list[str]:
    """Kill the process when it prints a line that begins with `line_start`. Return its output."""
    with start(sample, data) as process:
        assert process.stdout
        output = []
        for line in process.stdout:
            output.append(line.rstrip("\n"))
            if line.startswith(line_start):
                os.kill(process.pid, signal.SIGKILL)
                break
        output += process.stdout.read().splitlines()
        assert process.wait() == -signal.SIGKILL, "the process was killed before it finished"
    return output


@KILLED
@pytest.mark.parametrize(
    ("after", "text"), CUTS.among([(0, "Both armies are ready"), (30, ""), (50, "")])
)
def test_killed_referee_resumes(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, uncut: Path, after: int, text: str
) -> None:
    whole = (uncut / "said").read_text().splitlines()
    assert len("\n".join(whole[after + 1 :])) > PIPE, (
        "the game still runs when its first output is read"
    )
    plies = min(KILLED.size, WHOLE)
    before = kill_at(uncut / "game.xml", tmp_path, f"{after:{len(str(plies))}}/{plies}  {text}")
    then = refereed(capsys, "--game", uncut / "game.xml", "--data", tmp_path)
    assert then[0].startswith("The interrupted game continues after")
    moves = [line for line in whole if " to " in line]
    reported = [line for line in before + then if " to " in line]
    assert set(reported) == set(moves), "every move is reported and no other"
    assert then[-40:] == whole[-40:]
    assert _kept(tmp_path) == _kept(uncut)


@RARE
def test_game_is_resumed_by_one_process(tmp_path: Path, uncut: Path) -> None:
    kill_at(uncut / "game.xml", tmp_path, " 30/")
    with start(uncut / "game.xml", tmp_path) as one:
        assert one.stdout
        first = one.stdout.readline()  # the remaining output fills the pipe and blocks the process
        assert first.startswith("The interrupted game continues after")
        with start(uncut / "game.xml", tmp_path, stderr=subprocess.PIPE) as other:
            _, complaints = other.communicate()
        assert other.returncode == 2
        assert "another Boomboard is playing these games" in complaints
        one.communicate()
    assert one.returncode == 0
    assert _kept(tmp_path) == _kept(uncut)


def _kept(data: Path) -> list[tuple[int, str]]:
    with closing(Journal(data / "games.sqlite")) as journal:
        rows = journal.file.connection.execute("SELECT number, action FROM action ORDER BY number")
        return rows.fetchall()


def test_finished_game_is_not_resumed(
    capsys: pytest.CaptureFixture[str], short: Path, tmp_path: Path
) -> None:
    for _ in range(2):
        lines = refereed(capsys, "--game", short, "--data", tmp_path)
        assert lines[-1].startswith("20/20  Blue wins")
        assert not lines[0].startswith("The interrupted game")


def test_new_option(
    capsys: pytest.CaptureFixture[str], sample: Path, short: Path, tmp_path: Path
) -> None:
    kill_at(sample, tmp_path, " 30/206")
    lines = refereed(capsys, "--game", short, "--data", tmp_path, "--new")
    assert " 1/20  Red: e4 to e5." in lines


def test_unwritable_data_folder(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert main(["referee", "--simulate", "--data", str(tmp_path / "file")]) == 2
    assert "--data" in capsys.readouterr().err


def test_declarations_need_a_terminal(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "companion", "referee", "--port", "/dev/null"]
    done = subprocess.run(
        [*command, "--data", str(tmp_path)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "start the command in one" in " ".join(done.stderr.split())


def refereed_at_a_terminal(*arguments: object) -> tuple[int, str, str]:
    """Start the command without a board and enter "quit"."""
    hand, keyboard = pty.openpty()
    command = [sys.executable, "-m", "companion", "referee", "--port", "/dev/no-such-port"]
    with os.fdopen(hand, "wb", buffering=0) as typed, os.fdopen(keyboard) as terminal:
        typed.write(b"quit\n")
        done = subprocess.run(
            [*command, *map(str, arguments)],
            stdin=terminal,
            capture_output=True,
            text=True,
            check=False,
        )
    return done.returncode, done.stdout, done.stderr


def test_colours_are_drawn_before_the_game(tmp_path: Path) -> None:
    code, output, _ = refereed_at_a_terminal("--lots", "[Anna]", "Ben", "--data", tmp_path)

    assert code == 0
    assert output.splitlines()[0] in (
        "[Anna] plays Red and begins. Ben plays Blue.",
        "Ben plays Red and begins. [Anna] plays Blue.",
    )


def test_equal_names_are_refused(tmp_path: Path) -> None:
    code, _, error = refereed_at_a_terminal("--lots", "Anna", "Anna", "--data", tmp_path)

    assert code == 2
    assert "Both players are called Anna" in error


def test_resumed_game_draws_no_colours(tmp_path: Path) -> None:
    with closing(Journal(tmp_path / "games.sqlite")) as journal:
        journal.begin(EDITIONS["isf"], 1, TIME_CONTROLS["none"])
    code, _, error = refereed_at_a_terminal("--lots", "Anna", "Ben", "--data", tmp_path)

    assert code == 2
    assert "The interrupted game is resumed with the same colours." in error
    code, output, _ = refereed_at_a_terminal("--lots", "Anna", "Ben", "--new", "--data", tmp_path)
    assert code == 0
    assert "plays Red and begins" in output


def test_simulated_hands_draw_no_colours(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    options = ["--simulate", "--lots", "Anna", "Ben", "--data", str(tmp_path)]
    assert main(["referee", *options]) == 2
    assert "Lots are drawn only between people at a board" in capsys.readouterr().err
