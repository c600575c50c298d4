from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from companion.hall.publisher.uplink import HallUplink
from companion.speech.i18n import RankSigns
from engine.game.clocks import NO_CLOCK, TimeControl
from engine.rules.editions import DEFAULT, Edition
from tests.companion.terminal.at_terminal import SitDown, TerminalDriver


@pytest.fixture
def sit_down(tmp_path: Path) -> Iterator[SitDown]:
    """Function that starts a session with both armies on the board."""
    with ExitStack() as opened:

        def open_driver(
            edition: Edition = DEFAULT,
            control: TimeControl = NO_CLOCK,
            language: str = "en",
            *,
            is_logged: bool = False,
            hall: HallUplink | None = None,
            signs: RankSigns = RankSigns.EUROPEAN,
        ) -> TerminalDriver:
            path = tmp_path / "games.sqlite"
            driver = TerminalDriver(
                *(path, opened, edition, control, language),
                is_logged=is_logged,
                hall=hall,
                signs=signs,
            )
            driver.set_up()
            return driver

        yield open_driver


@pytest.fixture
def driver(sit_down: SitDown) -> TerminalDriver:
    return sit_down()
