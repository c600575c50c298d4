"""Tests for the verdicts, reasons and exit codes of ``boomboard adjudicate``."""

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.cli import main
from companion.storage.records import LARGEST, sample_game
from engine.board import board_text
from engine.board.geometry import Side, name
from engine.game.actions import PlaceArmies, Resign
from engine.game.referee import Referee
from engine.records.record_files import write_transcript
from engine.records.transcript import Transcript, transcribe
from engine.rules.editions import DEFAULT
from tests.companion.commands.beginnings import cut_short
from tests.engine.tables import BLUE
from tests.engine.test_transcript import DUEL, FIGHT, ISF_DUEL, all_actions, full, game_of

Verdicts = list[dict[str, Any]]


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    with sample_game() as path:
        return Path(shutil.copy(path, tmp_path / "sample.xml"))


def altered(sample: Path, old: str, new: str) -> Path:
    """Return a copy of the sample game with one change."""
    text = sample.read_text()
    assert text.count(old) == 1, "the text to change must occur exactly once"
    path = sample.with_name("altered.xml")
    path.write_text(text.replace(old, new))
    return path


def judged(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, Verdicts]:
    code = main(["adjudicate", "--json", *map(str, arguments)])
    return code, [json.loads(line) for line in capsys.readouterr().out.splitlines()]


@pytest.mark.parametrize("edition", ["isf", "original-1992"])
def test_legal_game(capsys: pytest.CaptureFixture[str], sample: Path, edition: str) -> None:
    assert judged(capsys, "--edition", edition, sample) == (
        0,
        [
            {
                "file": str(sample),
                "plies": 206,
                "verdict": "legal",
                "ply": None,
                "rule": None,
                "reason": None,
                "outcome": {"winner": "blue", "reason": "forfeit", "basis": "claimed"},
            }
        ],
    )


RESULT = '<result type="3" winner="2"/>'
BASES = {
    (0, 1): "refuted",
    (0, 2): "refuted",
    (0, 3): "refuted",
    (1, 1): "refuted",
    (1, 2): "refuted",
    (1, 3): "refuted",
    (2, 1): "refuted",
    (2, 2): "refuted",
    (2, 3): "refuted",
    (3, 1): "claimed",
    (3, 2): "claimed",
    (3, 3): "claimed",  # The two sides cannot both lose, and a draw has no winner.
    (4, 1): "refuted",  # A draw has no winner.
    (4, 2): "refuted",
    (4, 3): "claimed",
    (10, 1): "claimed",
    (10, 2): "claimed",
    (10, 3): "claimed",
}
"""Expected grounds for each ending of the sample game, by Gravon result type and winner."""


@pytest.mark.parametrize(("claim", "basis"), BASES.items())
def test_claimed_ends(
    capsys: pytest.CaptureFixture[str], sample: Path, claim: tuple[int, int], basis: str
) -> None:
    kind, winner = claim
    path = altered(sample, RESULT, f'<result type="{kind}" winner="{winner}"/>')

    code, [verdict] = judged(capsys, path)
    assert main(["adjudicate", str(path)]) == code

    assert code == (1 if basis == "refuted" else 0)
    assert (verdict["verdict"], verdict["outcome"]["basis"]) == ("legal", basis)
    assert verdict["outcome"]["winner"] == {1: "red", 2: "blue", 3: None}[winner]
    assert (verdict["reason"] is None) == (basis != "refuted")
    assert f": {basis}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("kind", "named"),
    [
        ("duell", "duell"),
        ("barrage", "barrage"),
        ("ultimate lightning", "ultimate lightning"),
        ("chess", "chess"),
        ("Classic", "Classic"),
    ],
)
@pytest.mark.parametrize("edition", ["original-1992", "isf"])
def test_other_game_type_is_named(
    capsys: pytest.CaptureFixture[str], sample: Path, kind: str, named: str, edition: str
) -> None:
    code, [verdict] = judged(
        capsys, "--edition", edition, altered(sample, 'type="classic"', f'type="{kind}"')
    )

    assert code != 0
    assert verdict["verdict"] != "legal"
    assert f"'{named}'" in verdict["reason"]


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


@pytest.mark.parametrize(
    ("old", "new", "ply", "rule"),
    [
        ('id="5" source="F4" target="F5"', 'id="5" source="F4" target="G5"', 5, "movement"),
        ('id="20" source="I7" target="I6"', 'id="20" source="I7" target="H6"', 20, "movement"),
        ('id="5" source="F4" target="F5"', 'id="5" source="C1" target="C2"', 5, "immobile-piece"),
        ('id="5" source="F4" target="F5"', 'id="5" source="A7" target="A6"', 5, "out-of-turn"),
    ],
)
def test_illegal_ply(
    capsys: pytest.CaptureFixture[str], sample: Path, old: str, new: str, ply: int, rule: str
) -> None:
    code, [verdict] = judged(capsys, "--edition", "isf", altered(sample, old, new))
    assert code == 1
    assert (verdict["verdict"], verdict["ply"], verdict["rule"]) == ("illegal", ply, rule)
    assert "(ISF game rules: " in verdict["reason"]
    assert verdict["outcome"] is None


def to_and_fro(sample: Path, plies: int) -> Path:
    """Write a game in which one of Red's pieces moves back and forth."""
    text = sample.read_text()
    head, tail = text[: text.index("<move")], text[text.index("<player") :]
    blue = [("A7", "A6"), ("A6", "A5"), ("A5", "B5"), ("B5", "B6"), ("B6", "A6"), ("A6", "A5")]
    moves = []
    for ply in range(plies):
        red = ("E4", "E5") if ply % 4 == 0 else ("E5", "E4")
        source, target = red if ply % 2 == 0 else blue[ply // 2]
        moves.append(f'<move id="{ply + 1}" source="{source}" target="{target}"/>\n')
    path = sample.with_name("to-and-fro.xml")
    path.write_text(head + "".join(moves) + tail)
    return path


@pytest.mark.parametrize(
    ("options", "plies", "ply"),
    [
        (("--edition", "isf"), 6, None),
        (("--edition", "isf"), 7, 7),
        (("--edition", "original-1992"), 10, None),
        (("--edition", "original-1992"), 11, 11),
        (("--edition", "isf", "--two-squares-limit", "5"), 10, None),
        (("--edition", "isf", "--two-squares-limit", "5"), 11, 11),
    ],
)
def test_to_and_fro(
    capsys: pytest.CaptureFixture[str],
    sample: Path,
    options: tuple[str, ...],
    plies: int,
    ply: int | None,
) -> None:
    code, [verdict] = judged(capsys, *options, to_and_fro(sample, plies))
    assert code == (0 if ply is None else 1)
    assert verdict["ply"] == ply
    if ply:
        assert verdict["rule"] == "two-squares"
        assert "between e4 and e5" in verdict["reason"]


def test_setup_faults_are_listed(capsys: pytest.CaptureFixture[str], sample: Path) -> None:
    text = sample.read_text()
    start = text.index('content="') + len('content="')
    field = list(text[start : start + 100])
    field[0], field[45], field[60] = "A", "B", "A"
    path = sample.with_name("setup.xml")
    path.write_text(text[:start] + "".join(field) + text[start + 100 :])
    code, [verdict] = judged(capsys, path)
    assert (code, verdict["rule"], verdict["ply"]) == (1, "setup", None)
    assert "f5" in verdict["reason"]
    assert "Blue: no army in this game has 39 pieces" in verdict["reason"]
    assert verdict["reason"].count("Original Stratego 498") == 1, "the rulebook is cited only once"


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


def own(tmp_path: Path, game: Transcript, name: str = "game.json") -> Path:
    path = tmp_path / name
    path.write_text(write_transcript(game))
    return path


TO_AND_FRO = "b4-b5, k7-k6, b5-b4, k6-k5, b4-b5, i7-i6, b5-b4"
OLD_ISF = replace(ISF_DUEL, two_squares_limit=5)


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


def test_record_is_judged_by_the_default_edition(
    capsys: pytest.CaptureFixture[str], sample: Path
) -> None:
    assert judged(capsys, to_and_fro(sample, 10))[0] == 0
    code, [verdict] = judged(capsys, to_and_fro(sample, 11))
    assert (code, "Original Stratego 498" in verdict["reason"]) == (1, True)


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


def test_text_output(capsys: pytest.CaptureFixture[str], sample: Path) -> None:
    wrong = altered(sample, 'id="5" source="F4" target="F5"', 'id="5" source="F4" target="G5"')
    assert main(["adjudicate", str(sample), str(wrong), str(sample.with_name("no.xml"))]) == 2
    legal, illegal, unreadable = capsys.readouterr().out.splitlines()
    assert legal == f"{sample}: 206 plies, all legal; Blue wins (forfeit): claimed by the record"
    assert illegal.startswith(f"{wrong}: ply 5 of 206 breaks the rule movement: Pieces move")
    assert unreadable.startswith(f"{sample.with_name('no.xml')}: the file cannot be opened")


@pytest.mark.parametrize("limit", ["0", "-3", "three"])
def test_invalid_limit(capsys: pytest.CaptureFixture[str], limit: str) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["adjudicate", "--two-squares-limit", limit, "game.xml"])
    assert ended.value.code == 2
    assert "--two-squares-limit" in capsys.readouterr().err


def test_folder_of_games(capsys: pytest.CaptureFixture[str], tmp_path: Path, sample: Path) -> None:
    folder = tmp_path / "games"
    (folder / "older").mkdir(parents=True)
    shutil.copy(sample, folder / "1.xml")
    shutil.copy(sample, folder / "older" / "2.xml")
    shutil.copy(to_and_fro(sample, 7), folder / "3.xml")
    (folder / "4.xml").write_text("")

    assert main(["adjudicate", "--edition", "isf", str(folder)]) == 2
    *lines, summary = capsys.readouterr().out.splitlines()
    assert [line.partition(": ")[0] for line in lines] == [
        str(folder / file) for file in ("1.xml", "3.xml", "4.xml", "older/2.xml")
    ]
    assert summary == "4 games: 2 legal, 1 two-squares, 1 unreadable"

    code, verdicts = judged(capsys, "--edition", "isf", folder)
    assert (code, len(verdicts)) == (2, 4)


def test_progress_on_a_terminal(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(100):
        (tmp_path / f"{number}.xml").write_text("")
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    assert main(["adjudicate", "--json", str(tmp_path)]) == 2
    captured = capsys.readouterr()
    assert captured.err.startswith("\r1 of 100\r2 of 100")
    assert captured.err.endswith("\r99 of 100\r\x1b[K")
    assert len(captured.out.splitlines()) == 100


CHASE = Path("tests/engine/chase/barrage-game43.txt")


def test_explanation_of_two_squares(capsys: pytest.CaptureFixture[str], sample: Path) -> None:
    path = to_and_fro(sample, 7)
    code, [verdict] = judged(capsys, "--edition", "isf", "--why", path)

    moves = ["e4-e5", "e5-e4", "e4-e5"]
    assert (code, verdict["why"]["moves"]) == (1, moves)
    code, again = judged_from(capsys, verdict["why"]["position"], "e5-e4")
    assert (code, again["rule"]) == (1, verdict["rule"])

    main(["adjudicate", "--edition", "isf", "--why", str(path)])
    headline, *drawn = capsys.readouterr().out.splitlines()
    assert headline.startswith(f"{path}: ply 7 of 7 breaks the rule two-squares: ")
    board = board_text.read("\n".join(drawn[:11]))
    assert [name(at) for at, token in board.items() if token.endswith("*")] == ["e5", "e4"]
    assert drawn[11:] == [
        f"The moves that count, most recent first: {' '.join(moves)}",
        verdict["why"]["position"],
    ]


def test_explanation_of_a_chase(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    folder = tmp_path / "pictures"
    code, [verdict] = judged(capsys, "--edition", "isf", "--why", "--pictures", folder, CHASE)

    moves = verdict["why"]["moves"]
    assert (code, verdict["rule"]) == (1, "more-squares")
    assert f"this exact position already occurred {len(moves)} moves ago" in verdict["reason"]
    code, again = judged_from(capsys, verdict["why"]["position"], "b4-a4")
    assert (code, again["rule"]) == (1, "more-squares")
    (picture,) = folder.iterdir()
    assert picture.name == f"{CHASE.stem}-{verdict['ply']}.svg"
    assert picture.read_text().count("stroke-dasharray") == len(moves)


def test_explanation_for_an_own_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = own(tmp_path, game_of(TO_AND_FRO, edition=OLD_ISF))
    _, [verdict] = judged(capsys, "--why", "--two-squares-limit", "3", path)
    assert verdict["why"]["moves"] == ["b4-b5", "b5-b4", "b4-b5"]
    assert " r isf,army=duel from=b5<b4," in verdict["why"]["position"]


def test_no_position_text_for_custom_rules(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = own(tmp_path, game_of(TO_AND_FRO, edition=OLD_ISF))
    _, [verdict] = judged(capsys, "--why", "--two-squares-limit", "2", path)
    assert verdict["why"] == {"position": None, "moves": ["b5-b4", "b4-b5"]}


def test_unwritable_pictures(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    code = main(
        ["adjudicate", "--edition", "isf", "--pictures", str(tmp_path / "file"), str(CHASE)]
    )
    assert code == 2
    assert "cannot be written" in capsys.readouterr().err


ATTACKED = (
    "xxxxxxxxxx/xxxxxxxxxx/xxxxxxxxxx/.xxxxxxxxx/y.~~..~~../Y.~~..~~../.XXXXXXXXX/XXXXXXXXXX/"
    "XXXXXXXXXX/XXXXXXXXXX r original-1992 moves=a4-a5/a7-a6"
)
NEXT_TO_EACH_OTHER = f"{ATTACKED} attack=a5xa6"


def judged_from(
    capsys: pytest.CaptureFixture[str], text: str, *moves: str
) -> tuple[int, dict[str, Any]]:
    code, [verdict] = judged(capsys, "--position", text, *moves)
    return code, verdict


def test_position_lists_legal_moves(capsys: pytest.CaptureFixture[str]) -> None:
    game = Referee.from_text(ATTACKED)
    assert judged_from(capsys, ATTACKED) == (
        0,
        {
            "position": ATTACKED,
            "plies": 0,
            "verdict": "legal",
            "ply": None,
            "rule": None,
            "reason": None,
            "phase": "play",
            "to_move": "red",
            "legal": [str(turn) for turn in game.legal_moves()],
            "outcome": None,
        },
    )


def test_moves_from_a_position(capsys: pytest.CaptureFixture[str]) -> None:
    game = Referee.from_text(ATTACKED)
    game.push("a5xa6")
    game.declare(Side.RED, "miner")
    game.declare(Side.BLUE, "scout")
    game.push("b7-b6")

    code, verdict = judged_from(capsys, ATTACKED, "a5xa6:nt", "b7-b6")

    assert (code, verdict["position"], verdict["plies"]) == (0, game.to_text(), 2)


@pytest.mark.parametrize(
    ("moves", "ply", "rule", "reason"),
    [
        (("a5-a3",), 1, "movement", "One of your own pieces is there."),
        (("a5?a6=spy",), 1, "infiltration", "Only the infiltrator"),
        (("b4-b5", "a5-a4"), 2, "out-of-turn", "It is Blue"),
        (("a5xa6:nb",), 1, "immobile-piece", "This piece has already moved"),
    ],
)
def test_illegal_move_from_a_position(
    capsys: pytest.CaptureFixture[str], moves: tuple[str, ...], ply: int, rule: str, reason: str
) -> None:
    code, verdict = judged_from(capsys, ATTACKED, *moves)

    assert (code, verdict["verdict"], verdict["ply"], verdict["rule"]) == (1, "illegal", ply, rule)
    assert verdict["reason"].startswith(reason)
    assert "Original Stratego 498" in verdict["reason"]


def test_losing_move_from_a_position(capsys: pytest.CaptureFixture[str]) -> None:
    setup = ATTACKED.replace("a5xa6", "").replace("original-1992", "gravopedia-2006")
    bomb = setup.replace(".XXXXXXXXX", ".BXXXXXXXX")
    code, verdict = judged_from(capsys, bomb, "b4-b5")

    assert (code, verdict["verdict"], verdict["rule"]) == (1, "illegal", "immobile-piece")
    assert verdict["outcome"] == {"winner": "blue", "reason": "moved-bomb"}


@pytest.mark.parametrize(
    ("text", "moves", "reason"),
    [
        ("xx", (), "position: column 3: expected '.' or the letter of a piece on c10, found the"),
        (ATTACKED, ("b4-b5", "a5"), "move 2: "),
        (
            ATTACKED,
            ("a5xa6", "b7-b6"),
            "move 2: expected declare, uphold-declaration in the phase 'attack', found b7-b6",
        ),
        (ATTACKED, ("a5xa6:n",), "move 1: 'a5xa6:n' needs a rank letter for each of red and"),
        (ATTACKED, ("a5xa6:n?",), "move 1: 'a5xa6:n?' needs a rank letter for each of red"),
    ],
)
def test_unreadable_position_or_move(
    capsys: pytest.CaptureFixture[str], text: str, moves: tuple[str, ...], reason: str
) -> None:
    code, verdict = judged_from(capsys, text, *moves)

    assert (code, verdict["verdict"], verdict["legal"]) == (2, "unreadable", None)
    assert verdict["reason"].startswith(reason)


@pytest.mark.parametrize(
    ("text", "moves", "expected"),
    [
        (ATTACKED, (), "Red to move, 20 legal: a3-a4 "),
        (ATTACKED, ("b4-b5",), "1 move, legal; Blue to move, "),
        (ATTACKED, ("b4-b5", "b7-b6"), "2 moves, all legal; Red to move, "),
        (ATTACKED, ("a5xa6",), "1 move, legal; the ranks of the attack have to be declared\n"),
        (
            ATTACKED,
            ("a5-a3",),
            "move 1 breaks the rule movement: One of your own pieces is there. (",
        ),
        (f"{ATTACKED} end=b,resignation", (), "Blue wins (resignation)\n"),
        (NEXT_TO_EACH_OTHER, (), "the ranks of the attack have to be declared\n"),
        ("xx", (), "position: column 3: "),
    ],
)
def test_position_in_words(
    capsys: pytest.CaptureFixture[str], text: str, moves: tuple[str, ...], expected: str
) -> None:
    main(["adjudicate", "--position", text, *moves])
    assert capsys.readouterr().out.startswith(expected)


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--position", ATTACKED, "--edition", "isf"],
        ["--position", ATTACKED, "--two-squares-limit", "3"],
    ],
)
def test_conflicting_options(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    assert main(["adjudicate", *arguments]) == 2
    assert capsys.readouterr().err.startswith("boomboard: ")
