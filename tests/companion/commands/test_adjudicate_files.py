"""Tests for the file formats that ``boomboard adjudicate`` reads, and for unreadable files."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from companion.storage.records import LARGEST
from engine.board.geometry import Side
from engine.game.actions import PlaceArmies, Resign
from engine.records.transcript import transcribe
from engine.rules.editions import DEFAULT
from tests.companion.commands.adjudicating import OLD_ISF, TO_AND_FRO, judged, own
from tests.companion.commands.beginnings import cut_short
from tests.engine.tables import BLUE
from tests.engine.transcripts import DUEL, FIGHT, all_actions, full, game_of


def test_other_notation_is_named(capsys: pytest.CaptureFixture[str], sample: Path) -> None:
    text = as_gsn(sample)
    for old, new, named in (
        ("Notation v2", "Notation v3", "Stratego-Notation 'v3'"),
        ("type 0", "type 7", "'type 7'"),
    ):
        path = sample.with_name("other.gsn")
        path.write_text(text.replace(old, new))

        code, [verdict] = judged(capsys, path)

        assert (code, verdict["verdict"]) == (2, "unreadable")
        assert named in verdict["reason"]


def as_gsn(sample: Path) -> str:
    text = sample.read_text()
    moves = re.findall('source="(..)" target="(..)"', text)
    field = re.findall('content="(.*?)"', text)
    lines = ["#X38FA11 Stratego-Notation v2", "type 0", *field, *map("-".join, moves), "END"]
    return "\n".join([*lines, "one vs other result 3 winner 1", ""])


def test_same_game_in_another_format(
    capsys: pytest.CaptureFixture[str], sample: Path, tmp_path: Path
) -> None:
    gsn = tmp_path / "sample.gsn"
    gsn.write_text(as_gsn(sample))

    code, [first, second] = judged(capsys, sample, gsn)

    assert code == 0
    assert second == first | {"file": str(gsn)}


def test_game_without_a_result(
    capsys: pytest.CaptureFixture[str], sample: Path, tmp_path: Path
) -> None:
    (field,) = re.findall('content="(.*?)"', sample.read_text())
    chase = tmp_path / "chase.txt"
    # The moves are a4-a5, k7-k6, a5-a6 and k6-k5. Blue sees the board rotated.
    chase.write_text(f"{field.replace('A', 'a')}\n330\n330\n440\n440\n")

    code, [verdict] = judged(capsys, chase)

    assert (code, verdict["plies"], verdict["outcome"]) == (0, 4, None)


def test_own_file_is_judged_by_its_edition(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """The piece crosses the same edge four times, which the edition in the file allows."""
    path = own(tmp_path, game_of(TO_AND_FRO, Resign(BLUE), edition=OLD_ISF))

    assert judged(capsys, path) == (
        0,
        [
            {
                "file": str(path),
                "plies": 7,
                "verdict": "legal",
                "ply": None,
                "rule": None,
                "reason": None,
                "outcome": {"winner": "red", "reason": "resignation", "basis": "claimed"},
            }
        ],
    )


def test_own_file_judged_with_another_limit(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = own(tmp_path, game_of(TO_AND_FRO, edition=OLD_ISF))

    code, [verdict] = judged(capsys, "--two-squares-limit", "3", path)

    assert (code, verdict["ply"], verdict["rule"]) == (1, 7, "two-squares")


def test_own_file_judged_by_another_edition(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """The ISF rules allow fewer crossings of the same edge."""
    homes = PlaceArmies(Side.RED.home, Side.BLUE.home)
    whole = [homes, *all_actions(DUEL, TO_AND_FRO)[1:]]
    path = own(tmp_path, transcribe(DEFAULT, [(0, action) for action in whole]))
    assert judged(capsys, path)[0] == 0

    code, [verdict] = judged(capsys, "--edition", "isf", path)

    assert (code, verdict["ply"], verdict["rule"]) == (1, 7, "two-squares")


@pytest.mark.parametrize(("known", "code"), [(False, 0), (True, 1)])
def test_added_rank_reveals_a_moved_bomb(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, known: bool, code: int
) -> None:
    game = game_of("c1-c2, e7-e6")
    path = own(tmp_path, full(game) if known else game)

    found, [verdict] = judged(capsys, path)

    assert (found, verdict["rule"]) == (code, "immobile-piece" if known else None)


def test_damaged_own_file_names_its_place(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, sample: Path
) -> None:
    text = own(tmp_path, game_of(FIGHT)).read_text()
    damages = {
        (',\n "ranks"', '\n "ranks"'): "line 8: this is not well-formed JSON",
        ('"version": 2', '"version": 3'): "the file has version 3; this program reads 2",
        ('"source": "b4"', '"source": "j4"'): 'action 2: "source" of "move" must be',
        (
            '"long_move": false',
            '"long_move": true',
        ): "the rulings on action 2 differ from the referee's",
        ('"red": "a1 c1', '"red": "c1 c5'): "action 1 breaks a rule: pieces are on a lake (c5)",
    }
    files = []
    for number, (old, new) in enumerate(damages):
        files.append(tmp_path / f"{number}.json")
        files[-1].write_text(text.replace(old, new, 1))

    code, [*damaged, legal] = judged(capsys, *files, sample)

    assert (code, legal["verdict"]) == (2, "legal")
    for verdict, expected in zip(damaged, damages.values(), strict=True):
        assert verdict["verdict"] == "unreadable"
        assert verdict["reason"].startswith(expected)


BOMB = """<?xml version="1.0"?>
<!DOCTYPE stratego [
<!ENTITY a "aaaaaaaaaa">
<!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">
<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">
]>
<stratego>&c;</stratego>
"""


class TestUnreadable:
    def test_unreadable_files_do_not_stop_the_others(
        self, capsys: pytest.CaptureFixture[str], sample: Path, tmp_path: Path
    ) -> None:
        contents: dict[str, bytes] = {
            "truncated.xml": sample.read_bytes()[:1500],
            "empty.xml": b"",
            "binary.xml": bytes(range(256)) * 8,
            "bomb.xml": BOMB.encode(),
            "letter.xml": sample.read_bytes().replace(b'content="E', b'content="?'),
        }
        for file, data in contents.items():
            (tmp_path / file).write_bytes(data)
        files = [tmp_path / file for file in contents]
        (empty := tmp_path / "empty").mkdir()
        code, verdicts = judged(capsys, *files, sample, tmp_path / "missing.xml", empty)
        assert code == 2
        reasons = {Path(verdict["file"]).name: verdict["reason"] for verdict in verdicts}
        assert verdicts[5]["verdict"] == "legal"
        unreadable = [*verdicts[:5], *verdicts[6:]]
        assert {verdict["verdict"] for verdict in unreadable} == {"unreadable"}
        assert reasons["truncated.xml"].startswith("line 37: ")
        assert reasons["empty.xml"] == "line 1: the file is empty"
        assert reasons["binary.xml"].startswith("line 1: ")
        assert reasons["bomb.xml"].startswith("line 2: ")
        assert reasons["letter.xml"].startswith("line 5: the setup has '?' on a1")
        assert reasons["missing.xml"] == "the file cannot be opened (No such file or directory)"

    def test_huge_file(self, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
        (tmp_path / "large.xml").write_bytes(b" " * (LARGEST + 1))
        code, [verdict] = judged(capsys, tmp_path / "large.xml")
        assert code == 2
        assert "larger than 1 MB" in verdict["reason"]


@pytest.mark.parametrize(
    "command", [["adjudicate", "-"], ["games", "show", "-"], ["referee", "--game", "-"]]
)
def test_game_from_a_pipe(tmp_path: Path, command: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "companion", *command],
        env=os.environ | {"XDG_DATA_HOME": str(tmp_path)},
        input=cut_short(tmp_path, 20, with_end=True).read_text(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    if command[0] == "adjudicate":
        assert done.stdout == "-: 20 plies, all legal; Blue wins (forfeit): claimed by the record\n"


def test_garbage_from_a_pipe() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "companion", "adjudicate", "-"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "-: line 1: the file is empty\n")
