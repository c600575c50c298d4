"""Test the strategoevaluator protocol, and run ``boomboard bot`` over pipes."""

import subprocess
import sys

import pytest

from companion.opponent import manager_protocol
from companion.opponent.levels import Level
from engine import EDITIONS
from engine.board.geometry import Side, square
from engine.board.ranks import ORIGINAL
from tests.campaigns import slow_after_first
from tests.engine.tables import BLUE, CORNER, RED, Table
from tests.league.match import play

ROWS = ["##########"] * 4 + ["..++..++.."] * 2 + ["##########"] * 4
DEFAULT = EDITIONS["original-1992"]


def new_player() -> manager_protocol.ManagedPlayer:
    return manager_protocol.ManagedPlayer(DEFAULT, Level.CADET, seed=4)


def shown(player: manager_protocol.ManagedPlayer, rows: list[str]) -> list[str]:
    """Send the board's ten rows. Return the player's reply to the last row."""
    answers = [player.answer(row) for row in rows]
    assert not any(answers[:-1])
    return answers[-1]


def test_setup() -> None:
    rows = new_player().answer("RED somebody 10 10")
    assert [len(row) for row in rows] == [10, 10, 10, 10]
    assert sorted(manager_protocol.RANKS[letter] for letter in "".join(rows)) == sorted(
        ORIGINAL.pieces
    )


def test_manager_board_orientation() -> None:
    """The front row is the fourth line of Red's setup, but the first line of Blue's."""
    red, blue = new_player(), new_player()
    red_rows, blue_rows = red.answer("RED x 10 10"), blue.answer("BLUE x 10 10")
    assert "F" in "".join(red_rows[:2])
    assert "F" in "".join(blue_rows[2:])
    assert red.answer("START") == []
    (turn,) = shown(red, [*red_rows, *ROWS[4:]])
    assert manager_protocol.parse_squares(turn.split())[0] // 10 == 3
    assert red.answer(f"{turn} OK") == []
    assert blue.answer(f"{turn} OK") == []
    (answer,) = shown(blue, [*ROWS[:6], *blue_rows])
    assert manager_protocol.parse_squares(answer.split())[0] // 10 == 6


def test_fights() -> None:
    """After a fight, the player continues with a legal turn."""
    player = new_player()
    rows = player.answer("BLUE x 10 10")
    front = rows[0][0]
    for line in ("0 3 DOWN 2 OK", f"0 5 DOWN DIES 9 {front}"):
        assert player.answer(line) == []
        (turn,) = shown(player, [*ROWS[:6], *rows])
        assert player.answer(f"{turn} OK") == []


@pytest.mark.parametrize("line", ["0 3 DOWN ILLEGAL", "0 3 DOWN 5 OK", "0 0 LEFT OK"])
def test_illegal_turn_from_the_manager(line: str) -> None:
    """The player either continues or reports that the line is malformed."""
    player = new_player()
    rows = player.answer("BLUE x 10 10")
    try:
        player.answer(line)
    except manager_protocol.ProtocolError:
        return
    (turn,) = shown(player, [*ROWS[:6], *rows])
    assert manager_protocol.parse_squares(turn.split())


def player_in_the_corner(side: Side) -> manager_protocol.ManagedPlayer:
    """Return a player whose game continues from a position in which Red's only scout is shut in."""
    player = new_player()
    player.answer(f"{side.name} x 10 10")
    table = Table.of(CORNER, rules=DEFAULT)
    player._referee = table.referee
    player._setup = {at: rank for at, rank in table.setup.ranks.items() if side.home >> at & 1}
    return player


CORNER_ROWS = ["9.B.......", "FB........", *[".........."] * 8]
"""Red's view of the corner. The other side's pieces are left out."""


def go_to_and_fro(player: manager_protocol.ManagedPlayer, side: Side) -> str:
    """Move Red's scout until the two-squares rule forbids it to move. Return the enemy's last turn.

    The manager plays for both sides, whatever the player answers.
    """
    red, blue = ["0 0 RIGHT", "1 0 LEFT"], ["4 6 UP", "4 5 RIGHT", "5 5 DOWN", "5 6 LEFT"]
    heard = "START"
    for number in range(DEFAULT.two_squares_limit):
        turns = [red[number % 2], blue[number % 4]]
        own, other = turns if side is Side.RED else turns[::-1]
        if side is Side.BLUE:
            heard = f"{other} OK"
        player.answer(heard)
        shown(player, CORNER_ROWS)
        player.answer(f"{own} OK")
        heard = f"{other} OK"
    return heard


def test_surrenders_if_only_repetitions_are_left() -> None:
    """The manager has no repetition rules, but the player obeys them."""
    player = player_in_the_corner(RED)
    player.answer(go_to_and_fro(player, RED))
    assert shown(player, CORNER_ROWS) == ["SURRENDER"]


def test_follows_an_enemy_that_breaks_the_repetition_rules() -> None:
    player = player_in_the_corner(BLUE)
    go_to_and_fro(player, BLUE)
    player.answer("1 0 LEFT OK")
    assert player._referee.position.board.side_at(square("a1")) is RED
    assert player._referee.to_move is BLUE
    assert shown(player, CORNER_ROWS) != ["SURRENDER"]


@pytest.mark.parametrize("outcome", ["DIES", "KILLS 9", "BOTHDIE 9 X"])
def test_fight_without_its_ranks_is_reported(outcome: str) -> None:
    player = new_player()
    player.answer("BLUE x 10 10")
    with pytest.raises(manager_protocol.ProtocolError, match="expected two ranks after"):
        player.answer(f"0 3 DOWN 3 {outcome}")


def test_quit() -> None:
    player = new_player()
    player.answer("RED x 10 10")
    assert player.answer("QUIT") == []
    assert player.has_ended


@pytest.mark.parametrize("line", ["", "GREEN x 10 10", "0 3 DOWN OK"])
def test_no_setup(line: str) -> None:
    with pytest.raises(manager_protocol.ProtocolError, match="expected RED or BLUE"):
        new_player().answer(line)


@pytest.mark.parametrize("text", ["0 3 DOWN", "9 9 LEFT 4", "4 0 DOWN 9", "3 7 UP 2"])
def test_turn_round_trip(text: str) -> None:
    source, target, rest = manager_protocol.parse_squares(text.split())
    assert manager_protocol.format_squares(source, target) == text
    assert rest == []


def test_manager_rank_letters() -> None:
    assert "".join(manager_protocol.LETTERS.values()) == "Fs987654321B"


@pytest.mark.parametrize("level", slow_after_first("variants", ["cadet", "recruit"]))
def test_game_over_pipes(level: str) -> None:
    """The league acts as the manager."""
    command = f"bot={sys.executable} -m companion bot --level {level} --seed 3"
    record = play((command, "greedy"), DEFAULT, seed=1)
    assert "illegal" not in record.reason
    assert "program" not in record.reason
    assert record.plies > 20


def test_malformed_line_is_reported() -> None:
    result = subprocess.run(
        [sys.executable, "-m", "companion", "bot"],
        input="hello\n",
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 2
    assert "Line 1 does not follow the protocol" in result.stderr
