"""Compare the version in a hex file with the board's firmware."""

import os
from pathlib import Path

import pytest

from companion.diagnostics.firmware_update import Firmware, built_at, is_stale
from tests.companion.diagnostics.hex_files import hex_file

OURS = Firmware((1, 2, 30), 0x00C0FFEE)


@pytest.mark.parametrize("before", [0, 1, 9, 300])
def test_label_is_found_anywhere(before: int) -> None:
    program = b"\xff" * before + b"Boomboard 1.2.30 00c0ffee\0" + b"\x00" * 40
    assert Firmware.in_hex(hex_file(program)) == OURS


@pytest.mark.parametrize("program", [b"", b"Boomboard", b"Boomboard 1.2.30 PRESENCE 1085 mV\0"])
def test_program_without_a_label(program: bytes) -> None:
    assert Firmware.in_hex(hex_file(program)) is None


@pytest.mark.parametrize("text", ["\x7fELF", ":0x", ":00000001FF\nand more"])
def test_other_file_is_no_hex_file(text: str) -> None:
    with pytest.raises(ValueError, match="hex"):
        Firmware.in_hex(text)


def test_label_text() -> None:
    assert str(OURS) == "firmware 1.2.30 (00c0ffee)"


def test_changed_sources_make_it_stale(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    source, makefile = tmp_path / "src" / "main.c", tmp_path / "Makefile"
    built = tmp_path / "boomboard.hex"
    for path in (source, makefile, built):
        path.touch()
        os.utime(path, (0, 1_700_000_000))
    assert not is_stale(built, tmp_path)
    for path in (source, makefile):
        os.utime(path, (0, 1_700_000_001))
        assert is_stale(built, tmp_path)
        os.utime(path, (0, 1_700_000_000))
    assert built_at(built).startswith("2023-11-1")
