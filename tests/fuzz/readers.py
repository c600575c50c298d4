"""Readers of untrusted input: received files, files stored next to the games, and data from cables.

Each reader parses the whole input, and then does what the program would do next. Invalid input is
rejected with documented exceptions.
"""

import gzip
import json
import re
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path
from typing import Final

from companion.cli import main
from companion.commands.table import answers
from companion.diagnostics.firmware_update import SHIPPED, Firmware
from companion.hall.console.console import POLICY
from companion.jsonl.table_process import TableProcess
from companion.session.settings import SettingsFile
from companion.setups.openings_file import FILE as SEALS
from companion.setups.openings_file import Openings
from companion.setups.setup import FILE, SavedSetups, preset_setups
from companion.storage.printed_pieces import FILE as PRINTED
from companion.storage.printed_pieces import PrintedPieces
from companion.storage.records import LARGEST, as_transcript, read_record, sample_game
from engine.board import NotationError
from engine.board.geometry import Side
from engine.board.ranks import ORIGINAL
from engine.game.clocks import NO_CLOCK, TimeControl
from engine.game.referee import Referee
from engine.records.record_files import write_transcript
from engine.rules.editions import DEFAULT
from firmware_bridge.image import Image
from firmware_bridge.wire import FROM_BOARD, Decoder, Encoder, State
from tests.companion.core.game_lines import GameLines
from tests.engine.gravon import as_gsn
from tests.fuzz import network_readers as network
from tests.fuzz import tournament_readers as cup

ROOT: Final = Path(__file__).parents[2]
FOUND: Final = Path(__file__).parent / "found"
"""Inputs that made a reader fail, in one folder per reader."""
KNOWN: Final = ROOT / "companion" / "setups" / FILE
PIECES: Final = b'{"game": 1, "printed": {"a1": "S", "b1": "9"}}'
LARGEST_PACKET: Final = 65_536
"""Maximum size of a packet from the broker, in bytes."""
CASES: Final = ROOT / "tests" / "companion" / "recorder" / "cases"


@dataclass(frozen=True, slots=True)
class Reader:
    name: str
    read: Callable[[bytes], object]
    examples: Callable[[], Sequence[bytes]]
    """Valid inputs from which a search starts."""
    refused: tuple[type[Exception], ...] = ()
    """Exceptions that the reader is documented to raise. Most readers report errors in another
    way."""
    largest: int = 4_000_000
    """Maximum size in bytes of an input to which the time and memory limits apply. For streams, the
    maximum is lower, but higher than what can arrive in two seconds."""

    def __call__(self, data: bytes) -> None:
        """Read the input, suppressing only documented exceptions."""
        with suppress(*self.refused):
            self.read(data)


@contextmanager
def written(data: bytes, name: str) -> Iterator[Path]:
    """Write a file with the given name and contents to a temporary folder."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(data)
        yield path


def by_command(*words: str) -> Callable[[bytes], None]:
    """Return a reader that passes its input to a command as a file."""

    def read(data: bytes) -> None:
        with (
            written(data, "sent") as path,
            redirect_stdout(TextIOWrapper(BytesIO())),
            redirect_stderr(StringIO()),
        ):
            main([*words, str(path)])

    return read


def read_table_lines(data: bytes) -> None:
    for _ in answers(TableProcess(DEFAULT, 1, NO_CLOCK, None), data.splitlines()):
        pass


def read_table_line(data: bytes) -> None:
    for _ in answers(TableProcess(DEFAULT, 1, NO_CLOCK, None), [data]):
        pass


def read_trace_lines(data: bytes) -> None:
    """Replay, show and strip a trace that consists of the given lines."""
    packed = gzip.compress(data, 1)
    for what in ("replay", "show", "strip"):
        by_command("trace", what)(packed)


def read_settings(data: bytes) -> None:
    with written(data, "settings.json") as path:
        SettingsFile(path)


def read_setups(data: bytes) -> None:
    with written(data, "setups.txt") as path:
        SavedSetups(path)


def read_seals(data: bytes) -> None:
    with written(data, SEALS) as path:
        Openings(path)


def read_printed(data: bytes) -> None:
    """Look up the printed ranks of a game on the simulated board."""
    with written(data, PRINTED) as path:
        PrintedPieces(path.with_name("games.sqlite")).of(1, 0b11, "2026-11-25T12:00:00Z")


def read_tournament(data: bytes) -> None:
    with written(data, "cup.jsonl") as path:
        cup.read_file(path)


def read_cable(data: bytes) -> None:
    """Receive a board's data in chunks of seven bytes."""
    decoder = Decoder(FROM_BOARD)
    for start in range(0, len(data), 7):
        decoder.receive(data[start : start + 7])


def read_firmware(data: bytes) -> None:
    Firmware.in_hex(data.decode("ascii"))


def read_clock(data: bytes) -> None:
    TimeControl.parse(data.decode())


def read_position(data: bytes) -> None:
    """Start a game from a position in text form, and play one turn."""
    game = Referee.from_text(data.decode())
    assert game.to_text() == data.decode()
    for turn in game.legal_moves()[:1]:
        game.apply(turn)


def positions() -> list[bytes]:
    """Return the example positions in docs/positions.md and docs/position_examples.txt."""
    files = ("docs/positions.md", "docs/position_examples.txt")
    examples = "".join((ROOT / file).read_text(encoding="utf-8") for file in files)
    return [text.encode() for text in re.findall(r"^; .*\n(.*)$", examples, re.MULTILINE)]


def records() -> list[bytes]:
    """Return a game in each record format."""
    with sample_game() as path:
        xml = path.read_bytes()
        transcript = write_transcript(as_transcript(read_record(path), DEFAULT))
    chase = ROOT / "tests" / "engine" / "chase" / "barrage-game12.txt"
    return [xml, as_gsn(xml), chase.read_bytes(), transcript.encode()]


def traces() -> list[bytes]:
    """Return the four shortest trace files."""
    packed = sorted((path.read_bytes() for path in CASES.glob("*.gz")), key=len)
    return [*map(gzip.decompress, packed[:4])]


def captures() -> list[bytes]:
    """Return the first frame of a board, and the frame after a piece has been lifted."""
    encoder = Encoder()
    states = [State(at_ms, Image(red, blue=0b1)) for at_ms, red in ((20, 0b110), (40, 0b100))]
    return [b"".join(encoder.encode(state) for state in states)]


def table_lines() -> list[bytes]:
    """Return a game with one move by each side and an attack that needs confirmation."""
    lines = GameLines.begun()
    lines.play("e4-e5 e7-e6")
    lines.lift("e6")
    return ["\n".join(map(json.dumps, lines.given)).encode()]


def settings() -> list[bytes]:
    """Return a settings file with some values changed."""
    with written(b"{}", "settings.json") as path:
        file = SettingsFile(path)
        file.settings.reduced_motion, file.settings.names, file.settings.code = (
            True,
            ("Ada", "Bob"),
            "0417",
        )
        file.keep()
        return [path.read_bytes()]


def seals() -> list[bytes]:
    """Return a file with the openings of one sealed army for each side."""
    with written(b"[]", SEALS) as path:
        for side in Side:
            Openings(path).seal(side, preset_setups(ORIGINAL)[0].setup)
        return [path.read_bytes()]


READERS: Final = {
    each.name: each
    for each in (
        Reader("record", by_command("adjudicate"), records, largest=LARGEST),
        Reader("position", read_position, positions, (NotationError, UnicodeDecodeError)),
        Reader("trace", read_trace_lines, traces, largest=100_000),
        Reader("packed", by_command("trace", "show"), lambda: [*map(gzip.compress, traces())]),
        Reader("capture", by_command("decode"), captures, largest=1_000_000),
        Reader("cable", read_cable, captures, largest=1_000_000),
        Reader("table", read_table_lines, table_lines, largest=100_000),
        Reader("line", read_table_line, lambda: table_lines()[0].splitlines()[:2]),
        Reader("settings", read_settings, settings),
        Reader("setups", read_setups, lambda: [KNOWN.read_bytes()]),
        Reader("seals", read_seals, seals),
        Reader("printed", read_printed, lambda: [PIECES]),
        Reader("firmware", read_firmware, lambda: [SHIPPED.read_bytes()], (ValueError,)),
        Reader("pad-body", network.read_pad_body, network.pad_bodies, largest=100_000),
        Reader("pad-message", network.read_pad_message, network.pad_messages, largest=512),
        Reader("item", network.read_item_packet, network.item_packets, largest=LARGEST_PACKET),
        Reader(
            "hall-word", network.read_hall_word, network.hall_words, (ValueError,), LARGEST_PACKET
        ),
        Reader("order", network.read_signed_order, network.orders, largest=LARGEST_PACKET),
        Reader("request", network.read_request, network.requests, largest=POLICY.body_size),
        Reader("tournament", read_tournament, cup.files),
        Reader("trf", cup.read_other_program, cup.other_programs, cup.REFUSED),
        Reader("players", cup.read_list, cup.lists, cup.REFUSED),
        Reader("clock", read_clock, lambda: [b"15+10,whole=60,setup=5"], (ValueError,)),
    )
}
