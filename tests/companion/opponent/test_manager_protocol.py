"""Test the strategoevaluator protocol, and run ``boomboard bot`` over pipes."""

import re
import subprocess
import sys

import pytest

from companion import cli
from companion.opponent import manager_protocol
from companion.opponent.levels import Level
from engine import EDITIONS
from engine.board.geometry import Side, square
from engine.board.ranks import ORIGINAL, Rank
from engine.game import actions
from engine.rules.editions import Edition
from tests.campaigns import slow_after_first
from tests.engine.tables import BLUE, CORNER, RED, Table
from tests.league.match import play

DEFAULT = EDITIONS["original-1992"]


def new_player() -> manager_protocol.ManagedPlayer:
    return manager_protocol.ManagedPlayer(DEFAULT, Level.CADET, seed=4)


class Manager:
    """Plays a game against one player, and shows it the board."""

    def __init__(self, side: Side, *, board: list[str] | None = None) -> None:
        self.player = new_player()
        self.rows = self.player.answer(f"{side.name} x 10 10")
        enemy = ["##########"] * 4
        lakes = ["..++..++.."] * 2
        both = (self.rows, enemy) if side is RED else (enemy, self.rows)
        self.board = [[*row] for row in board or [*both[0], *lakes, *both[1]]]

    def tell(self, line: str, *fallen: str) -> None:
        """Report a turn. `fallen` names the attacker, the defender, or both."""
        assert self.player.answer(line) == []
        if line == "START" or line.startswith("NO_MOVE") or line.endswith("ILLEGAL"):
            return
        (y, x), (down, across) = (divmod(at, 10) for at in self.parse(line))
        token, self.board[y][x] = self.board[y][x], "."
        if "defender" in fallen:
            self.board[down][across] = "."
        if "attacker" not in fallen:
            self.board[down][across] = token

    @staticmethod
    def parse(line: str) -> tuple[int, int]:
        return manager_protocol.parse_squares(line.split())[:2]

    def show(self) -> str:
        """Send the board's ten rows. Return the player's reply to the last row."""
        answers = [self.player.answer("".join(row)) for row in self.board]
        assert not any(answers[:-1])
        (answer,) = answers[-1]
        return answer

    def reply(self, turn: str) -> None:
        """Make the player answer with this turn, and repeat it."""
        made = actions.Move(*self.parse(turn))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(self.player._player, "choose", lambda _: made)
            assert self.show() == turn
        self.tell(f"{turn} OK")


def test_setup() -> None:
    rows = new_player().answer("RED somebody 10 10")
    assert [len(row) for row in rows] == [10, 10, 10, 10]
    assert sorted(manager_protocol.RANKS[letter] for letter in "".join(rows)) == sorted(
        ORIGINAL.pieces
    )


def test_manager_board_orientation() -> None:
    """The front row is the fourth line of Red's setup, but the first line of Blue's."""
    red, blue = Manager(RED), Manager(BLUE)
    assert "F" in "".join(red.rows[:2])
    assert "F" in "".join(blue.rows[2:])
    red.tell("START")
    turn = red.show()
    assert red.parse(turn)[0] // 10 == 3
    red.tell(f"{turn} OK")
    blue.tell(f"{turn} OK")
    assert blue.parse(blue.show())[0] // 10 == 6


def test_fights() -> None:
    """After a fight, the player continues with a legal turn."""
    manager = Manager(BLUE)
    front = manager.rows[0][0]
    manager.tell("0 3 DOWN 2 OK")
    manager.tell(f"{manager.show()} OK")
    manager.tell(f"0 5 DOWN DIES 9 {front}", "attacker")
    assert manager.parse(manager.show())


@pytest.mark.parametrize(
    "line", ["0 3 DOWN ILLEGAL", "9 9 DOWN 3 ILLEGAL", "NO_MOVE", "NO_MOVE OK"]
)
def test_turn_that_was_not_made(line: str) -> None:
    """With the manager's option -i, the turn is lost and the game continues."""
    manager = Manager(BLUE)
    manager.tell(line)
    manager.tell(f"{manager.show()} OK")
    manager.tell(line)
    manager.tell(f"{manager.show()} ILLEGAL")
    manager.tell("0 3 DOWN 2 OK")
    assert manager.show()


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("0 3 DOWN 5 OK", "expected no piece in column 0, row 8, found '0 3 DOWN 5 OK'"),
        ("0 5 DOWN OK", "expected a piece of RED in column 0, row 5"),
        ("0 6 UP OK", "expected a piece of RED in column 0, row 6"),
        ("2 3 DOWN OK", "expected a legal turn (the target is a lake)"),
        ("0 2 DOWN 2 OK", "expected a legal turn (a piece is in the way)"),
        ("0 3 DOWN KILLS 9 s", "expected a piece of BLUE in column 0, row 4"),
        ("0 3 DOWN 3 DIES 9 {wrong}", "expected {right} as the rank of BLUE's piece"),
        ("0 3 DOWN 3 KILLS 9 {right}", "expected DIES for 9 against {right}"),
        ("0 3 DOWN 3 DIES 8 {right}", "expected 9 as the rank of RED's piece"),
        ("0 3 DOWN WINS", "expected OK, ILLEGAL, VICTORY_FLAG"),
        ("0 3 DOWN", "expected OK, ILLEGAL, VICTORY_FLAG"),
        ("0 3 DWON OK", "expected a turn on the board, such as '0 3 DOWN 2'"),
        ("0 0 LEFT OK", "expected a turn on the board"),
        ("START", "expected a turn on the board"),
    ],
)
def test_impossible_turn(line: str, expected: str) -> None:
    manager = Manager(BLUE)
    right = manager.rows[0][0]
    assert right not in "9F8s"
    letters = {"right": right, "wrong": "2" if right != "2" else "3"}
    with pytest.raises(manager_protocol.ProtocolError, match=re.escape(expected.format(**letters))):
        manager.player.answer(line.format(**letters))


def test_known_rank_cannot_change() -> None:
    manager = Manager(BLUE)
    first, second = (row[0] for row in manager.rows[:2])
    assert {first, second} <= {*"56789"}
    for told, fallen, reply in (
        ("0 3 DOWN OK", "", "9 6 UP"),
        ("0 4 DOWN OK", "", "9 5 DOWN"),
        (f"0 5 DOWN KILLS 4 {first}", "defender", "9 6 UP"),
    ):
        manager.tell(told, fallen)
        manager.reply(reply)
    with pytest.raises(manager_protocol.ProtocolError, match="expected 4 as the rank of RED's"):
        manager.player.answer(f"0 6 DOWN KILLS 3 {second}")


def test_answer_must_be_repeated() -> None:
    manager = Manager(RED)
    manager.tell("START")
    turn = manager.show()
    other = "9 3 DOWN" if turn != "9 3 DOWN" else "8 3 DOWN"
    with pytest.raises(manager_protocol.ProtocolError, match=f"expected the outcome of '{turn}'"):
        manager.player.answer(f"{other} OK")


def test_board_that_contradicts_the_turns() -> None:
    manager = Manager(BLUE)
    manager.tell("0 3 DOWN OK")
    for row in manager.board[:3]:
        manager.player.answer("".join(row))
    assert not manager.player.warning
    manager.player.answer("##########")
    expected = "expected the row '.#########' of the board, found '##########'"
    assert manager.player.warning == expected


def test_red_begins() -> None:
    with pytest.raises(manager_protocol.ProtocolError, match="expected START"):
        Manager(RED).player.answer("0 3 DOWN OK")


@pytest.mark.parametrize("last", ["0 3 DOWN 3 VICTORY_FLAG", "SURRENDER OK"])
def test_end_of_the_game(last: str) -> None:
    player = Manager(BLUE).player
    assert not player.is_over
    assert player.answer(last) == []
    assert player.is_over
    assert player.answer("##########") == []


CORNER_ROWS = {
    RED: ["9.B", "FB", "", "", "..++..++", "..++..++", "....#", "", ".........#", "........##"],
    BLUE: ["#.#", "##", "", "", "..++..++", "..++..++", "....9", "", ".........B", "........BF"],
}
"""Each side's view of the corner, without the empty squares at the right."""


def in_the_corner(side: Side, edition: Edition = DEFAULT) -> Manager:
    """Return a game that continues from a position in which Red's only scout is shut in."""
    manager = Manager(side)
    table = Table.of(CORNER, rules=edition)
    manager.player._referee = table.referee
    own = {at: rank for at, rank in table.setup.ranks.items() if side.home >> at & 1}
    manager.player._setup = own
    manager.board = [[*row.ljust(10, ".")] for row in CORNER_ROWS[side]]
    return manager


def go_to_and_fro(manager: Manager, side: Side) -> str:
    """Move Red's scout until the two-squares rule forbids it to move. Return the enemy's last turn.

    The manager makes both sides move.
    """
    red, blue = ["0 0 RIGHT", "1 0 LEFT"], ["4 6 UP", "4 5 RIGHT", "5 5 DOWN", "5 6 LEFT"]
    heard = "START"
    for number in range(manager.player._referee.edition.two_squares_limit):
        turns = [red[number % 2], blue[number % 4]]
        own, other = turns if side is Side.RED else turns[::-1]
        if side is Side.BLUE:
            heard = f"{other} OK"
        manager.tell(heard)
        manager.reply(own)
        heard = f"{other} OK"
    return heard


def test_surrenders_if_only_repetitions_are_left() -> None:
    """The manager has no repetition rules, but the player obeys them."""
    manager = in_the_corner(RED)
    manager.tell(go_to_and_fro(manager, RED))
    assert manager.show() == "SURRENDER"
    assert manager.player.is_over


@pytest.mark.parametrize("edition", ["original-1992", "isf"])
def test_follows_an_enemy_that_breaks_the_repetition_rules(edition: str) -> None:
    """By the ISF rules, the referee would ask the player whether it can move."""
    manager = in_the_corner(BLUE, EDITIONS[edition])
    go_to_and_fro(manager, BLUE)
    manager.tell("1 0 LEFT OK")
    assert manager.player._referee.position.board.side_at(square("a1")) is RED
    assert manager.player._referee.to_move is BLUE
    assert manager.show() != "SURRENDER"


def test_enemy_without_a_turn_passes() -> None:
    manager = in_the_corner(BLUE)
    go_to_and_fro(manager, BLUE)
    manager.tell("NO_MOVE OK")
    assert manager.show() != "SURRENDER"


def test_game_is_over_when_the_flag_has_fallen() -> None:
    manager = Manager(BLUE)
    flag = next(at for at, rank in manager.player._setup.items() if rank is Rank.FLAG)
    x, y = flag % 10, flag // 10
    manager.player._setup |= {60 + x: Rank.FLAG, flag: manager.player._setup[60 + x]}
    assert y > 6
    assert manager.player.answer(f"{x} 3 DOWN 3 KILLS 9 F") == []
    assert manager.player.is_over
    assert manager.show() == "SURRENDER"


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


@pytest.mark.parametrize(
    ("sent", "code"), [("", 2), ("RED x 10 10\n", 2), ("RED x 10 10\nQUIT\n", 0), ("QUIT\n", 0)]
)
def test_end_of_input(sent: str, code: int) -> None:
    command = [sys.executable, "-m", "companion", "bot"]
    result = subprocess.run(command, input=sent, capture_output=True, text=True, check=False)
    assert result.returncode == code
    assert ("expected QUIT" in result.stderr) is (code != 0)


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams(closed: str) -> None:
    script = f'exec "{sys.executable}" -m companion bot {closed}'
    shell = ["sh", "-c", script]
    sent = "RED x 10 10\nhello\n"
    result = subprocess.run(shell, input=sent, capture_output=True, text=True, check=False)
    assert result.returncode == 2
    assert "Traceback" not in result.stderr
    assert ("expected" in result.stderr) is ("2" not in closed)


def test_interrupted_start(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(_: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "import_module", interrupt)
    assert cli.main(["bot"]) == 130
