"""Use ``boomboard decode`` to decode captures from files and a pipe, as text and as JSON."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.cli import main
from engine.board.geometry import Side, square
from firmware_bridge import wire
from firmware_bridge.image import Image

DECODE = [sys.executable, "-m", "companion", "decode"]
UP = Image(red=Side.RED.home, blue=Side.BLUE.home)
LIFTED = Image(red=Side.RED.home & ~(1 << square("e4")), blue=Side.BLUE.home)
LIFT = [wire.State(0, UP), wire.State(20, UP), wire.State(40, UP), wire.State(60, LIFTED)]
LIFT_IN_WORDS = """\
       0  number 0: STATE at 0 ms, red on a1 to k4, blue on a7 to k10
          … 2 more STATE, nothing changed
     108  number 3: STATE at 60 ms, e4 is empty
"""

Keep = Callable[..., Path]


def encode(*sent: wire.BoardMessage | wire.HostCommand) -> list[bytes]:
    return list(map(wire.Encoder().encode, sent))


@pytest.fixture
def keep(tmp_path: Path) -> Keep:
    def keep(*data: bytes, name: str = "capture") -> Path:
        path = tmp_path / name
        path.write_bytes(b"".join(data))
        return path

    return keep


def decode(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str]:
    code = main(["decode", *map(str, arguments)])
    captured = capsys.readouterr()
    assert captured.err == ""
    return code, captured.out


def decode_json(
    capsys: pytest.CaptureFixture[str], *arguments: object
) -> tuple[int, list[dict[str, Any]]]:
    code, out = decode(capsys, "--json", *arguments)
    return code, [json.loads(line) for line in out.splitlines()]


def refusal(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    """Return the error message: a single sentence on standard error, with exit code 2."""
    assert main(["decode", *map(str, arguments)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("boomboard: ")
    assert line.endswith(".")
    return line.removeprefix("boomboard: ")


def test_good_capture(capsys: pytest.CaptureFixture[str], keep: Keep) -> None:
    assert decode(capsys, keep(*encode(*LIFT))) == (
        0,
        LIFT_IN_WORDS + "Frames: 4 good, 0 bad, 0 lost; 50.0 STATE a second by the board's clock\n",
    )


def test_all_states(capsys: pytest.CaptureFixture[str], keep: Keep) -> None:
    code, out = decode(capsys, "--all", keep(*encode(*LIFT)))
    assert (code, out.count("number ")) == (0, len(LIFT))
    assert out.count("nothing changed") == 2


def test_lost_frame(capsys: pytest.CaptureFixture[str], keep: Keep) -> None:
    frames = encode(*LIFT)
    code, out = decode(capsys, keep(*frames[:2], frames[3]))
    assert code == 1
    assert "\n          1 frame lost, number 2\n" in out
    assert out.endswith(
        "\nFrames: 3 good, 0 bad, 1 lost; 33.3 STATE a second by the board's clock\n"
    )


def test_damaged_frame(capsys: pytest.CaptureFixture[str], keep: Keep) -> None:
    code, out = decode(capsys, keep(*encode(*LIFT), b"\x05abcd\0"))
    assert code == 1
    assert "     144  bad frame, the checksum does not match: 05 61 62 63 64\n" in out
    assert "Frames: 4 good, 1 bad, 0 lost" in out


def test_frames_at_the_edges_may_be_cut(capsys: pytest.CaptureFixture[str], keep: Keep) -> None:
    code, out = decode(capsys, keep(b"".join(encode(*LIFT))[7:-7]))
    assert code == 0
    assert "Frames: 2 good, 0 bad, 0 lost, 2 cut by the start or end of the capture" in out


def test_several_captures(capsys: pytest.CaptureFixture[str], keep: Keep) -> None:
    first, second = (
        keep(*encode(*LIFT), name="first"),
        keep(*encode(wire.Identify()), name="second"),
    )
    code, out = decode(capsys, first, second)
    assert code == 0
    assert out.startswith(f"{first}:\n{LIFT_IN_WORDS}Frames: 4 good")
    assert out.endswith(
        f"\n{second}:\n       0  number 0: IDENTIFY\nFrames: 1 good, 0 bad, 0 lost\n"
    )
    bad = keep(*encode(wire.Identify()), b"\x05abcd\0", name="bad")
    assert decode(capsys, bad, first)[0] == 1, "the exit code is that of the worst capture"


@pytest.mark.parametrize(
    ("message", "kind", "fields"),
    [
        (
            wire.Hello((1, 2, 3), wire.BoardKind.COLOURS, wire.ResetCause(12), 0x2A),
            "HELLO",
            {
                "firmware": [1, 2, 3],
                "kind": "colours",
                "reset_cause": ["brown_out", "watchdog"],
                "calibration": "002A",
                "geometry": "by_hand",
                "build": "00000000",
            },
        ),
        (
            wire.Hello((1, 2, 3), wire.BoardKind.PRESENCE, wire.ResetCause(0), 0),
            "HELLO",
            {
                "firmware": [1, 2, 3],
                "kind": "presence",
                "reset_cause": [],
                "calibration": None,
                "geometry": "by_hand",
                "build": "00000000",
            },
        ),
        (
            wire.Configured(
                wire.ConfigureResult.ACCEPTED,
                wire.BoardSettings(wire.BoardKind.COLOURS, wire.Geometry.TILES, 17, 1100),
            ),
            "CONFIGURED",
            {
                "result": "accepted",
                "settings": {
                    "kind": "colours",
                    "geometry": "tiles",
                    "on_per_cent": 17,
                    "band_gap_mv": 1100,
                },
            },
        ),
        (
            wire.Configure(geometry=wire.Geometry.TILES),
            "CONFIGURE",
            {"kind": None, "geometry": "tiles", "on_per_cent": None, "band_gap_mv": None},
        ),
        (wire.ForeignHello(1, b"\x09\x0a"), "HELLO", {"protocol": 1, "rest": "09 0a"}),
        (
            wire.State(20, Image(red=1, blue=1 << 34, unknown=1 << 99), ((1, 17), (0, 9)), 1 << 34),
            "STATE",
            {
                "at_ms": 20,
                "image": {"red": ["a1"], "blue": ["e4"], "unknown": ["k10"]},
                "changed": {"b1": 17, "a1": 9},
                "faint": ["e4"],
            },
        ),
        (
            wire.Fault(wire.FaultCode.DRIFT, square("a1"), 300),
            "FAULT",
            {"code": "drift", "square": "a1", "value": 300},
        ),
        (
            wire.Fault(wire.FaultCode.LOW_SUPPLY, None, 4650),
            "FAULT",
            {"code": "low_supply", "square": None, "value": 4650},
        ),
        (
            wire.Raw(2, (500,) * wire.CHANNELS),
            "RAW",
            {"multiplexer": 2, "readings": [500] * wire.CHANNELS},
        ),
        (
            wire.CalibrationReply(
                wire.CalibrationStep.ARMIES,
                {wire.CalibrationResult.WEAK: 1 << 34, wire.CalibrationResult.MISSING: 1},
            ),
            "LEARNED",
            {"step": "armies", "results": {"weak": ["e4"], "missing": ["a1"]}},
        ),
        (wire.Status(4985), "STATUS", {"supply_mv": 4985}),
        (
            wire.FieldReadings(2, (4,) * wire.FELT_SQUARES),
            "FELT",
            {"band": 2, "shares": [4] * wire.FELT_SQUARES},
        ),
        (wire.RequestField(), "SEND_FELT", {}),
        (wire.Identify(), "IDENTIFY", {}),
        (wire.RequestRaw(), "SEND_RAW", {}),
        (wire.Calibrate(wire.CalibrationStep.SAVE), "LEARN", {"step": "save"}),
        (wire.Lamps(1 << 34), "LAMPS", {"squares": ["e4"]}),
    ],
)
def test_frame_as_json(
    capsys: pytest.CaptureFixture[str],
    keep: Keep,
    message: wire.BoardMessage | wire.HostCommand,
    kind: str,
    fields: dict[str, Any],
) -> None:
    (frame,) = encode(message)
    path = keep(frame)
    code, [shown, summary] = decode_json(capsys, path)
    assert code == 0
    assert shown.pop("meaning").startswith(kind)
    assert shown == {
        "file": str(path),
        "offset": 0,
        "from": "computer" if isinstance(message, wire.HostCommand) else "board",
        "type": kind,
        "number": 0,
        "lost": 0,
        "flaw": None,
        "fields": fields,
        "bytes": frame[:-1].hex(" "),
    }
    assert summary == {
        "file": str(path),
        "frames": 1,
        "bad": 0,
        "lost": 0,
        "cut": 0,
        "states_per_second": None,
    }


def test_damage_as_json(capsys: pytest.CaptureFixture[str], keep: Keep) -> None:
    frames = encode(*LIFT)
    unknown = wire.build_frame(b"\x09\x05")
    code, shown = decode_json(
        capsys, keep(frames[0][5:], *frames[1:3], b"\x05abcd\0", unknown, frames[3][:9])
    )
    *found, summary = shown
    keys = ("offset", "from", "type", "number", "lost", "flaw")
    assert code == 1
    assert [tuple(each[key] for key in keys) for each in found] == [
        (0, None, None, None, 0, "at_start"),
        (31, "board", "STATE", 1, 0, None),
        (67, "board", "STATE", 2, 0, None),
        (103, None, None, None, 0, "bad_checksum"),
        (109, "board", "0x09", 5, 2, "unknown_type"),
        (115, None, None, None, 0, "at_end"),
    ]
    assert all(each["fields"] is None for each in found if each["flaw"])
    assert [summary[key] for key in ("frames", "bad", "lost", "cut")] == [2, 2, 2, 2]
    assert summary["states_per_second"] == 50.0


def test_unopenable_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert refusal(capsys, tmp_path / "none") == (
        f"{tmp_path / 'none'} cannot be read (No such file or directory); choose another file."
    )
    assert "(Is a directory)" in refusal(capsys, tmp_path)
    assert "null" in refusal(capsys, "a\0b")


@pytest.mark.parametrize("data", [b"", b"\0\0", b"Dear Sir,\n", b"a" * 10_000])
def test_file_without_frames(capsys: pytest.CaptureFixture[str], keep: Keep, data: bytes) -> None:
    path = keep(data)
    assert refusal(capsys, path) == (
        f"{path} contains no frames from a board; record a capture with “boomboard doctor "
        "--capture FILE”."
    )


@pytest.mark.parametrize("arguments", [[], ["-"]])
def test_capture_from_standard_input(arguments: list[str]) -> None:
    done = subprocess.run(
        [*DECODE, *arguments],
        input=b"".join(encode(*LIFT)),
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode().startswith(LIFT_IN_WORDS)


def test_empty_standard_input() -> None:
    done = subprocess.run(DECODE, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    assert done.returncode == 2
    assert done.stderr.decode().startswith("boomboard: The input contains no frames from a board")


def test_frames_are_shown_at_once() -> None:
    with subprocess.Popen(
        DECODE,
        bufsize=0,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=os.environ | {"PYTHONUNBUFFERED": "1"},
    ) as process:
        assert process.stdin
        assert process.stdout
        for frame in encode(wire.Status(5000), wire.Status(4999)):
            process.stdin.write(frame)
            assert b"STATUS, the supply is at" in process.stdout.readline()
        process.stdin.close()
        assert process.stdout.readline() == b"Frames: 2 good, 0 bad, 0 lost\n"
        assert process.wait() == 0


def test_closed_pipe_is_no_error(keep: Keep) -> None:
    path = keep(*encode(*(wire.State(20 * n, UP if n % 2 else LIFTED) for n in range(20_000))))
    with subprocess.Popen(
        [*DECODE, str(path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout
        assert process.stderr
        assert b"number 0: STATE" in process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 1


def test_help_names_the_default(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["decode", "--help"])
    assert "a capture, or - for standard input (the default)" in capsys.readouterr().out
