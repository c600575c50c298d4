"""Tests with simulated players who move pieces on an emulated board with the real firmware.

The link and the table are real, too. The table receives only what the link's `Connection` reports.
Only the simulation knows the moves.
"""

from collections.abc import Iterator
from itertools import count
from operator import itemgetter
from pathlib import Path

import pytest

from engine import Side
from engine.board.geometry import SQUARES, Square, square
from engine.rules.editions import DEFAULT
from firmware_bridge.wire import STATE_INTERVAL_MS, BoardKind, Configure
from hardware.emulator.physics import Field, Sensor, Switch
from tests.campaign.at_firmware import FirmwareGames, FirmwareSight
from tests.campaign.limits import limits_of_slice
from tests.campaign.runs import AT_FIRMWARE
from tests.campaigns import Campaign
from tests.hands.behaviours import Behaviour
from tests.hands.runner import TABLE
from tests.hands.score import Score
from tests.hands.sensors import Frame

SEED = 7
MOST = 100
"""Maximum number of plies in a game."""
PROFILES = Campaign("hands", part=1, whole=len(AT_FIRMWARE))
PLIES = Campaign("hands", part=2, whole=25)
LOSING = {Behaviour.LOST_FRAME.value, Behaviour.LOST_BURST.value}
E4, E5 = square("e4"), square("e5")


@PLIES
@pytest.mark.parametrize("profile", PROFILES.among(list(AT_FIRMWARE)))
def test_hands_through_the_firmware(firmware_elf: Path, profile: str) -> None:
    most = min(PLIES.size, MOST)
    games = FirmwareGames(profile, TABLE, DEFAULT, SEED, most, elf=firmware_elf)
    score = Score()
    for game in count():
        played, heard = games.play_and_listen(game)
        score.add(played)
        assert bool(heard.lost) == bool(LOSING & played.done.keys())
        if score.plies >= PLIES.size:
            break
    assert score.abandoned == 0
    broken = [limit for limit in limits_of_slice(profile) if not limit.is_kept(score.as_json())]
    assert not broken, "\n".join(map(str, score.mistakes))


class Hands:
    """Puts magnets on a board and reads every frame."""

    def __init__(self, firmware: Path, field: Field, settings: Configure | None = None) -> None:
        self.felt: dict[Square, Side] = {}
        self.now = 0
        self.sight = FirmwareSight(self.felt.get, firmware, field, settings=settings)

    def feel(self, where: Square, side: Side | None) -> None:
        if side:
            self.felt[where] = side
        else:
            del self.felt[where]
        self.sight.note(where, self.now)

    def shown(self, where: Square, ms: int) -> list[str]:
        """Advance by `ms` milliseconds. Return the states of a square in all frames."""
        row, column = divmod(where, 10)
        return [frame.board[10 * (9 - row) + column] for frame in self.frames(ms)]

    def frames(self, ms: int) -> list[Frame]:
        frames: list[Frame] = []
        for _ in range(ms // STATE_INTERVAL_MS):
            self.now += STATE_INTERVAL_MS
            self.sight.look(self.now)
            frames += self.sight.heard
        return frames


@pytest.fixture
def hands(firmware_elf: Path) -> Iterator[Hands]:
    at_board = Hands(firmware_elf, Field())
    yield at_board
    at_board.sight.close()


def test_frames_and_latency(hands: Hands) -> None:
    assert hands.shown(E4, 200) == ["."] * 10
    hands.feel(E4, Side.RED)
    assert hands.sight.is_settling
    assert hands.shown(E4, 200)[2:] == ["r"] * 8
    assert hands.sight.at(E4) == "r"
    assert not hands.sight.is_settling
    hands.feel(E4, None)
    hands.feel(E5, Side.BLUE)
    assert hands.shown(E4, 200)[3:] == ["."] * 7
    assert hands.sight.at(E5) == "b"
    assert (hands.sight.statistics.lost, hands.sight.statistics.bad_frames) == (0, 0)


def test_exchanged_piece_on_a_square_is_shown(hands: Hands) -> None:
    hands.feel(E4, Side.RED)
    hands.shown(E4, 200)
    hands.feel(E4, Side.BLUE)
    assert hands.shown(E4, 200)[-1] == "b"


def test_order_of_two_changes_within_a_frame(hands: Hands) -> None:
    for where in (E4, E5):
        hands.feel(where, Side.RED)
    hands.frames(200)
    begun = hands.now
    for where in (E5, E4):
        hands.now += 8
        hands.sight.force(where, ".", hands.now)
    hands.now = begun
    times = [moment for frame in hands.frames(200) for moment in frame.moments]
    (first, one), (second, other) = sorted(times, key=itemgetter(1))
    assert (first, second) == (E5, E4)
    assert 0.003 <= other - one <= 0.013, "a scan takes 5 ms"
    assert 0.008 <= one - begun / 1000 <= 0.04, "the serial line adds its delay"


def test_faint_squares_are_reported(firmware_elf: Path) -> None:
    field = Field()
    field.sensors[E4] = Sensor(sensitivity=0.25)
    hands = Hands(firmware_elf, field)
    hands.feel(E4, Side.RED)
    hands.feel(E5, Side.RED)
    assert hands.frames(200)[-1].faint == 1 << E4
    hands.sight.close()


def test_forced_sensor(hands: Hands) -> None:
    hands.feel(E4, Side.RED)
    hands.shown(E4, 200)
    hands.sight.force(E4, ".", hands.now)
    assert hands.shown(E4, 100)[-1] == "."
    hands.sight.force(E4, "b", hands.now)
    assert hands.shown(E4, 100)[-1] == "b"
    hands.feel(E4, None)
    assert hands.shown(E4, 100)[-1] == "b"
    hands.sight.force(E4, None, hands.now)
    assert hands.shown(E4, 100)[-1] == "."


def test_silent_line_loses_bytes(hands: Hands) -> None:
    hands.shown(E4, 100)
    hands.now += 5
    hands.sight.silence(hands.now, 200)
    hands.feel(E4, Side.RED)
    hands.now -= 5
    assert len(hands.shown(E4, 300)) == 5
    assert hands.sight.at(E4) == "r"
    assert hands.sight.statistics.lost == 10


def test_skipped_time_is_invisible_to_the_board(hands: Hands) -> None:
    hands.shown(E4, 100)
    frames = hands.sight.statistics.frames
    hands.now += 60_000
    hands.sight.skip(hands.now)
    hands.feel(E4, Side.RED)
    assert hands.shown(E4, 100)[-1] == "r"
    assert hands.sight.statistics.frames <= frames + 6


def test_switches_show_presence_of_pieces(firmware_elf: Path) -> None:
    switches = Field([Switch()] * len(SQUARES))
    hands = Hands(firmware_elf, switches, Configure(BoardKind.PRESENCE))
    hands.feel(E4, Side.BLUE)
    assert hands.shown(E4, 200)[-1] == "?"
    assert hands.sight.kind is BoardKind.PRESENCE
    hands.sight.force(E5, "?", hands.now)
    assert hands.shown(E5, 200)[-1] == "?"
    hands.sight.close()
