"""A damaged frame with a correct checksum never becomes an action.

The bytes pass through the frame decoder, the connection, the board inputs and the table. A wrong
image lasts for one frame of 20 ms, which is too short for a turn.
"""

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from companion.core.inputs import Input, TimePassed
from companion.core.table import Table
from companion.devices.live_board import BoardInputs
from engine.board.geometry import SQUARES
from engine.game.actions import Action, Move
from firmware_bridge import wire
from firmware_bridge.image import Image
from firmware_bridge.link import Statistics
from firmware_bridge.link.connection import Connection
from tests.campaigns import Campaign
from tests.companion.core.random_inputs import carried
from tests.companion.core.short_game import SMALL, begun
from tests.firmware_bridge.links import HELLO

FRAMES: Final = Campaign("damaged-frames", part=20_000, whole=1_000_000)
FORGED: Final = Campaign("damaged-frames", part=5, whole=1_000)
"""Number of forged frames. Each shows a different position and has a correct checksum."""
ONE_IN: Final = 1 << 16
"""Roughly one in this many heavily damaged frames has a correct checksum."""
EDITION: Final = replace(SMALL, touch_move=True)
RESTED: Final = 130
"""Number of frames after which every gesture has settled."""


class Cable:
    """A table with a game, and the byte stream from its board."""

    def __init__(self, seed: int = 1) -> None:
        game = begun(EDITION, random.Random(seed), 12)
        self.table = Table(EDITION, seed, game.actions)
        self.game = game
        self.accepted: list[Action] = []
        self._talk = Connection("a board", Statistics(), silent=False, now=0)
        self._inputs = BoardInputs()
        self._encoder = wire.Encoder()
        self.at_ms = 0
        self.hear(self._encoder.encode(HELLO))
        self.rest()
        assert self.table.is_connected
        assert self.table.observed == self.table.expected

    def frame(self, image: Image | None = None) -> bytes:
        """Return the next frame, which shows `image` or, if it is None, the expected image."""
        shown = self.table.expected if image is None else image
        return self.encoded(wire.State(self.at_ms, shown))

    def encoded(self, state: wire.State) -> bytes:
        return self._encoder.encode(state)

    def rest(self, image: Image | None = None, frames: int = RESTED) -> None:
        for _ in range(frames):
            self.hear(self.frame(image))

    def hear(self, data: bytes) -> None:
        """Advance by 20 ms, then receive `data`."""
        self.at_ms += wire.STATE_INTERVAL_MS
        at = self.at_ms / 1000
        heard: list[Input] = [TimePassed(at)]
        for event in self._talk.receive(data, at):
            heard += self._inputs.take(at, event)
        for each in heard:
            self.accepted += self.table.handle(each).actions


def damaged(frame: bytes, chance: random.Random) -> bytes:
    """Overwrite part of a frame with random bytes. The length may change by one byte."""
    start = chance.randrange(len(frame))
    end = chance.choice([len(frame) - 1, chance.randrange(start, len(frame))])
    length = max(1, end - start + chance.choice([0, 0, 0, -1, 1]))
    return frame[:start] + chance.randbytes(length) + frame[end:]


def wrongly_accepted(data: bytes, sent: bytes) -> list[wire.BoardMessage]:
    """Return the decoded messages that the board did not send."""
    if sent in data:
        return []
    found = wire.Decoder(wire.FROM_BOARD).receive(data)
    return [each for each in found if not isinstance(each, wire.BadFrame)]


@FRAMES
def test_damaged_frames_never_become_actions(
    record_property: Callable[[str, object], None],
) -> None:
    chance = random.Random(FRAMES.size)
    cable = Cable()
    wrong: Counter[str] = Counter()
    for _ in range(FRAMES.size):
        sent = cable.frame()
        data = damaged(sent, chance)
        found = wrongly_accepted(data, sent)
        wrong.update(type(each).__name__ for each in found)
        if found:
            cable.hear(data)
            cable.rest(frames=10)
            if not cable.table.is_connected:  # a damaged HELLO named another protocol
                cable = Cable()
    cable.rest()
    record_property("accepted", dict(wrong))
    assert sum(wrong.values()) <= 5 + 3 * FRAMES.size / ONE_IN, wrong
    assert not cable.accepted
    assert cable.table.observed == cable.table.expected


def forged(cable: Cable, chance: random.Random) -> wire.State:
    """Return a frame that shows a turn that was never made, or random squares.

    The times of its changes may fit such a turn.
    """
    expected = cable.table.expected
    turn = chance.choice([each for each in cable.game.legal_moves() if isinstance(each, Move)])
    moved = carried(expected, turn.source, turn.target)
    lifted = Image(expected.red & moved.red, expected.blue & moved.blue)
    anything = chance.getrandbits(100), chance.getrandbits(100)
    image = chance.choice([moved, lifted, Image(anything[0] & ~anything[1], anything[1])])
    at_ms = chance.choice(
        [cable.at_ms, cable.at_ms + wire.STATE_INTERVAL_MS, chance.getrandbits(32)]
    )
    changed = chance.choice([(turn.source, turn.target), (), (chance.choice(SQUARES),)])
    longest = chance.choice([wire.CHANGE_REPORT_MS + 1, 256])
    changes = tuple((each, chance.randrange(longest)) for each in changed)
    return wire.State(at_ms, image, changes, chance.choice([0, chance.getrandbits(100)]))


@FORGED
def test_single_frame_is_no_turn() -> None:
    chance = random.Random(FORGED.size)
    cable = Cable()
    for number in range(FORGED.size):
        cable = cable if number % 10 else Cable(seed=number // 10)
        cable.rest(frames=chance.randrange(3))
        cable.hear(cable.encoded(forged(cable, chance)))
        cable.rest()
        assert not cable.accepted, number
        assert cable.table.observed == cable.table.expected, number


def test_repeated_frame_is_a_turn() -> None:
    """A frame that is repeated for long enough is taken for a turn. The tests above would therefore
    detect a wrongly accepted frame."""
    cable = Cable()
    turn = next(each for each in cable.game.legal_moves() if isinstance(each, Move))
    cable.rest(carried(cable.table.expected, turn.source, turn.target))
    assert turn in cable.accepted
