"""Score sheets of short games, and of records with errors."""

import re
from dataclasses import replace

import pytest
from hypothesis import given

from companion.reports.score_sheet import score_sheet
from companion.speech.i18n import Language
from companion.storage.records import as_transcript, read_record, sample_game
from engine.board.geometry import square
from engine.board.ranks import Rank
from engine.board.visibility import Secret
from engine.game import actions
from engine.game.clocks import TIME_CONTROLS
from engine.game.rulings import GameOver, Reason
from engine.records.record import Record, RecordedMove
from engine.records.transcript import Transcript
from engine.rules.editions import EDITIONS
from tests.campaigns import Campaign
from tests.engine.examples import exactly
from tests.engine.tables import BLUE, RED, Setup
from tests.engine.transcripts import (
    ARMIES,
    DISPUTE,
    DUEL,
    FIGHT,
    IN_ENEMY_ROWS,
    ISF_DUEL,
    NORDIC,
    TRAVEL_DUEL,
    full,
    game_of,
    games,
)

ISF, ORIGINAL_1992 = EDITIONS["isf"], EDITIONS["original-1992"]
SHEETS = Campaign("random-games", part=15, whole=40)
ENGLISH, GERMAN = Language("en"), Language("de")

MOVES = """
    b4-b5 b7-b6  b5-b6 f7-f6  f4-f5 f6-f5  i4-i5 i7-i5  e4-e5 k7-k6  e5-e6 k6-k4
    e6-e7 a7-a6  a4-a6 a6-a5  f1-f9 a5-a4  f9-a9 a4-a3  e7-e8 a3-a2  e8-e9 a2-a1
"""
SHEET = """\
Score sheet
Rules: Tournament (ISF game rules)
Red: north
Blue: söuth

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

What you could have known
- ply 3: Blue's piece on b6 could only be the spy, a scout, a miner, the
  general or the marshal. Red attacked it with the spy. The spy beats 1
  of the 5 possible ranks. It was the marshal, and it was captured.
- ply 16: Red's piece on b6 had been revealed 13 moves earlier: the spy.
  Blue could have captured it with a miner, but made another move.
- ply 24: Red's piece on a1 could only be the flag or a bomb. There were
  3 of these left to find, and only 3 pieces of Red could be one. Blue
  attacked it with a miner. The miner beats all of the possible ranks,
  so the attack could not fail. It was the flag, and the game was won.
- Red: on average, each piece could have had 3.2 different ranks: 7.0 at
  the beginning, 2.8 halfway through and 1.0 at the end. Pieces on the
  board with an unknown rank at the end: 0 of 6. Kept secret longest: a
  miner (moves by both sides after its first one: 4).
- Blue: on average, each piece could have had 4.2 different ranks: 7.0
  at the beginning, 4.0 halfway through and 2.2 at the end. Pieces on
  the board with an unknown rank at the end: 3 of 5. Kept secret
  longest: the general (moves by both sides after its first one: 2).
- Attacks that were certain to win and were not made: Red 0, Blue 1.

- move, x attack; > the attacker wins, < the defender wins, = both fall
F flag, 1 spy, 2 scout, 3 miner, 9 general, 10 marshal, B bomb
"""


def game(moves: str = MOVES, result: GameOver | None = None) -> Record:
    setup = Setup.parse(DUEL)
    ways = [move.split("-") for move in moves.split()]
    recorded = tuple(RecordedMove(square(source), square(target)) for source, target in ways)
    placing = setup.placing
    return Record(
        setup.ranks, placing.red, placing.blue, recorded, result, players=("north", "söuth")
    )


def blocks(record: Record, language: Language = ENGLISH) -> list[str]:
    """Return the parts of a sheet: head, setup, turns, end, review and legend."""
    return score_sheet(as_transcript(record, ISF), language).split("\n\n")


def test_sheet_of_a_short_game() -> None:
    assert score_sheet(as_transcript(game(), ISF), ENGLISH) == SHEET


def test_sheet_is_translated() -> None:
    head, _, turns, end, review, legend = blocks(game(), GERMAN)

    assert head.splitlines() == [
        "Spielprotokoll",
        "Regeln: Turnier (Spielregeln der ISF)",
        "Rot: north",
        "Blau: söuth",
    ]
    assert turns.splitlines()[0].split() == ["Rot", "Blau"]
    assert " ".join(end.split()) == (
        "Blau gewinnt, denn die Fahne ist erobert. "
        "(Spielregeln der ISF, Art. 12: das Ende des Spiels)"
    )
    assert review.startswith("Was man wissen konnte\n- Halbzug 3: ")
    assert "\nF Fahne, 1 Spion, 2 Aufklärer," in legend


def test_the_real_game() -> None:
    with sample_game() as path:
        record = read_record(path)

    sheet = score_sheet(as_transcript(record, ORIGINAL_1992), ENGLISH)

    assert "\n  1. e4-e5         f7-f6\n" in sheet
    assert "\n103. f6-e6         e7xe6 (10>7)\n" in sheet
    assert "\nBlue wins: the arbiter has decided. (organiser's rule" in sheet
    assert max(map(len, sheet.splitlines())) <= 72


def test_illegal_ply_ends_the_sheet() -> None:
    _, _, turns, end, _ = blocks(game("b4-b5 b7-b6  b5-b6 e7-e6  f4-f5 f7-f6"))

    assert turns.splitlines()[1:] == ["1. b4-b5         b7-b6", "2. b5xb6 (1>10)"]
    assert " ".join(end.split()) == (
        "Turn 2, Blue, e7 to e6 (ply 4) breaks a rule: "
        "Bombs and the flag never move. (ISF game rules: bombs and the flag)"
    )


def test_illegal_ply_of_red() -> None:
    _, _, turns, end, _ = blocks(game("b4-b5 b7-b6  e4-f5"))

    assert turns.splitlines()[1:] == ["1. b4-b5  b7-b6"]
    assert end.startswith("Turn 2, Red, e4 to f5 (ply 3) breaks a rule: Pieces move straight")


def test_record_continues_after_the_end() -> None:
    *_, end, _ = blocks(game(MOVES + "e9-e8"))

    assert " ".join(end.split()).endswith(
        "Turn 13, Red, e9 to e8 (ply 25) breaks a rule: "
        "The game is over. (ISF game rules: whose turn it is)"
    )


def test_illegal_setup_has_no_turns() -> None:
    record = game()

    head, picture, end, _ = blocks(replace(record, red=record.red & ~(1 << square("k4"))))

    assert head.startswith("Score sheet")
    assert " 4  r2  r1   .   .  r3  r9   .   . r10   ." in picture
    assert " ".join(end.split()) == (
        "The setup breaks a rule: Red: no army in this game has 9 pieces. "
        "(ISF game rules: the armies)"
    )


@pytest.mark.parametrize(
    ("result", "end"),
    [
        (None, "The game was not finished."),
        (GameOver(BLUE, Reason.RESIGNATION), "Blue wins: the other side has resigned."),
        (GameOver(None, Reason.AGREED_DRAW), "The game is a draw: both players have agreed."),
    ],
)
def test_claimed_endings_on_the_sheet(result: GameOver | None, end: str) -> None:
    assert blocks(game("b4-b5", result))[3].startswith(end)


def test_game_without_moves_or_names() -> None:
    head, _, end, _ = blocks(replace(game(""), players=None))

    assert head == "Score sheet\nRules: Tournament (ISF game rules)"
    assert end == "The game was not finished."


def test_names_stay_on_their_line() -> None:
    head, *_ = blocks(replace(game(), players=("A\n\n 1. b4\x1b[2J\u202e", "x" * 10_000)))

    assert head.splitlines()[2:] == ["Red: A?? 1. b4?[2J?", "Blue: " + "x" * 40]


def shown(transcript: Transcript, language: Language = ENGLISH) -> list[str]:
    """Return the parts of a sheet: head, setup, turns, end and legend."""
    return score_sheet(transcript, language).split("\n\n")


def turns(transcript: Transcript) -> list[str]:
    return shown(transcript)[2].splitlines()[1:]


def test_unknown_ranks() -> None:
    _, setup, table, _, legend = shown(game_of(FIGHT))

    assert " 7  b? b10   .   .  b?  b?   .   .  b?  b?" in setup
    assert table.endswith("2. b5xb6 (1>10)")
    assert legend.splitlines()[1:] == ["? a rank that was not revealed", "1 spy, 10 marshal"]


def test_silent_survivor() -> None:
    silent = replace(ISF_DUEL, silent_defence=True, aggressor_advantage=True)

    words = "f4-f5, k7-k6, f5-f6, i7-i6, f6-e6, i6-i5, e6xe7, Red says general, Blue says bomb"
    game = full(game_of(words, edition=silent))

    head, _, _, _, legend = shown(game)
    assert head.splitlines()[2] == "silent defence, aggressor advantage"
    assert turns(game)[-1] == "4. e6xe7 (9<?)"
    assert "? a rank that was not revealed" in legend


def test_infiltration() -> None:
    guesses = (
        "k7 guesses k8 bomb, Blue answers wrong, a5-a6, k7 guesses k8 major, Blue answers right"
    )
    game = full(game_of(f"{IN_ENEMY_ROWS}, {guesses}", edition=NORDIC, drawn=ARMIES), ARMIES)

    assert turns(game)[-2:] == ["5. k7?k8 (B wrong)  a5-a6", "6. k7?k8 (7 right)"]
    assert shown(game)[-1].splitlines()[1] == "a7?a8 the infiltrator on a7 guesses the rank of a8"
    assert "(7 richtig)" in score_sheet(game, GERMAN)


def test_override_has_a_sign_and_a_note() -> None:
    game = game_of("the arbiter lets e4-f5 stand, e7-e6")

    assert turns(game) == [
        "1. e4-f5!  e7-e6",
        "   The arbiter allows it. The rule was: Pieces move straight along a row",
        "   or a column. (ISF game rules: how pieces move)",
    ]
    assert "\n! The arbiter allows it.\n" in shown(game)[-1]


def test_two_moves_in_a_row_by_override() -> None:
    twice = game_of("b4-b5, b7-b6, the arbiter lets k7-k6 stand, e4-e5")
    assert [line for line in turns(twice) if line[0] != " "] == [
        "1. b4-b5  b7-b6",
        "2.        k7-k6!",
        "3. e4-e5",
    ]


def test_adopted_board() -> None:
    words = "b4-b5, b7-b6, both agree: b5 stands on a5 and e4 is gone; then Blue, b6-b5"
    game = game_of(words)

    assert turns(game) == [
        "1. b4-b5    b7-b6",
        "2. [board]  b6-b5",
        "   Both players agree: the board is right. The piece from b5 is on a5.",
        "   The piece from e4 is off the board.",
    ]
    legend = shown(game)[-1]
    assert "\n[board] both players agree that the board is right: not a turn\n" in legend
    assert "[Brett]" in score_sheet(game, GERMAN)
    assert (
        turns(game_of(words, actions.TakeBack(), actions.TakeBack()))[-1]
        == "   Taken back: Red [board]"
    )


@pytest.mark.parametrize(
    ("settled", "notes"),
    [
        ("accepts it", ["The declaration counts."]),
        ("refuses it, Blue says miner", ["The declaration does not count. Declare again."]),
    ],
)
def test_dispute_is_noted(settled: str, notes: list[str]) -> None:
    game = game_of(f"{DISPUTE}, the arbiter {settled}, k7-k6")

    assert turns(game)[2:] == [f"   {line}" for line in ["Blue insists: bomb on e6.", *notes]]


@pytest.mark.parametrize(
    ("words", "left"),
    [
        ("b4-b5, b7-b6, taken back", ["1. b4-b5", "   Taken back: Blue b7-b6"]),
        ("b4-b5, taken back", ["   Taken back: Red b4-b5"]),
        ("b4-b5, b7-b6, b5xb6, taken back", ["1. b4-b5  b7-b6", "   Taken back: Red b5xb6"]),
        (
            f"{FIGHT}, taken back, b5-b4",
            ["1. b4-b5  b7-b6", "2. b5-b4", "   Taken back: Red b5xb6 (1>10)"],
        ),
        ("b4-b5, b7-b6, b5xb6, withdrawn", ["1. b4-b5  b7-b6"]),
    ],
)
def test_take_back_is_noted(words: str, left: list[str]) -> None:
    assert turns(game_of(words)) == left


def test_an_end_that_was_taken_back() -> None:
    game = game_of("b4-b5", actions.Resign(BLUE), actions.TakeBack(), actions.AgreeDraw())

    assert turns(game)[1].startswith("   Taken back: Red wins: the other side has resigned.")
    assert shown(game)[3].startswith("The game is a draw: both players have agreed.")


def test_taken_back_final_capture_is_declared_again() -> None:
    """A miner captures the flag. After a take-back, Blue declares a scout instead."""
    flag = "the arbiter lets b4-a8 stand, b7-b6, the arbiter lets a8-a10 stand, Red says miner"
    game = game_of(f"{flag}, Blue says flag, taken back, Blue says scout")

    table = turns(game)
    assert [line for line in table if line[0] != " "] == [
        "1. b4-a8!         b7-b6",
        "2. a8xa10 (3>2)!",
    ]
    assert table[-1] == "   Taken back: Red a8xa10 (3>F)!"


def test_run_and_tap_are_one_ply() -> None:
    tap = actions.Amend(square("a6"), square("a7"))

    assert turns(game_of("a4-a6", tap, actions.Declare(Secret(BLUE, Rank.MINER)))) == [
        "1. a4xa7 (2<3)"
    ]
    assert turns(game_of("a4-a6", tap, actions.WithdrawAttack())) == ["1. a4-a6"]
    assert turns(game_of("a4-a6", tap, actions.TakeBack()))[-1] == "   Taken back: Red a4xa7"


def test_continued_move_is_one_ply() -> None:
    on = actions.Amend(square("a5"), square("a6"))
    game = replace(
        game_of("a4-a5", on, actions.Move(square("b7"), square("b6")), every=45),
        control=TIME_CONTROLS["total"],
    )

    assert turns(game) == ["1. a4-a6  b7-b6   1:30   0:45"]
    kept = game_of("a4-a5, taken back, a4-a5", on)
    assert turns(kept) == ["1. a4-a6", "   Taken back: Red a4-a5"]


RUN = "b4-b5, i7-i6, taken back, i7-i5"
"""Each action takes 10 seconds. Blue's time does not include the move that was taken back."""
TAKEN_BACK = "   Taken back: Blue i7-i6"
TAP = actions.Amend(square("i5"), square("i4"))


@pytest.mark.parametrize(
    ("last", "left"),
    [
        (
            [TAP, actions.Declare(Secret(RED, Rank.MARSHAL))],
            ["1. b4-b5  i7xi4 (2<10)   0:10   0:40", TAKEN_BACK],
        ),
        (
            [TAP, actions.WithdrawAttack(), actions.Move(square("b5"), square("b6"))],
            ["1. b4-b5  i7-i5   0:10   0:20", TAKEN_BACK, "2. b5-b6          0:30"],
        ),
        (
            [
                actions.Amend(square("i5"), square("i7")),
                actions.Move(square("i7"), square("i6")),
            ],
            ["1. b4-b5  i7-i6   0:10   0:40", TAKEN_BACK],
        ),
    ],
    ids=["attack", "withdrawn attack", "withdrawn move"],
)
def test_amended_ply_keeps_its_notes_and_time(last: list[actions.Action], left: list[str]) -> None:
    game = replace(game_of(RUN, *last), control=TIME_CONTROLS["total"])
    assert turns(game) == left


def test_ply_times_with_a_clock() -> None:
    """The actions are 45 seconds apart. Three of the actions form the attack."""
    game = replace(game_of(f"{FIGHT}, k7-k6, e4-e5", every=45), control=TIME_CONTROLS["total"])

    assert shown(game)[2].splitlines() == [
        "   Red           Blue   Time",
        "1. b4-b5         b7-b6   0:45   0:45",
        "2. b5xb6 (1>10)  k7-k6   2:15   0:45",
        "3. e4-e5                 0:45",
    ]


def test_restarted_clock_refunds_no_time() -> None:
    game = game_of("b4-b5, b7-b6")
    again = tuple(replace(entry, at=at) for entry, at in zip(game.entries, (5, 9, 2), strict=True))

    timed = replace(game, entries=again, control=TIME_CONTROLS["total"])

    assert turns(timed) == ["1. b4-b5  b7-b6   0:04   0:00"]


def test_losing_bomb_move() -> None:
    end = shown(as_transcript(game("b4-b5 b7-b6  c1-c2"), TRAVEL_DUEL))[3]

    assert " ".join(end.split()) == (
        "Blue wins: the other side has moved a bomb or the flag. (Stratego Travel: bombs and the "
        "flag) Turn 2, Red, c1 to c2 (ply 3) breaks a rule: Bombs and the flag never move. "
        "(Stratego Travel: bombs and the flag)"
    )


@given(games())
@SHEETS
@exactly(SHEETS.size)
def test_sheets_fit_a_page(played: Transcript) -> None:
    for language in (ENGLISH, GERMAN):
        sheet = score_sheet(played, language)

        assert max(map(len, sheet.splitlines())) <= 72
        assert sheet.endswith("\n")
    plies = [line for line in sheet.splitlines() if re.match(r" *\d+\. ", line)]
    count = sum(len(re.findall(r"\w\d+[-x?]\w\d|\[Brett\]", line)) for line in plies)
    assert count == played.referee().plies
