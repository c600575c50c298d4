"""Campaign runs: profiles, referees and numbers of plies."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from engine.rules.editions import DEFAULT
from tests.campaign.at_firmware import FirmwareGames
from tests.hands.match import PLIES_A_GAME
from tests.hands.profiles import PROFILES
from tests.hands.runner import REFEREES, TABLE, Campaign

FIRMWARE: Final = "firmware"
"""Name of the referee that consists of the table and the emulated board."""
SEED: Final = 2000
"""Seed that was not used when the table's limits were tuned."""
_USUALLY: Final = 4300
PLIES: Final = dict.fromkeys(PROFILES, _USUALLY) | {
    "normal": 20_000,
    "clumsy": 5000,
    "children": 5000,
    "blitz": 5000,
    "no-colours": 5000,
}
"""Minimum number of plies for each profile: more than 100,000 in total."""
AT_FIRMWARE: Final = {
    "normal": 400,
    "clumsy": 150,
    "children": 150,
    "no-colours": 150,
    "blitz": 150,
    "lost-frames": 150,
    "dropouts": 150,
}
"""Minimum number of plies on the emulated board, which is much slower."""


@dataclass(frozen=True)
class Run:
    profile: str
    referee: str
    plies: int
    """Minimum number of plies. The number may be exceeded, because games are always played to the
    end."""
    seed: int

    def __str__(self) -> str:
        return f"{self.profile}, {self.referee}"

    @property
    def campaign(self) -> Campaign:
        edition, most = DEFAULT, min(self.plies, PLIES_A_GAME)
        if self.referee == FIRMWARE:
            return FirmwareGames(self.profile, TABLE, edition, self.seed, most)
        return Campaign(self.profile, self.referee, edition, self.seed, most)


def runs(seed: int, times: float) -> Iterator[Run]:
    """Yield all runs, with the usual numbers of plies multiplied by `times`."""
    for profile, plies in PLIES.items():
        for referee in REFEREES:
            yield Run(profile, referee, _times(plies, times), seed)
    for profile, plies in AT_FIRMWARE.items():
        yield Run(profile, FIRMWARE, _times(plies, times), seed)


def _times(plies: int, times: float) -> int:
    return max(1, round(plies * times))
