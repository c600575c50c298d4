"""Tests for ``boomboard adjudicate`` with a position, and for its explanations with ``--why``."""

from pathlib import Path
from typing import Any

import pytest

from companion.cli import main
from engine.board import board_text
from engine.board.geometry import Side, name
from engine.game.referee import Referee
from tests.companion.commands.adjudicating import OLD_ISF, TO_AND_FRO, judged, own, to_and_fro
from tests.engine.transcripts import game_of

ATTACKED = (
    "xxxxxxxxxx/xxxxxxxxxx/xxxxxxxxxx/.xxxxxxxxx/y.~~..~~../Y.~~..~~../.XXXXXXXXX/XXXXXXXXXX/"
    "XXXXXXXXXX/XXXXXXXXXX r original-1992 moves=a4-a5/a7-a6"
)
NEXT_TO_EACH_OTHER = f"{ATTACKED} attack=a5xa6"
CHASE = Path("tests/engine/chase/barrage-game43.txt")


def judged_from(
    capsys: pytest.CaptureFixture[str], text: str, *moves: str
) -> tuple[int, dict[str, Any]]:
    code, [verdict] = judged(capsys, "--position", text, *moves)
    return code, verdict


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
        (("a5-a3:nt",), 1, "movement", "One of your own pieces is there."),
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
        (ATTACKED, ("b4-b5:nt",), "move 1: 'b4-b5:nt' gives ranks, but no rank has to be declared"),
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
