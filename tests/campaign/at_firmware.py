"""Simulated hands on an emulated board that runs the real firmware."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from engine.board.geometry import SQUARES, Side, Square
from firmware_bridge.image import Image, Sensed
from firmware_bridge.link import Connected, MessageReceived, Statistics
from firmware_bridge.link.connection import Connection
from firmware_bridge.sensing.change_detector import ChangeTimes
from firmware_bridge.wire import BoardKind, Configure, State
from hardware.emulator import physics
from hardware.emulator.board import EmulatedBoard
from hardware.emulator.port import configured
from tests.hands.match import Match
from tests.hands.profiles import PROFILES
from tests.hands.responses import Line
from tests.hands.runner import REFEREES, Campaign
from tests.hands.score import Score
from tests.hands.sensors import Felt, Frame, Sight

# `FirmwareSight` implements `tests.hands.sensors.Sight` with the real firmware and the real link.
# Whenever a square changes, a piece moves over the emulated sensors. A frame is seen once it has
# passed through the link's `Connection`. The link is polled every 20 ms, which is also the board's
# frame interval, so all frames have the same delay.

BOOT_MS: Final = 1000
"""Maximum time, in milliseconds, that a board takes to identify itself and report its squares."""
SETTLED_MS: Final = 120
"""Time in which a hand movement ends and a frame shows its result, in milliseconds."""
LONGER_US: Final = 2000
_HELLO_SECONDS: Final = 3.0
_SILENT_SECONDS: Final = 1.0
_MAGNETS: Final[dict[str, physics.Magnet | None]] = {
    Sensed.EMPTY.value: None,
    Sensed.UNKNOWN.value: physics.NORTH,
    **{side.value[0]: physics.magnet_of(side) for side in Side},
}
"""For each token, the magnet that makes a sensor report it."""


class FirmwareSight:
    """Emulated board for simulated hands. It is initially empty."""

    def __init__(
        self,
        felt: Callable[[Square], Side | None],
        elf: Path,
        field: physics.Field,
        seed: int = 0,
        settings: Configure | None = None,
    ) -> None:
        """Connect the board and wait until it reports its squares.

        Args:
            felt: Returns the side whose magnet is over a square, or None.
            elf: Path of the firmware.
            field: The sensors and magnets.
            seed: Random seed for the noise.
            settings: The board's hardware settings, or None for a board without settings.
        """
        self.heard: Sequence[Frame] = ()
        self.statistics = Statistics()
        self._felt = felt
        self._board = EmulatedBoard(elf, field, seed=seed)
        if settings:
            self._board.eeprom = configured(elf, settings)
        self._conversation = Connection("the emulated board", self.statistics, False, 0.0)
        self._states: list[State] = []
        self._moments = ChangeTimes()
        self._image = Image()
        self._text = ""
        self._over: dict[Square, Side | None] = dict.fromkeys(SQUARES)
        """For each square, the side whose magnet the simulated hands have put there, or None."""
        self._forced: set[Square] = set()
        self._noted_at = 0
        self._now = 0
        self._ahead_us = 0
        """Time by which the board is ahead of the hands, in microseconds."""
        self._silent_until = 0
        self.kind: BoardKind | None = None
        """Board type, as reported by the board."""
        self._boot()

    def close(self) -> None:
        self._board.close()

    @property
    def is_settling(self) -> bool:
        """Whether there may be a change that has not appeared in a frame yet."""
        return self._now - self._noted_at < SETTLED_MS

    def at(self, square: Square) -> str:
        return self._image.at(square).value

    def note(self, square: Square, now: int) -> None:
        """Lift or place a magnet on a square whose state has changed."""
        self._run(now)
        self._noted_at = now
        if square not in self._forced:
            self._move(square)

    def force(self, square: Square, token: str | None, now: int) -> None:
        """Override the sensor reading on a square. A token of None ends the override."""
        self._run(now)
        self._noted_at = now
        if token is None:
            self._forced.discard(square)
            self._over[square] = self._felt(square)
            self._board.place(square, _magnet_of(self._over[square]))
        else:
            self._forced.add(square)
            self._board.place(square, _MAGNETS[token])

    def silence(self, now: int, lasts: int) -> None:
        """Drop all bytes from the board for the next `lasts` milliseconds."""
        self._run(now)
        self._silent_until = max(self._silent_until, now + lasts)

    def look(self, now: int) -> bool:
        """Advance time to `now`, and return whether the new frames show a change."""
        self._run(now)
        states, self._states = self._states, []
        shown, heard = self._text, []
        for state in states:
            if state.image != self._image or not self._text:
                self._image, self._text = state.image, state.image.tokens
            moments = self._moments.of(now / 1000, state)
            heard.append(Frame(self._text, moments, state.faint))
        self.heard = heard
        return self._text != shown

    def skip(self, now: int) -> None:
        """Advance the time of the simulated hands, but not that of the board."""
        self._ahead_us -= 1000 * (now - self._now)
        self._now = now

    def _boot(self) -> None:
        self._board.power_on()
        while not self._states:
            if self._board.now_us > 1000 * BOOT_MS:
                raise RuntimeError("the emulated board did not report its squares")
            self._ahead_us += 1000
            self._listen(1000)
        # The longest STATE frame takes 1.1 ms longer than this one and must also arrive in time.
        self._ahead_us += LONGER_US
        self._listen(LONGER_US)
        self._states.clear()

    def _run(self, now: int) -> None:
        """Advance the board to the time of the simulated hands."""
        if self._now < min(self._silent_until, now):
            self._listen(self._until(min(self._silent_until, now)), is_silent=True)
        if self._now < now:
            self._listen(self._until(now))

    def _until(self, now: int) -> int:
        """Set the time of the simulated hands. Return by how many microseconds the board lags
        behind."""
        self._now = now
        return 1000 * now + self._ahead_us - self._board.now_us

    def _listen(self, microseconds: int, *, is_silent: bool = False) -> None:
        self._board.send_bytes(self._conversation.bytes_to_send(self._board.now_us / 1e6))
        self._board.run(microseconds)
        data, now = self._board.take_bytes(), self._board.now_us / 1e6
        if is_silent:
            return
        for event in self._conversation.receive(data, now):
            match event:
                case Connected(hello=hello):
                    self.kind = hello.kind
                case MessageReceived(State() as state):
                    self._states.append(state)
        if error := self._conversation.error(now, _HELLO_SECONDS, _SILENT_SECONDS):
            raise RuntimeError(f"the emulated board cannot be reached: {error}")

    def _move(self, square: Square) -> None:
        before, after = self._over[square], self._felt(square)
        self._over[square] = after
        if before is after:
            return
        if after is None:
            self._board.lift(square)
        elif before is None:
            self._board.set_down(square, physics.magnet_of(after))
        else:
            self._board.place(square, physics.magnet_of(after))


def _magnet_of(side: Side | None) -> physics.Magnet | None:
    return physics.magnet_of(side) if side else None


BUILD: Final = Path(__file__).parents[2] / "hardware" / "firmware" / "build"
FIRMWARE: Final = BUILD / "hands" / "boomboard.elf"


def kind_for(profile: str) -> BoardKind:
    return BoardKind.COLOURS if PROFILES[profile].sees_colours else BoardKind.PRESENCE


@dataclass(frozen=True)
class FirmwareGames(Campaign):
    elf: Path | None = None
    """Path of the firmware, or None for the firmware built by ``make hands``."""

    def play(self, game: int, emit: Callable[[Line], None] | None = None) -> Score:
        return self.play_and_listen(game, emit)[0]

    def play_and_listen(
        self, game: int, emit: Callable[[Line], None] | None = None
    ) -> tuple[Score, Statistics]:
        """Play a game. Return its score and the link statistics."""
        sights: list[FirmwareSight] = []
        kind = kind_for(self.profile)

        def watching(felt: Felt) -> Sight:
            elf, settings = self.elf or FIRMWARE, Configure(kind)
            sights.append(FirmwareSight(felt, elf, _field(kind), game, settings))
            return sights[0]

        table = REFEREES[self.referee](self.edition, self.seed)
        profile, seed = PROFILES[self.profile], str(self.seed)
        match = Match(profile, self.edition, table, seed, game, emit, watching)
        (sight,) = sights
        try:
            return match.play(self.most), sight.statistics
        finally:
            sight.close()


def _field(kind: BoardKind) -> physics.Field:
    """Return sensors with the largest deviations that the tolerances permit."""
    if kind is BoardKind.PRESENCE:
        return physics.Field([physics.Switch()] * len(SQUARES))
    return physics.Field(physics.Spread().sensors(seed=1), crowding=physics.WORST_CROWDING)
