"""The lamps at the board's edges mark squares and reveal no rank."""

import select
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from companion.core.inputs import CommandInput, NoAttack, Ready
from companion.core.state import AwaitingAnswer
from companion.devices.lamps import highlights_of, squares_to_light
from companion.devices.live_board import LiveBoard
from companion.session.game_host import GameHost
from companion.speech.announcement_texts import BoardWords
from companion.speech.i18n import Language
from companion.storage.journal_provider import JournalProvider
from engine.board.geometry import Side, SquareSet, names, square, squares_in
from engine.board.ranks import Rank
from engine.game.actions import Attack, Resign
from engine.game.game_state import Phase
from engine.rules.editions import DEFAULT
from firmware_bridge.simulated_board.board import SimulatedBoard
from firmware_bridge.simulated_board.port import SimulatedPort
from firmware_bridge.wire import Lamps, ResetCause
from tests.companion.core import table_driver
from tests.companion.devices.test_live_board import poll_until
from tests.companion.terminal.at_terminal import TerminalDriver as AtTerminal
from tests.companion.terminal.at_terminal import beginning
from tests.fast_clock import HASTE, fast_clock
from tests.firmware_bridge.links import listening_board

RED, BLUE = Side.RED, Side.BLUE


def shown(driver: table_driver.TableDriver) -> str:
    return names(squares_to_light(highlights_of(driver.table)))


def first_named(driver: table_driver.TableDriver) -> str:
    """Return the first square that the guide on the screen names."""
    table = driver.table
    guide = BoardWords(Language("en")).guide(table.state.difference, table.expected)
    return guide[0].rstrip(".").split()[-1]


class TestATurn:
    def test_no_lamps_before_the_first_lift(self) -> None:
        driver = table_driver.TableDriver()
        driver.stand(RED, square("e5"))
        driver.wait()
        assert shown(driver) == ""
        assert shown(table_driver.TableDriver.begun()) == ""

    def test_lamps_show_the_last_move(self) -> None:
        driver = table_driver.TableDriver.begun()
        piece = driver.lift("e4")
        driver.wait()
        assert shown(driver) == "e4", "the source of the lifted piece is lit"
        driver.place(piece, "e5")
        driver.wait()
        assert shown(driver) == "e4 e5"
        driver.lift("e7")
        driver.wait()
        assert shown(driver) == "e7"

    def test_returned_piece_keeps_the_last_move(self) -> None:
        driver = table_driver.clash()
        driver.place(driver.lift("e5"), "e5")
        driver.wait()
        assert shown(driver) == "e6 e7"

    def test_piece_of_unknown_origin_is_lit(self) -> None:
        driver = table_driver.clash()
        piece = driver.lift("f4")
        driver.lift("e5")
        driver.place(piece, "f5")
        driver.wait()
        assert isinstance(driver.table.state, AwaitingAnswer)
        assert shown(driver) == "f5"

    def test_take_back_clears_the_last_move(self) -> None:
        driver = table_driver.clash()
        driver.take_back()
        driver.wait()
        assert shown(driver) == "e6 e7", "the squares to restore are lit"
        driver.place(driver.lift("e6"), "e7")
        driver.wait()
        assert shown(driver) == "e4 e5"


class TestPuttingRight:
    def test_illegal_move_is_lit_until_undone(self) -> None:
        driver = table_driver.clash()
        driver.move("b4", "b6")
        driver.move("e5", "e4")
        assert driver.table.referee.plies == 3  # b4-b6 is a scout's move, and e5-e4 is out of turn
        assert shown(driver) == "e4 e5"
        piece = driver.lift("e4")
        driver.wait()
        assert shown(driver) == "e5", "the square to return to is lit"
        driver.place(piece, "e5")
        driver.wait()
        assert shown(driver) == "b4 b6"

    def test_recovery_shows_source_then_target(self) -> None:
        driver = table_driver.clash()
        driver.move("b4", "a5")
        assert driver.table.state.violation
        assert shown(driver) == first_named(driver) == "a5"
        piece = driver.lift("a5")
        driver.wait()
        assert shown(driver) == "b4"
        driver.place(piece, "b4")
        driver.wait()
        assert shown(driver) == "e6 e7"

    def test_lamps_follow_the_recovery_screen(self) -> None:
        driver = table_driver.clash()
        knocked = [driver.lift(name) for name in ("a4", "c4", "k7")]
        for piece, name in zip(knocked, ("b5", "f6", "k6"), strict=True):
            driver.place(piece, name)
        driver.wait()
        led = [shown(driver)]
        for wrong in ("b5", "k6", "f6"):
            assert shown(driver) == first_named(driver)
            driver.lift(wrong)
            driver.wait()
            led.append(shown(driver))
        for side, right in ((RED, "a4"), (RED, "c4"), (BLUE, "k7")):
            driver.stand(side, square(right))
        driver.wait()
        led.append(shown(driver))
        assert led[:3] == ["b5", "f6", "f6"]
        assert led[-1] == "e6 e7"

    def test_knocked_row_is_shown(self) -> None:
        driver = table_driver.clash()
        row = "a4", "b4", "c4", "d4", "f4", "k4"
        fallen = {name: driver.lift(name) for name in row}
        driver.wait(4)
        assert shown(driver) == " ".join(row)
        for name in ("c4", "k4", "a4"):
            driver.place(fallen[name], name)
            driver.wait()
        assert shown(driver) == "b4 d4 f4"

    def test_illegal_attack_by_screen_lights_nothing(self) -> None:
        driver = table_driver.clash()
        driver.command(Attack(square("e5"), square("e7")))
        assert driver.table.state.violation
        assert shown(driver) == "e6 e7"

    def test_allowed_diagonal_move_is_lit(self) -> None:
        driver = table_driver.clash()
        driver.move("b4", "a5")
        driver.allow_move()
        driver.wait()
        assert driver.table.referee.position.last_move == (square("b4"), square("a5"))
        assert shown(driver) == "a5"


class TestAnAttack:
    @pytest.mark.parametrize(
        "opened", [lambda: table_driver.attack(table_driver.clash()), table_driver.dispute]
    )
    def test_open_attack_lights_two_squares(
        self, opened: Callable[[], table_driver.TableDriver]
    ) -> None:
        assert shown(opened()) == "e5 e6"

    def test_knock_takes_precedence(self) -> None:
        driver = table_driver.attack(table_driver.clash())
        first, second = driver.lift("a1"), driver.lift("b1")
        driver.place(first, "a5")
        driver.place(second, "b5")
        driver.wait(3.5)
        assert shown(driver) == "a5"
        driver.place(driver.lift("a5"), "a1")
        driver.place(driver.lift("b5"), "b1")
        driver.wait()
        assert shown(driver) == "e5 e6"

    def test_withdrawn_attack_clears_the_lamps(self) -> None:
        driver = table_driver.attack(table_driver.clash())
        driver.submit(NoAttack(driver.now))
        driver.wait()
        assert shown(driver) == "e5", "a lifted piece is not a disturbance"

    def test_open_guess_is_lit(self) -> None:
        driver = table_driver.infiltrator()
        driver.infiltrate("e7", "e8", Rank.COLONEL)
        assert driver.table.referee.phase is Phase.GUESS
        assert shown(driver) == "e7 e8"

    def test_winner_target_is_lit(self) -> None:
        driver = table_driver.fight(Rank.CAPTAIN, Rank.MINER)
        assert shown(driver) == "e6"
        driver.stand(RED, square("e6"))
        driver.wait()
        assert shown(driver) == "e5 e6"

    def test_captured_piece_is_lit(self) -> None:
        driver = table_driver.clash()
        driver.command(Attack(square("e5"), square("e6")))
        driver.declare(RED, Rank.MINER)
        driver.declare(BLUE, Rank.CAPTAIN)
        driver.wait()
        assert shown(driver) == "e5"


class TestNoGame:
    def test_no_lamps_without_a_board(self) -> None:
        driver = table_driver.clash()
        driver.lose_board()
        assert shown(driver) == ""

    def test_no_lamps_after_the_end(self) -> None:
        driver = table_driver.clash()
        driver.command(Resign(RED))
        driver.wait()
        assert shown(driver) == ""

    def test_last_move_survives_a_restart(self) -> None:
        driver = table_driver.clash().replugged()
        driver.wait()
        assert shown(driver) == "e6 e7"


def lamps_of_a_dispute(attacker: Rank, insisted: Rank) -> Iterator[SquareSet]:
    """Yield the lit squares after each step of a dispute.

    The steps include a bump and a lost connection.
    """
    driver = table_driver.attack(table_driver.clash())

    def now() -> SquareSet:
        driver.wait(3.5)
        return squares_to_light(highlights_of(driver.table))

    yield now()
    driver.declare(RED, attacker)
    yield now()
    for source, target in (("a1", "a5"), ("b1", "b5")):
        driver.place(driver.lift(source), target)
    yield now()
    for source, target in (("a5", "a1"), ("b5", "b1")):
        driver.place(driver.lift(source), target)
    driver.declare(BLUE, insisted)
    yield now()
    driver.insist(BLUE, insisted)
    yield now()
    assert driver.table.referee.phase is Phase.DISPUTE
    driver.lose_board()
    yield now()


def test_lamps_do_not_depend_on_hidden_ranks() -> None:
    one = list(lamps_of_a_dispute(Rank.SPY, Rank.BOMB))
    other = list(lamps_of_a_dispute(Rank.CAPTAIN, Rank.FLAG))
    assert one == other
    assert len(set(one)) == 3


class Table:
    """A session with a real port and the real link, on a fast clock."""

    def __init__(self, folder: Path, opened: ExitStack) -> None:
        self.board = SimulatedBoard()
        self.port = opened.enter_context(SimulatedPort(self.board, folder))
        self.port.run(HASTE)
        live = opened.enter_context(LiveBoard(str(self.port.path), clock=fast_clock))
        journals = opened.enter_context(closing(JournalProvider(folder / "games.sqlite")))
        self.host = GameHost(journals, live, fast_clock, draw=lambda: 1)

    def begin(self) -> None:
        self.host.begin(DEFAULT)
        for side in Side:
            for each in squares_in(side.home):
                self.board.stand(side, each)
        table = self.host.table
        assert table
        self.wait_until(lambda: table.setup.red == table.setup.blue == 40)
        for side in Side:
            self.host.submit(CommandInput(fast_clock(), Ready(side)))
        self.wait_until(lambda: table.referee.phase is Phase.PLAY)

    def move(self, source: str, target: str) -> None:
        self.board.place(self.board.lift(square(source)), square(target))

    def wait_until_lit(self, squares: str) -> None:
        self.wait_until(lambda: names(self.board.lamps) == squares)

    def wait_until(self, wanted: Callable[[], bool]) -> None:
        while not wanted():
            self.host.poll()
            select.select([], [], [], 0.002)  # lets other threads run


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with ExitStack() as opened:
        yield Table(tmp_path, opened)


class TestAtARealPort:
    def test_undone_move_clears_the_lamps(self, table: Table) -> None:
        table.begin()
        table.move("a4", "b5")
        table.wait_until_lit("b5")
        table.move("b5", "a4")
        table.wait_until_lit("")
        table.move("a4", "a5")
        table.wait_until_lit("a4 a5")
        table.host.leave()
        table.wait_until_lit("")

    def test_lamps_are_sent_again_after_reconnecting(self, table: Table) -> None:
        table.begin()
        table.move("a4", "b5")
        table.wait_until_lit("b5")
        table.port.restart(ResetCause.BROWN_OUT)
        assert table.board.lamps == 0
        table.wait_until_lit("b5")
        table.port.unplug()
        table.wait_until(lambda: table.host.found is None)
        table.port.replug()
        assert table.board.lamps == 0
        table.wait_until_lit("b5")

    def test_lamps_are_sent_only_on_change(self) -> None:
        with listening_board() as (name, heard), LiveBoard(name) as live:
            poll_until(live, bool)
            for squares in (1, 1, 1, 2, 2, 1):
                live.set_lamps(squares)
            messages = [heard.get() for _ in range(3)]
            assert messages == [Lamps(1), Lamps(2), Lamps(1)]

    def test_terminal_referee_clears_the_lamps(self, tmp_path: Path) -> None:
        with ExitStack() as opened:
            driver = AtTerminal(tmp_path / "games.sqlite", opened)
            driver.set_up()
            driver.play(*beginning(driver), ("Red to move", driver.type("quit")))
            poll_until(driver.board, lambda _: names(driver.simulated.lamps) == "e6 e7")
        assert driver.simulated.lamps == 0
