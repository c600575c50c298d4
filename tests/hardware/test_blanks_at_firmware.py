"""Tests for a game with blank pieces on an emulated board with the real firmware."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from companion.core.inputs import BoardSeen
from companion.opponent.levels import Level
from engine.board.geometry import SQUARES, Side, Square
from engine.rules.editions import EDITIONS, Edition
from firmware_bridge.image import Image
from firmware_bridge.wire import STATE_INTERVAL_MS
from hardware.emulator.physics import WORST_CROWDING, Field, Spread
from tests.campaign.at_firmware import FirmwareSight
from tests.campaigns import Campaign
from tests.companion.ui.blank_person import STANDS, BlankPerson
from tests.companion.ui.driver import Driver
from tests.companion.ui.proof import check_proof

BARRAGE: Final = EDITIONS["isf"].with_army("barrage")
GAMES = Campaign("blanks", 0, 20)
MOST_STEPS: Final = 3000


class FirmwarePerson(BlankPerson):
    """Simulated person who moves magnets over the sensors of the emulated board."""

    def __init__(self, driver: Driver, edition: Edition, seed: int, elf: Path) -> None:
        super().__init__(driver, edition.army, seed, clumsiness=0.3)
        self._over: dict[Square, Side | None] = dict.fromkeys(SQUARES)
        self._now = 0
        field = Field(Spread().sensors(seed=seed), crowding=WORST_CROWDING)
        self.sight = FirmwareSight(self.side_at, elf, field, seed)
        self._shown = ""

    def show(self, seconds: float = STANDS) -> None:
        """Run the board until it has detected the changes, and pass its frames to the program."""
        for where in SQUARES:
            if self._over[where] is not (side := self.side_at(where)):
                self._over[where] = side
                self._frames(2)
                self.sight.note(where, self._now)
        self._frames(round(1000 * seconds) // STATE_INTERVAL_MS)
        self.driver.frames(2)

    def _frames(self, count: int) -> None:
        for number in range(count):
            self._now += STATE_INTERVAL_MS
            self.driver.now += STATE_INTERVAL_MS / 1000
            self.sight.look(self._now)
            for frame in self.sight.heard:
                image = Image.of_tokens(frame.board)
                self.driver.script.waiting.append(BoardSeen(self.driver.now, image))
            if number % 5 == 0:
                self.driver.frames(1)


@pytest.fixture
def driver(tmp_path: Path) -> Iterator[Driver]:
    with Driver(tmp_path / "games.sqlite", edition=BARRAGE, seed=5) as driver:
        yield driver


@GAMES
def test_game_at_the_firmware(driver: Driver, firmware_elf: Path) -> None:
    driver.connect()
    for game in range(GAMES.size):
        driver.tap("alone")
        driver.tap_option("levels", Level.CADET)
        driver.tap("chosen")
        person = FirmwarePerson(driver, BARRAGE, 60 + game, firmware_elf)
        try:
            person.set_up()
            for _ in range(MOST_STEPS):
                if driver.view == "end":
                    break
                person.step()
        finally:
            person.sight.close()
        check_proof(driver)
        driver.tap("leave")
