"""Score sheets: a short game that people can read, and records in which something is wrong."""

from dataclasses import replace

import pytest

from companion.language import Language
from companion.records import read_record, sample_game
from companion.score.sheet import score_sheet
from engine.editions import EDITIONS
from engine.record import Record, RecordedMove
from engine.rulings import GameOver, Reason
from engine.squares import square
from tests.engine.tables import BLUE, Setup

ISF, ORIGINAL_1992 = EDITIONS["isf"], EDITIONS["original-1992"]
ENGLISH, GERMAN = Language("en"), Language("de")

DUEL = """
    10  bF   .   .   .   .   .   .   .   .   .
     9  bB   .   .   .   .   .   .   .   .   .
     8   .   .   .   .   .   .   .  b1   .  b3
     7  b3 b10   .   .  bB  b9   .   .  b2  b2
     6   .   .   ~   ~   .   .   ~   ~   .   .
     5   .   .   ~   ~   .   .   ~   ~   .   .
     4  r2  r1   .   .  r3  r9   .   . r10  r3
     3   .   .   .   .   .   .   .   .   .   .
     2   .   .   .   .   .   .   .   .   .   .
     1  rF   .  rB  rB   .  r2   .   .   .   .
"""
MOVES = """
    b4-b5 b7-b6  b5-b6 f7-f6  f4-f5 f6-f5  i4-i5 i7-i5  e4-e5 k7-k6  e5-e6 k6-k4
    e6-e7 a7-a6  a4-a6 a6-a5  f1-f9 a5-a4  f9-a9 a4-a3  e7-e8 a3-a2  e8-e9 a2-a1
"""
SHEET = """\
Score sheet
Rules: ISF game rules
Red: Anna
Blue: Jörg

10  bF   .   .   .   .   .   .   .   .   .
 9  bB   .   .   .   .   .   .   .   .   .
 8   .   .   .   .   .   .   .  b1   .  b3
 7  b3 b10   .   .  bB  b9   .   .  b2  b2
 6   .   .   ~   ~   .   .   ~   ~   .   .
 5   .   .   ~   ~   .   .   ~   ~   .   .
 4  r2  r1   .   .  r3  r9   .   . r10  r3
 3   .   .   .   .   .   .   .   .   .   .
 2   .   .   .   .   .   .   .   .   .   .
 1  rF   .  rB  rB   .  r2   .   .   .   .
     a   b   c   d   e   f   g   h   i   k

    Red           Blue
 1. b4-b5         b7-b6
 2. b5xb6 (1>10)  f7-f6
 3. f4-f5         f6xf5 (9=9)
 4. i4-i5         i7xi5 (2<10)
 5. e4-e5         k7-k6
 6. e5-e6         k6xk4 (2<3)
 7. e6xe7 (3>B)   a7-a6
 8. a4xa6 (2<3)   a6-a5
 9. f1-f9         a5-a4
10. f9xa9 (2<B)   a4-a3
11. e7-e8         a3-a2
12. e8-e9         a2xa1 (3>F)

Blue wins: the flag is captured. (ISF game rules, art. 12: the end of
the game)

- move, x attack; > the attacker wins, < the defender wins, = both fall
F flag, 1 spy, 2 scout, 3 miner, 9 general, 10 marshal, B bomb
"""


def game(moves: str = MOVES, result: GameOver | None = None) -> Record:
    """The duel of the picture with these moves."""
    setup = Setup.parse(DUEL)
    ways = [move.split("-") for move in moves.split()]
    recorded = tuple(RecordedMove(square(source), square(target)) for source, target in ways)
    placing = setup.placing
    return Record(
        setup.ranks, placing.red, placing.blue, recorded, result, players=("Anna", "Jörg")
    )


def blocks(record: Record, language: Language = ENGLISH) -> list[str]:
    """The parts of a sheet: head, setup, turns if any, end, legend."""
    return score_sheet(record, ISF, language).split("\n\n")


def test_the_sheet_of_a_short_game() -> None:
    assert score_sheet(game(), ISF, ENGLISH) == SHEET


def test_the_sheet_speaks_the_players_language() -> None:
    head, _, turns, end, legend = blocks(game(), GERMAN)

    assert head.splitlines() == [
        "Spielprotokoll",
        "Regeln: ISF game rules",
        "Rot: Anna",
        "Blau: Jörg",
    ]
    assert turns.splitlines()[0].split() == ["Rot", "Blau"]
    assert " ".join(end.split()) == (
        "Blau gewinnt: die Fahne ist erobert. (ISF game rules, art. 12: das Ende des Spiels)"
    )
    assert "\nF Fahne, 1 Spion, 2 Aufklärer," in legend


def test_the_real_game() -> None:
    with sample_game() as path:
        record = read_record(path)

    sheet = score_sheet(record, ORIGINAL_1992, ENGLISH)

    assert sheet == score_sheet(record, ORIGINAL_1992, ENGLISH)
    assert "\n  1. e4-e5         f7-f6\n" in sheet
    assert "\n103. f6-e6         e7xe6 (10>7)\n" in sheet
    assert "\nBlue wins: the arbiter has decided.\n" in sheet
    assert max(map(len, sheet.splitlines())) <= 72


def test_an_illegal_ply_ends_the_sheet_and_is_named() -> None:
    _, _, turns, end, _ = blocks(game("b4-b5 b7-b6  b5-b6 e7-e6  f4-f5 f7-f6"))

    assert turns.splitlines()[1:] == ["1. b4-b5         b7-b6", "2. b5xb6 (1>10)"]
    assert " ".join(end.split()) == (
        "Turn 2, Blue, e7 to e6 (ply 4) breaks a rule: "
        "Bombs and the flag never move. (ISF game rules: bombs and the flag)"
    )


def test_an_illegal_ply_of_red() -> None:
    _, _, turns, end, _ = blocks(game("b4-b5 b7-b6  e4-f5"))

    assert turns.splitlines()[1:] == ["1. b4-b5  b7-b6"]
    assert end.startswith("Turn 2, Red, e4 to f5 (ply 3) breaks a rule: Pieces move straight")


def test_a_record_that_goes_on_after_the_end() -> None:
    *_, end, _ = blocks(game(MOVES + "e9-e8"))

    assert " ".join(end.split()).endswith(
        "Turn 13, Red, e9 to e8 (ply 25) breaks a rule: "
        "The game is over. (ISF game rules: whose turn it is)"
    )


def test_a_wrong_setup_has_no_turns() -> None:
    record = game()

    head, picture, end, _ = blocks(replace(record, red=record.red & ~(1 << square("k4"))))

    assert head.startswith("Score sheet")
    assert " 4  r2  r1   .   .  r3  r9   .   . r10   ." in picture
    assert " ".join(end.split()) == (
        "The setup breaks a rule: "
        "An army does not have the right number of pieces. (ISF game rules: the armies)"
    )


@pytest.mark.parametrize(
    ("result", "end"),
    [
        (None, "The game was not finished."),
        (GameOver(BLUE, Reason.RESIGNATION), "Blue wins: the other side has resigned."),
        (GameOver(None, Reason.AGREED_DRAW), "The game is a draw: both sides have agreed."),
    ],
)
def test_how_a_game_ends_that_is_not_played_out(result: GameOver | None, end: str) -> None:
    assert blocks(game("b4-b5", result))[3] == end


def test_a_game_without_moves_or_names() -> None:
    head, _, end, _ = blocks(replace(game(""), players=None))

    assert head == "Score sheet\nRules: ISF game rules"
    assert end == "The game was not finished."


def test_names_from_a_file_stay_in_their_line() -> None:
    head, *_ = blocks(replace(game(), players=("A\n\n 1. b4\x1b[2J\u202e", "x" * 10_000)))

    assert head.splitlines()[2:] == ["Red: A?? 1. b4?[2J?", "Blue: " + "x" * 40]
