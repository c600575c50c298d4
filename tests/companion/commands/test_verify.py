"""Sealed armies in exported games: proved, not proved, broken, and the words of their seals."""

import json
from hashlib import sha256
from pathlib import Path

import pytest

from companion import cli
from companion.reports.score_sheet import score_sheet
from companion.speech.i18n import Language
from engine.game.actions import BreakSeals
from engine.records.record_files import read_transcript
from tests.engine.test_reference_sealed_armies import GENERAL, RED, WON, Game, played, ways


def unopened() -> Game:
    game = played(*WON, red=GENERAL)
    game["actions"] = [each for each in game["actions"] if each["do"] != "prove-army"]
    return game


GAMES = {
    "proved": (played(*WON, red=GENERAL), 0),
    "not proved": (unopened(), 1),
    "broken": (played(BreakSeals(RED), *ways("e4-e5")), 1),
    "contradicted": (played(*ways("e4-e5"), red="e4 bomb, b4 general"), 1),
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
    told = json.loads(printed)
    assert code == exit_code
    assert told["red"]["state"] == state
    assert (told["red"]["wrong"] != "") is (state == "contradicted")
    assert told["blue"]["state"] == ("not proved" if state == "not proved" else "proved")
    code, printed = verify(path, capsys)
    assert f"{path}: {told['words']} ({told['code']})\n  Red: " in printed
    assert ("Red: proved" in printed) is (state == "proved")


def test_seal_words_can_be_checked_by_hand(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The digests and their hash are calculated as docs/sealed.md describes."""
    game = played(*WON, red=GENERAL)
    path.write_text(json.dumps(game), encoding="utf-8")
    told = json.loads(verify(path, capsys, "--json")[1])
    placing = game["actions"][0]
    red, blue = (sha256(placing[f"{side}_sealed"].encode()).hexdigest() for side in ("red", "blue"))
    whole = sha256(f"boomboard/1 seals {red} {blue}".encode()).hexdigest()
    assert told["code"].replace(" ", "") == whole[:12]
    assert len(told["words"].split()) == 4


def test_changed_commitments_change_the_words(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Red's commitments were replaced after the players had written down the words of the seals."""
    words = []
    for army in ("", GENERAL):
        path.write_text(json.dumps(played(*ways("e4-e5"), red=army)), encoding="utf-8")
        words.append(json.loads(verify(path, capsys, "--json")[1])["words"])
    assert words[0] != words[1]


def test_score_sheet_shows_proof() -> None:
    told = score_sheet(read_transcript(json.dumps(unopened()).encode()), Language("en"))
    assert "Seals: " in told
    assert "Red: not proved\nBlue: not proved" in told


def test_non_game_file_has_its_exit_code(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path.write_text("nonsense", encoding="utf-8")
    assert verify(path, capsys)[0] == 2
