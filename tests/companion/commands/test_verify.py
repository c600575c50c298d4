"""Verify sealed armies in exported games.

The tests check the seal words and the verdicts: proved, not proved or broken.
"""

import json
from hashlib import sha256
from pathlib import Path

import pytest

from companion import cli
from companion.reports.score_sheet import score_sheet
from companion.speech.i18n import Language
from engine.game.actions import BreakSeals
from engine.records.record_files import read_transcript
from tests.engine.test_reference_sealed_armies import GENERAL, RED, WON, Game, played, turns


def unopened() -> Game:
    game = played(*WON, red=GENERAL)
    game["actions"] = [each for each in game["actions"] if each["do"] != "prove-army"]
    return game


GAMES = {
    "proved": (played(*WON, red=GENERAL), 0),
    "not proved": (unopened(), 1),
    "broken": (played(BreakSeals(RED), *turns("e4-e5")), 1),
    "contradicted": (played(*turns("e4-e5"), red="e4 bomb, b4 general"), 1),
}


def verify(path: Path, capsys: pytest.CaptureFixture[str], *options: str) -> tuple[int, str]:
    code = cli.main(["verify", *options, str(path)])
    return code, capsys.readouterr().out


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "game.json"


@pytest.mark.parametrize("state", GAMES)
def test_state_of_seals(state: str, path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game, exit_code = GAMES[state]
    path.write_text(json.dumps(game), encoding="utf-8")
    code, printed = verify(path, capsys, "--json")
    report = json.loads(printed)
    assert code == exit_code
    assert report["red"]["state"] == state
    assert (report["red"]["wrong"] != "") is (state == "contradicted")
    assert report["blue"]["state"] == ("not proved" if state == "not proved" else "proved")
    code, printed = verify(path, capsys)
    assert f"{path}: {report['words']} ({report['code']})\n  Red: " in printed
    assert ("Red: proved" in printed) is (state == "proved")


def test_seal_words_can_be_checked_by_hand(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The hashes are computed as described in docs/sealed.md."""
    game = played(*WON, red=GENERAL)
    path.write_text(json.dumps(game), encoding="utf-8")
    report = json.loads(verify(path, capsys, "--json")[1])
    placing = game["actions"][0]
    red, blue = (sha256(placing[f"{side}_sealed"].encode()).hexdigest() for side in ("red", "blue"))
    whole = sha256(f"boomboard/1 seals {red} {blue}".encode()).hexdigest()
    assert report["code"].replace(" ", "") == whole[:12]
    assert len(report["words"].split()) == 4


def test_changed_commitments_change_the_words(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Someone replaced Red's commitments after the players had noted down the seal words."""
    words = []
    for army in ("", GENERAL):
        path.write_text(json.dumps(played(*turns("e4-e5"), red=army)), encoding="utf-8")
        words.append(json.loads(verify(path, capsys, "--json")[1])["words"])
    assert words[0] != words[1]


def test_score_sheet_shows_proof() -> None:
    sheet = score_sheet(read_transcript(json.dumps(unopened()).encode()), Language("en"))
    assert "Seals: " in sheet
    assert "Red: not proved\nBlue: not proved" in sheet


def test_non_game_file_has_its_exit_code(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path.write_text("nonsense", encoding="utf-8")
    assert verify(path, capsys)[0] == 2
