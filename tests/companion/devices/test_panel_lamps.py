"""Tests for the panel's lamps, sounds and buttons."""

import io
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin
from rich.console import Console

from companion.core.events import RankAsked
from companion.core.inputs import BoardFound, BoardLost, ExplanationChosen
from companion.devices.lamps import PanelLamps
from companion.devices.live_board import LiveBoard
from companion.session.session import Session
from companion.speech.announcer import Announcer
from companion.speech.i18n import Language
from companion.storage.journal import Journal
from companion.terminal.terminal_referee import TerminalReferee
from engine.board.geometry import Side, squares_in
from engine.board.ranks import Rank
from engine.game.actions import AnswerStalemate, ClaimStalemate, Resign
from engine.game.game_state import Phase
from engine.game.rulings import Contradiction
from engine.rules.editions import DEFAULT, EDITIONS
from engine.rules.rules import Violation
from firmware_bridge.panel import BUTTONS, BUZZER, LAMPS, RESET, Panel
from firmware_bridge.simulated_board.board import SimulatedBoard
from tests.campaigns import RARE
from tests.companion.core import table_driver


class AtPanel:
    """A session with a panel on gpiozero's mock pins."""

    def __init__(self, pins: Any, panel: Panel) -> None:
        self.pins, self.panel = pins, panel
        self.lamps = PanelLamps(panel, lambda: 0.0)

    def lit(self, driver: table_driver.TableDriver | None) -> str:
        """Return the initials of the sides whose lamps are lit."""
        table, give = (driver.table, driver.submit) if driver else (None, lambda _: None)
        self.lamps.tick(table, give)
        return "".join(side.value[0] for side, pin in LAMPS.items() if self.pins.pin(pin).state)

    def press(self, side: Side, driver: table_driver.TableDriver) -> None:
        self.pins.pin(BUTTONS[side]).drive_low()
        self.pins.pin(BUTTONS[side]).drive_high()
        self.lamps.tick(driver.table, driver.submit)

    def hear(self, driver: table_driver.TableDriver) -> tuple[int, int]:
        """Pass the events to the panel. Return the number of sounds and the number of resets."""
        for pin in (BUZZER, RESET):
            self.pins.pin(pin).clear_states()
        for event in driver.events:
            self.lamps.hear(event)
        for thread in (self.panel._buzzer._source_thread, self.panel._reset._blink_thread):
            if thread:
                thread.join()
        driver.forget()
        sounds, resets = (
            sum(state.state > 0 for state in self.pins.pin(pin).states) for pin in (BUZZER, RESET)
        )
        return sounds, resets


def bang() -> table_driver.TableDriver:
    driver = table_driver.TableDriver.begun()
    driver.play("e4-e5 k7-k6 e5-e6 k6-k5")
    driver.lift("e6")
    driver.lift("e7")
    driver.wait()
    driver.declare(Side.RED, Rank.CAPTAIN)
    driver.declare(Side.BLUE, Rank.BOMB)
    return driver


@pytest.fixture
def at_panel() -> Iterator[AtPanel]:
    pins = MockFactory(pin_class=MockPWMPin)
    with Panel(pins) as panel:
        yield AtPanel(pins, panel)
    pins.reset()


def test_no_panel_lamps_without_a_game(at_panel: AtPanel) -> None:
    assert at_panel.lit(table_driver.clash()) == "r"
    assert at_panel.lit(None) == ""


def test_lamp_is_lit_until_ready(at_panel: AtPanel) -> None:
    driver = table_driver.TableDriver()
    for side in Side:
        driver.stand(side, *squares_in(side.home))
    driver.wait()
    assert at_panel.lit(driver) == "rb"
    at_panel.press(Side.RED, driver)
    assert at_panel.lit(driver) == "b"
    at_panel.press(Side.BLUE, driver)
    driver.wait()
    assert driver.table.referee.phase is Phase.PLAY
    assert at_panel.lit(driver) == "r"


def test_ready_button_needs_a_complete_army(at_panel: AtPanel) -> None:
    driver = table_driver.TableDriver()
    driver.stand(Side.RED, *range(39))
    driver.wait()
    at_panel.press(Side.RED, driver)
    assert at_panel.lit(driver) == "rb"


def test_lamp_shows_the_side_to_move(at_panel: AtPanel) -> None:
    driver = table_driver.TableDriver.begun()
    lit = []
    for move in ("e4-e5", "e7-e6", "k4-k5"):
        lit.append(at_panel.lit(driver))
        driver.play(move)
    assert [*lit, at_panel.lit(driver)] == ["r", "b", "r", "b"]


def test_presses_during_a_game_are_ignored(at_panel: AtPanel) -> None:
    for driver in (
        table_driver.clash(),
        table_driver.attack(table_driver.clash()),
        table_driver.dispute(),
        table_driver.infiltrator(),
    ):
        driver.forget()
        before = driver.table.referee.actions[:]
        for side in Side:
            at_panel.press(side, driver)
        driver.wait()
        assert driver.table.referee.actions == before
        assert not driver.events


def test_both_lamps_during_declarations(at_panel: AtPanel) -> None:
    driver = table_driver.attack(table_driver.clash())
    assert at_panel.lit(driver) == "rb"
    driver.declare(Side.RED, Rank.MINER)
    assert at_panel.lit(driver) == "rb"
    driver.declare(Side.BLUE, Rank.SCOUT)
    assert at_panel.lit(driver) == "b"


def test_both_lamps_during_the_attacker_question(at_panel: AtPanel) -> None:
    driver = table_driver.TableDriver.begun()
    driver.play("e4-e6")
    for name in ("e6", "e7"):
        driver.lift(name)
    driver.wait()
    assert at_panel.lit(driver) == "rb"


def test_both_lamps_during_a_recognition_question(at_panel: AtPanel) -> None:
    driver = table_driver.clash()
    piece = driver.lift("f4")
    driver.lift("e5")
    driver.place(piece, "f5")
    driver.wait()
    assert at_panel.lit(driver) == "rb"
    driver.submit(ExplanationChosen(driver.now, 0))
    assert at_panel.lit(driver) == "b"


def test_lamp_during_an_offered_attack(at_panel: AtPanel) -> None:
    driver = table_driver.clash()
    driver.lift("e5")
    driver.wait(3)
    assert driver.table.state.asked.answers
    assert at_panel.lit(driver) == "r"


def test_both_lamps_during_dispute_and_guess(at_panel: AtPanel) -> None:
    assert at_panel.lit(table_driver.dispute()) == "rb"
    driver = table_driver.infiltrator()
    driver.infiltrate("e7", "e8", Rank.COLONEL)
    assert driver.table.referee.phase is Phase.GUESS
    assert at_panel.lit(driver) == "rb"


def test_lamp_during_a_claim(at_panel: AtPanel) -> None:
    driver = table_driver.clash(edition=EDITIONS["isf"])
    assert at_panel.lit(driver) == "r"
    driver.command(ClaimStalemate())
    assert at_panel.lit(driver) == "b"
    driver.command(AnswerStalemate(able=True))
    assert at_panel.lit(driver) == "b"
    driver.move("f7", "f6")
    assert at_panel.lit(driver) == ""


def test_lost_board_is_reset(at_panel: AtPanel) -> None:
    driver = table_driver.clash()
    driver.lose_board()
    assert at_panel.lit(driver) == ""
    assert at_panel.hear(driver) == (0, 1)


def test_no_panel_lamps_after_the_end(at_panel: AtPanel) -> None:
    driver = table_driver.clash()
    driver.command(Resign(Side.RED))
    assert driver.table.referee.phase is Phase.OVER
    assert at_panel.lit(driver) == ""


def test_only_a_bomb_has_a_sound(at_panel: AtPanel) -> None:
    assert at_panel.hear(bang()) == (1, 0)
    assert at_panel.hear(table_driver.fight(Rank.CAPTAIN, Rank.SCOUT)) == (0, 0)


def test_illegal_move_sound(at_panel: AtPanel) -> None:
    driver = table_driver.clash()
    driver.move("a7", "a6")
    assert driver.emitted(Violation)
    assert at_panel.hear(driver) == (2, 0)


def test_private_events_are_silent(at_panel: AtPanel) -> None:
    driver = table_driver.attack(table_driver.clash())
    driver.forget()
    driver.declare(Side.RED, Rank.FLAG)
    assert driver.emitted(Contradiction)
    assert driver.emitted(RankAsked)
    assert at_panel.hear(driver) == (0, 0)


@RARE
def test_panel_with_the_terminal_referee(at_panel: AtPanel, tmp_path: Path) -> None:
    screen = io.StringIO()
    with (
        closing(Journal(tmp_path / "games.db")) as journal,
        LiveBoard(simulated=SimulatedBoard()) as board,
        (tmp_path / "keyboard").open("w+", encoding="utf-8") as keyboard,
    ):
        keyboard.write("quit\n")
        keyboard.seek(0)
        session = Session.begin(journal, DEFAULT, 1)
        announcer = Announcer(Language("en"))
        console = Console(file=screen)
        referee = TerminalReferee(
            session, board, announcer, console, keyboard, private=console, lamps=at_panel.lamps
        )
        session.handle(BoardFound(0.0, sees_colours=True))
        at_panel.pins.pin(BUTTONS[Side.RED]).drive_low()
        referee.run()
        assert "Pieces set up: Red 0, Blue 0." in screen.getvalue()
        assert all(at_panel.pins.pin(pin).state for pin in LAMPS.values())
        session.handle(BoardLost(1.0))
        at_panel.panel._reset._blink_thread.join()
        assert len(at_panel.pins.pin(RESET).states) > 1
