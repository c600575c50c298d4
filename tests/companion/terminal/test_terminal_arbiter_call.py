"""Call a hall arbiter from the terminal, and show the arbiter's replies."""

from collections.abc import Callable
from pathlib import Path

import pytest

from companion.hall.protocol.broker import Broker
from companion.hall.protocol.messages import Order
from companion.hall.publisher.hall_file import HallFile
from companion.hall.publisher.uplink import HallUplink
from tests.companion.terminal.at_terminal import SitDown, TerminalDriver, beginning


@pytest.fixture
def line(tmp_path: Path) -> HallUplink:
    """Connection to a hall, not yet opened."""
    broker = Broker("mqtts://hall.example", "table-1", "secret")
    return HallUplink(HallFile("table-1", broker, "00" * 32), tmp_path / "games.sqlite", "board")


def coming(line: HallUplink, driver: TerminalDriver) -> Callable[[], object]:
    """Return an action that makes an arbiter's reply arrive."""

    def answer() -> None:
        game = f"2026-03-07 18:30:00/{driver.session.number}"
        line._orders.put(Order("table-1", game, 1, "Anna", {"what": "answer-call"}))

    return answer


def test_called_arbiter_answers(sit_down: SitDown, line: HallUplink) -> None:
    driver = sit_down(hall=line)
    type_ = driver.type
    driver.play(
        *beginning(driver),
        ("Red to move", type_("call arbiter")),
        ("The arbiter is called.", type_("call arbiter")),
        ("is not possible now", coming(line, driver)),
        ("An arbiter is on the way.", type_("withdraw call")),
        ("is not possible now", type_("call arbiter")),
        ("The arbiter is called.", type_("withdraw call")),
        ("The arbiter is no longer needed.", type_("quit")),
    )


def test_no_arbiter_without_a_hall(driver: TerminalDriver) -> None:
    type_ = driver.type
    driver.play(
        *beginning(driver),
        ("Red to move", type_("call arbiter")),
        ("This table is not connected to a hall", type_("quit")),
    )
    assert driver.session.table.arbiter_call.open is None
