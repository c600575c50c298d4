"""Recording of a hand-played game: all frames, and the players' commands."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from engine.rules.editions import DEFAULT
from firmware_bridge.image import Image
from firmware_bridge.wire import STATE_INTERVAL_MS, BoardKind, Encoder, Hello, ResetCause, State
from tests.hands.responses import Line
from tests.hands.runner import Campaign

PLIES: Final = 40
HELLO: Final = Hello((0, 0, 0), BoardKind.COLOURS, ResetCause.POWER_ON, 0)
_HANDS: Final = "normal"


@dataclass(frozen=True)
class Shot:
    """An input and its time: bytes from the board, or a line from the players."""

    at: float
    data: bytes = b""
    line: Line | None = None


@dataclass(frozen=True)
class Film:
    """All input in a game, including unchanged frames."""

    shots: tuple[Shot, ...]

    @property
    def seconds(self) -> float:
        """Duration of the game in seconds."""
        return self.shots[-1].at

    @classmethod
    def record(cls, referee: str, plies: int = PLIES) -> "Film":
        """Record a game between typical simulated players. Every call records the same game."""
        lines: list[Line] = []
        Campaign(_HANDS, referee, DEFAULT, most=plies).play(0, lines.append)
        encoder = Encoder()
        greeting = Shot(0.0, encoder.encode(HELLO))
        return cls((greeting, *(_shot(line, encoder) for line in _gapless(lines))))


def _gapless(lines: list[Line]) -> Iterator[Line]:
    """Yield the lines, and insert the unchanged frames that the lines omit."""
    at, shown = 0, ""
    for line in lines:
        now = round(1000 * line["at"])
        while shown and now - at > STATE_INTERVAL_MS:
            at += STATE_INTERVAL_MS
            yield {"at": at / 1000, "board": shown}
        if "board" in line:
            at, shown = now, line["board"]
        yield line


def _shot(line: Line, encoder: Encoder) -> Shot:
    if "board" not in line:
        return Shot(line["at"], line=line)
    state = State(round(1000 * line["at"]), Image.of_tokens(line["board"]))
    return Shot(line["at"], encoder.encode(state))
