"""A table reports an order as accepted only after it has saved the order's effect."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from companion.core.game_context import Step
from companion.core.inputs import CallArbiter, Command, CommandInput, Input, Pause
from companion.hall.protocol.broker import Broker
from companion.hall.protocol.messages import Order, OrderReply
from companion.hall.publisher.hall_file import HallFile
from companion.hall.publisher.uplink import HallUplink
from companion.session.session import Session
from companion.storage.journal import Journal
from engine.board.geometry import Side
from engine.game.actions import Action, Forfeit, Resign
from engine.game.clocks import TIME_CONTROLS
from engine.rules.editions import DEFAULT
from tests.companion.core.table_driver import TableDriver


class CalledTable:
    """Table with a game and clocks, which receives orders without a broker."""

    def __init__(self, path: Path) -> None:
        broker = Broker("mqtts://hall.example", "table-1", "secret")
        self.uplink = HallUplink(HallFile("table-1", broker, "00" * 32), path, "board")
        self.driver = TableDriver.begun()
        self.journal = Journal(path)
        control = TIME_CONTROLS["total"]
        self.session = Session.begin(self.journal, DEFAULT, self.driver.seed, control)
        for given in self.driver.inputs:
            self.session.handle(given)

    def give(self, *words: Action | Command) -> None:
        for word in words:
            self.session.handle(CommandInput(self.driver.now, word))

    def order(self, act: Mapping[str, Any], game: int | None = None) -> list[object]:
        """Send an order for this game (or for `game`) and return the table's replies."""
        key = f"2026-03-07 18:30:00/{game or self.session.number}"
        self.uplink._orders.put(Order("table-1", key, 5, "Anna", act))
        self.carry_out(self.session.handle)
        return self.answers()

    def carry_out(self, submit: Any) -> None:
        self.uplink.carry_out(self.driver.now, self.session.number, self.session.table, submit)

    def answers(self) -> list[object]:
        found: list[object] = []
        while not self.uplink._heard.empty():
            found.append(self.uplink._heard.get())
        return found


@pytest.fixture
def table(tmp_path: Path) -> Iterator[CalledTable]:
    table = CalledTable(tmp_path / "games.sqlite")
    yield table
    table.journal.close()


ACCEPTED, REFUSED = [OrderReply(5, taken=True)], [OrderReply(5, taken=False)]


@pytest.mark.parametrize(
    ("words", "act", "answer"),
    [
        ((), {"what": "pause"}, ACCEPTED),
        ((Pause(),), {"what": "pause"}, REFUSED),
        ((Pause(),), {"what": "go-on"}, ACCEPTED),
        ((), {"what": "go-on"}, REFUSED),
        ((CallArbiter(Side.RED),), {"what": "answer-call"}, ACCEPTED),
        ((), {"what": "answer-call"}, REFUSED),
        ((), {"what": "give-time", "side": "red", "seconds": 60}, ACCEPTED),
        ((), {"what": "let-stand"}, REFUSED),
        ((), {"what": "settle", "accepted": True}, REFUSED),
        ((), {"what": "forfeit", "side": "blue"}, ACCEPTED),
        ((), {"what": "reopen"}, REFUSED),
        ((Forfeit(Side.RED),), {"what": "reopen"}, ACCEPTED),
        ((Resign(Side.RED),), {"what": "reopen"}, REFUSED),
        ((), {"what": "give-time", "side": "green"}, REFUSED),
    ],
)
def test_effective_order_is_accepted(
    words: tuple[Action | Command, ...],
    act: dict[str, Any],
    answer: list[OrderReply],
    table: CalledTable,
) -> None:
    table.give(*words)
    assert table.order(act) == answer


def test_malformed_order_is_logged(table: CalledTable, caplog: pytest.LogCaptureFixture) -> None:
    assert table.order({"what": "give-time", "side": "green", "seconds": 9}) == REFUSED
    (message,) = caplog.messages
    assert message.startswith("an arbiter's order is malformed: ")
    assert '"side" of "give-time"' in message


def test_order_for_another_game_is_refused(table: CalledTable) -> None:
    assert table.order({"what": "pause"}, game=99) == REFUSED
    assert not table.session.table.is_paused


def test_order_is_answered_after_saving(table: CalledTable) -> None:
    game = f"2026-03-07 18:30:00/{table.session.number}"
    table.uplink._orders.put(Order("table-1", game, 5, "Anna", {"what": "pause"}))
    assert table.answers() == []

    def cannot_save(given: Input) -> Step | None:
        assert table.answers() == []
        table.session.table.handle(given)
        return None

    table.carry_out(cannot_save)
    assert table.answers() == []
