"""The same hand movements at a board that runs the real firmware, under emulation."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from companion.simulator.hands.campaign import REFEREES, Campaign
from companion.simulator.hands.contract import Line
from companion.simulator.hands.match import Match
from companion.simulator.hands.profiles import PROFILES
from companion.simulator.hands.score import Score
from companion.simulator.hands.sight import Felt, Sight
from engine.board.geometry import SQUARES
from firmware_bridge.link import Statistics
from firmware_bridge.wire import BoardKind, Configure
from hardware.emulator.physics import WORST_CROWDING, Field, Spread, Switch
from hardware.emulator.sight import FirmwareSight

BUILD: Final = Path(__file__).parents[2] / "hardware" / "firmware" / "build"
FIRMWARE: Final = BUILD / "hands" / "boomboard.elf"
"""The firmware built by ``make hands``."""


def kind_for(profile: str) -> BoardKind:
    """Return the kind of board that a profile uses."""
    return BoardKind.COLOURS if PROFILES[profile].sees_colours else BoardKind.PRESENCE


@dataclass(frozen=True)
class FirmwareGames(Campaign):
    """Games of one profile at an emulated board: real firmware, bytes and protocol."""

    elf: Path | None = None
    """Firmware image, if it is not the one built by ``make hands``."""

    def play(self, game: int, tell: Callable[[Line], None] | None = None) -> Score:
        """Play one game, by its number."""
        return self.play_and_listen(game, tell)[0]

    def play_and_listen(
        self, game: int, tell: Callable[[Line], None] | None = None
    ) -> tuple[Score, Statistics]:
        """Play one game, and also return the link quality during it."""
        sights: list[FirmwareSight] = []
        kind = kind_for(self.profile)

        def watching(felt: Felt) -> Sight:
            elf, wish = self.elf or FIRMWARE, Configure(kind)
            sights.append(FirmwareSight(felt, elf, _field(kind), game, wish))
            return sights[0]

        table = REFEREES[self.referee](self.edition, self.seed)
        profile, seed = PROFILES[self.profile], str(self.seed)
        match = Match(profile, self.edition, table, seed, game, tell, watching)
        (sight,) = sights
        try:
            return match.play(self.most), sight.statistics
        finally:
            sight.close()


def _field(kind: BoardKind) -> Field:
    """Return the sensors of a board, with the largest permitted deviations."""
    if kind is BoardKind.PRESENCE:
        return Field([Switch()] * len(SQUARES))
    return Field(Spread().sensors(seed=1), crowding=WORST_CROWDING)
