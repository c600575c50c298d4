"""Tests that the emulated microcontroller complies with the data sheet, even where libsimavr does
not."""

import struct
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from hardware.emulator import library

Power = Callable[..., library.Microcontroller]
BYTE_CYCLES = 640
"""Number of cycles per byte: ten bits at 250000 baud and 16 MHz."""
LEVELS = [300.0 + channel for channel in range(library.CHANNELS)]
ERASED = b"\xff" * library.EEPROM_BYTES


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Return a function that compiles a small firmware program from hardware/emulator/tests."""
    folder = tmp_path_factory.mktemp("firmware")

    def compile_source(name: str) -> Path:
        elf = folder / f"{name}.elf"
        if not elf.exists():
            source = library.HERE / "tests" / f"{name}.c"
            options = "-std=gnu11 -Os -Wall -Wextra -Werror -mmcu=atmega328p -DF_CPU=16000000UL"
            subprocess.run(["avr-gcc", *options.split(), source, "-o", elf], check=True)
        return elf

    return compile_source


@pytest.fixture
def power(tiny: Callable[[str], Path]) -> Power:
    """Return a function that powers on a board with a small firmware program."""

    def start(name: str, seed: int = 0) -> library.Microcontroller:
        board = library.Microcontroller(tiny(name), seed)
        board.set_levels(LEVELS)
        board.set_supply(5000)
        board.run_until(100 * library.CYCLES_PER_MICROSECOND)  # by then, the firmware is listening
        return board

    return start


def run(board: library.Microcontroller, microseconds: int) -> bytes:
    board.run_until(board.cycle + microseconds * library.CYCLES_PER_MICROSECOND)
    return bytes(byte for byte, _ in board.receive())


def readings(board: library.Microcontroller, wait_us: int) -> list[int]:
    board.send(bytes([wait_us]))
    return list(struct.unpack(f"<{library.CHANNELS}H", run(board, 20_000)))


# Sensors and ADC


def test_channels_are_read_correctly(power: Power) -> None:
    with power("scan") as board:
        assert readings(board, wait_us=10) == LEVELS


@pytest.mark.parametrize("millivolts", [4500, 5000, 5250])
def test_readings_are_ratiometric(power: Power, millivolts: int) -> None:
    with power("scan") as board:
        board.set_supply(millivolts)
        assert readings(board, wait_us=10) == LEVELS


def test_multiplexer_settling(power: Power) -> None:
    with power("scan") as board:
        board.set_levels([800.0 if channel % 2 else 200.0 for channel in range(library.CHANNELS)])
        hasty, patient = readings(board, wait_us=0), readings(board, wait_us=10)
    assert set(patient) == {200, 800}
    assert all(200 < reading < 800 for reading in hasty[1:])


def test_noise_amplitude(power: Power) -> None:
    with power("scan") as board:
        board.set_levels([500.0] * library.CHANNELS)
        board.set_noise(4)
        found = [reading - 500 for _ in range(10) for reading in readings(board, wait_us=5)]
    assert abs(sum(found) / len(found)) < 0.5
    assert 3.6 < (sum(each**2 for each in found) / len(found)) ** 0.5 < 4.4


def test_conversion_samples_at_its_start(power: Power) -> None:
    with power("converter") as board:
        first, second, *_ = struct.unpack("<4HBB", run(board, 2000))
    # The first result comes from input 0 of pin 0, although input 3 of pin 1 is already selected
    # when the result is read.
    assert first == 300
    assert second == 300 + 16 + 3


def test_band_gap_settling(power: Power) -> None:
    with power("converter") as board:
        _, before, hasty, patient, *_ = struct.unpack("<4HBB", run(board, 2000))
    assert patient == round(1100 / 5000 * 1024)
    assert patient < hasty <= before


def test_converter_flag_is_cleared_by_writing_one(power: Power) -> None:
    with power("converter") as board:
        *_, before, after = struct.unpack("<4HBB", run(board, 2000))
    assert before & 0x10
    assert not after & 0x10


# The serial port


def test_byte_takes_ten_bits(power: Power) -> None:
    with power("scan") as board:
        board.send(b"\x00")
        board.run_until(board.cycle + 20_000 * library.CYCLES_PER_MICROSECOND)
        cycles = [cycle for _, cycle in board.receive()]
    pairs = [after - before for before, after in zip(cycles[::2], cycles[1::2], strict=True)]
    assert set(pairs) == {BYTE_CYCLES}


def test_serial_echo_with_interrupts_and_sleep(power: Power) -> None:
    with power("echo") as board:
        data = bytes(range(1, 201))
        board.send(data)
        start = board.cycle
        board.run_until(start + 20_000 * library.CYCLES_PER_MICROSECOND)
        echo = board.receive()
    assert bytes(byte for byte, _ in echo) == data
    late = {cycle - start - number * BYTE_CYCLES for number, (_, cycle) in enumerate(echo)}
    assert max(late) < 2 * BYTE_CYCLES + 100


@pytest.mark.parametrize(
    ("sent", "kept"), [(b"a", b"a"), (b"ab", b"ab"), (b"abc", b"abc"), (b"abcdefgh", b"abh")]
)
def test_receive_buffer_overrun(power: Power, sent: bytes, kept: bytes) -> None:
    with power("deaf") as board:
        board.send(sent)
        data = run(board, 4000)
    assert data[:1] == b"!"
    status, read = data[1::2], data[2::2]
    assert read == kept
    assert bool(status[0] & 0x08) == (sent != kept)


def test_wrong_baud_rate(tiny: Callable[[str], Path]) -> None:
    with library.Microcontroller(tiny("slow")) as board:
        board.set_supply(5000)
        board.run_until(100 * library.CYCLES_PER_MICROSECOND)
        board.send(b"ab")
        data = run(board, 2000)
    assert len(data) == 3
    assert data[0] != ord("!")
    assert data[1:] != b"ab"


# Power, resets, watchdog and EEPROM


def test_reset_cause_and_memory(
    power: Power,
) -> None:
    with power("memory") as board:
        cause, scrambled, eeprom = run(board, 1000)
        assert (cause, eeprom) == (1, 0xFF)
        board.send(b"c")
        run(board, 1000)
        board.reset()
        assert run(board, 1000) == b"\x02\xc3\xff"
        board.send(b"w")
        assert run(board, 10_000) == b""
        assert run(board, 10_000) == b"\x08\xc3\xff"
        board.set_supply(2500)
        assert run(board, 1000) == b""
        board.set_supply(5000)
        assert run(board, 1000) == b"\x04\xc3\xff"
        board.set_supply(0)
        run(board, 1000)
        board.set_supply(5000)
        cause, scrambled_again, _ = run(board, 1000)
    assert cause == 1
    assert scrambled_again not in (0xC3, scrambled)


@pytest.mark.parametrize(("command", "asked"), [(b"r", b"!"), (b"d", b"")])
def test_watchdog_interrupts_then_resets(power: Power, command: bytes, asked: bytes) -> None:
    with power("guard") as board:
        assert run(board, 1000) == b"\x01"
        board.send(command)
        assert run(board, 15_000) == b""
        assert run(board, 16_000) == asked
        assert run(board, 2_000) == b"\x08"


def test_watchdog_interrupt_restarts_the_firmware(power: Power) -> None:
    with power("guard") as board:
        run(board, 1000)
        for _ in range(100):
            board.send(b"s")
            assert run(board, 20_000) == b"!\x00"


def test_boot_loader_hides_the_reset_cause(power: Power) -> None:
    with power("memory") as board:
        board.set_boot_loader(True)
        run(board, 1000)
        board.send(b"c")
        run(board, 1000)
        board.reset()
        assert run(board, 1000) == b"\x00\xc3\xff"


def test_eeprom_write_time(power: Power) -> None:
    with power("memory") as board:
        run(board, 1000)
        board.send(b"e")
        (microseconds,) = struct.unpack("<H", run(board, 5000))
        assert 3390 <= microseconds <= 3400
        assert board.eeprom == b"\x5a" + ERASED[1:]


def test_reset_during_an_eeprom_write(power: Power) -> None:
    with power("memory") as board:
        run(board, 1000)
        board.send(b"e")
        run(board, 1000)
        assert board.eeprom == ERASED
        board.reset()
        assert run(board, 1000) == bytes([2, run_kept(board), 0x5A])


def run_kept(board: library.Microcontroller) -> int:
    """Reset the board. Return the value that has survived the reset."""
    board.reset()
    return run(board, 1000)[1]


def test_power_cut_corrupts_an_eeprom_byte(power: Power) -> None:
    left = set()
    for microseconds in range(20, 3700, 40):
        with power("memory", seed=microseconds) as board:
            board.eeprom = b"\x00" * library.EEPROM_BYTES
            run(board, 1000)
            board.send(b"e")
            run(board, microseconds)
            board.set_supply(0)
            left.add(board.eeprom[0])
            assert board.eeprom[1:] == b"\x00" * (library.EEPROM_BYTES - 1)
    assert {0x00, 0x5A} < left  # values before the write begins and after it ends
    assert len(left) > 10


def test_hung_firmware_needs_a_reset(power: Power) -> None:
    with power("memory") as board:
        run(board, 1000)
        board.hang()
        board.send(b"e")
        assert run(board, 100_000) == b""
        board.reset()
        assert run(board, 1000)[0] == 2
        board.send(b"e")
        assert len(run(board, 5000)) == 2


def test_sleeping_firmware_has_stopped(tiny: Callable[[str], Path]) -> None:
    with library.Microcontroller(tiny("stop")) as board:
        board.set_supply(5000)
        with pytest.raises(library.StoppedError):
            run(board, 1000)


def test_invalid_firmware_is_refused() -> None:
    with pytest.raises(ValueError, match="is not a firmware image"):
        library.Microcontroller(Path(__file__))


# Reproducibility


def test_emulator_is_deterministic(power: Power) -> None:
    def once(seed: int, step_us: int) -> list[tuple[int, int]]:
        with power("scan", seed) as board:
            board.set_noise(3)
            board.send(b"\x05")
            for _ in range(20_000 // step_us):
                board.run_until(board.cycle + step_us * library.CYCLES_PER_MICROSECOND)
            return board.receive()

    first = once(seed=1, step_us=20_000)
    assert once(seed=1, step_us=20_000) == first
    assert once(seed=1, step_us=50) == first
    assert once(seed=2, step_us=20_000) != first


def test_boards_are_independent(power: Power) -> None:
    with power("scan") as alone:
        alone.set_noise(3)
        expected = readings(alone, wait_us=5)
    with power("scan") as one, power("scan", 7) as other:
        one.set_noise(3)
        other.set_noise(9)
        one.send(b"\x05")
        other.send(b"\x07")
        data = b""
        for _ in range(200):
            data += run(one, 100)
            run(other, 130)
    assert list(struct.unpack(f"<{library.CHANNELS}H", data)) == expected
