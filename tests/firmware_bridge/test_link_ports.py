"""Tests for choosing a port and for errors when opening it."""

import os
import stat
from pathlib import Path
from queue import Queue

import pytest
import serial
from serial.tools.list_ports import comports
from serial.tools.list_ports_common import ListPortInfo

from firmware_bridge.link import (
    Connected,
    LinkError,
    LinkErrorKind,
    PortSearch,
    candidates,
    find_ports,
    stable_name,
)
from firmware_bridge.simulated_board.board import SimulatedBoard
from firmware_bridge.simulated_board.port import PseudoTerminal, SimulatedPort
from firmware_bridge.wire import BoardKind
from tests.firmware_bridge.links import SHORT, Finder, Links, Listener, device

NOBODY = 65534


def usb_port(name: str, vid: int | None, pid: int | None) -> ListPortInfo:
    port = ListPortInfo(name)
    port.vid, port.pid = vid, pid
    return port


def test_nano_adapters_are_candidates() -> None:
    ports = [
        usb_port("/dev/ttyUSB2", 0x1A86, 0x7523),  # CH340
        usb_port("/dev/ttyACM1", 0x1A86, 0x55D4),  # CH9102
        usb_port("/dev/ttyUSB0", 0x0403, 0x6001),  # FTDI
        usb_port("/dev/ttyUSB1", 0x10C4, 0xEA60),  # CP210x
        usb_port("/dev/ttyACM0", 0x2341, 0x0043),  # Arduino
        usb_port("/dev/ttyACM2", 0x2A03, 0x0001),  # Arduino.org, a separate company
        usb_port("/dev/ttyUSB3", 0x0403, 0x6015),  # another FTDI chip
        usb_port("/dev/ttyUSB4", 0x067B, 0x7523),  # another vendor
        usb_port("/dev/ttyS0", None, None),  # not a USB port
    ]
    assert candidates(ports) == [
        "/dev/ttyACM0",
        "/dev/ttyACM2",
        "/dev/ttyACM1",
        "/dev/ttyUSB0",
        "/dev/ttyUSB1",
        "/dev/ttyUSB2",
    ]


def test_ports_are_enumerated() -> None:
    assert set(find_ports()) <= {port.device for port in comports()}


def test_missing_board_is_reported_once(links: Links, listener: Listener) -> None:
    finder = Finder()
    links.start(None, find=finder.find)
    assert listener.next_error() == (LinkErrorKind.NO_BOARD, None)
    finder.wait_for_three_searches()
    assert listener.rest() == []


def test_failed_search_finds_no_board(links: Links, listener: Listener) -> None:
    def find() -> list[str]:
        raise OSError("the adapter has just been unplugged")

    links.start(None, find=find)
    assert listener.next() == LinkError(
        LinkErrorKind.NO_BOARD, None, "the adapter has just been unplugged"
    )


def test_search_tries_all_ports(links: Links, listener: Listener, port: SimulatedPort) -> None:
    finder = Finder("/dev/no-such-port")
    links.start(None, find=finder.find)
    assert listener.next_error() == (LinkErrorKind.NO_SUCH_PORT, "/dev/no-such-port")
    finder.wait_for_three_searches()
    finder.ports.append(str(port.path))
    assert listener.next() == Connected(str(port.path), port.hello, ("/dev/no-such-port",))


def test_a_board_found_elsewhere_after_unplugging(
    links: Links, listener: Listener, port: SimulatedPort
) -> None:
    finder = Finder(str(port.path))
    link = links.start(None, find=finder.find)
    assert listener.next() == Connected(str(port.path), port.hello)
    finder.ports.clear()
    port.unplug()
    assert listener.next_error() == (LinkErrorKind.UNPLUGGED, str(port.path))
    finder.wait_for_three_searches()
    assert listener.rest() == []  # a missing board is not reported twice
    with SimulatedPort(SimulatedBoard(BoardKind.PRESENCE)) as other:
        finder.ports.append(str(other.path))
        assert listener.next() == Connected(str(other.path), other.hello)
        link.stop()


def test_adapter_without_a_board_is_opened_once(links: Links, listener: Listener) -> None:
    opened: Queue[bytes] = Queue()
    stranger = PseudoTerminal(opened.put)
    finder = Finder(stranger.name)
    links.start(None, hello_seconds=SHORT, find=finder.find)
    assert listener.next_error() == (LinkErrorKind.NO_ANSWER, stranger.name)
    finder.wait_for_three_searches()
    while not opened.empty():
        opened.get()
    finder.wait_for_three_searches()
    assert opened.empty()
    # NO_ANSWER is not reported again, and NO_BOARD is not reported at all
    assert listener.rest() == []
    finder.ports.clear()
    assert listener.next_error() == (LinkErrorKind.NO_BOARD, None)
    stranger.close()
    again = PseudoTerminal(opened.put)
    finder.ports.append(again.name)
    assert listener.next_error() == (LinkErrorKind.NO_ANSWER, again.name)
    again.close()


def test_an_adapter_without_a_board_beside_a_board(
    links: Links, listener: Listener, port: SimulatedPort
) -> None:
    with device(b"a modem") as stranger:
        links.start(None, gives_up_after=7, find=lambda: [stranger, str(port.path)])
        assert listener.next_error() == (LinkErrorKind.GARBAGE, stranger)
        assert listener.next() == Connected(str(port.path), port.hello)


def test_two_boards_are_both_named(links: Links, listener: Listener, port: SimulatedPort) -> None:
    with SimulatedPort(SimulatedBoard(BoardKind.PRESENCE)) as other:
        links.start(None, find=lambda: [str(port.path), str(other.path)])
        assert listener.next() == Connected(str(port.path), port.hello, (str(other.path),))


def adapters(folder: Path, count: int) -> tuple[list[str], Path]:
    """Create device files and a folder with symbolic links to them, as the operating system
    does."""
    by_id = folder / "by-id"
    by_id.mkdir()
    ports = []
    for number in range(count):
        port = folder / f"ttyUSB{number}"
        port.touch()
        (by_id / f"usb-Nano-{number}").symlink_to(port)
        ports.append(str(port))
    return ports, by_id


def test_the_board_used_last_is_tried_first_in_any_socket(tmp_path: Path) -> None:
    (first, second, third), by_id = adapters(tmp_path, 3)
    remembered = stable_name(second, by_id)
    assert remembered == str(by_id / "usb-Nano-1")
    search = PortSearch(remembered, lambda: [first, second, third])
    assert search.present() == [second, first, third]
    # Swap the two boards.
    (by_id / "usb-Nano-1").unlink()
    (by_id / "usb-Nano-1").symlink_to(third)
    assert search.present() == [third, first, second]


def test_the_board_used_last_is_never_given_up(tmp_path: Path) -> None:
    (first, second), by_id = adapters(tmp_path, 2)
    search = PortSearch(stable_name(first, by_id), lambda: [first, second])
    for each in search.present():
        search.reject(each)
    assert [search.is_rejected(each) for each in (first, second)] == [False, True]
    Path(second).unlink()
    assert search.present()
    Path(second).touch()
    assert not search.is_rejected(second)


def test_a_port_without_a_link_keeps_its_name(tmp_path: Path) -> None:
    assert stable_name("/dev/ttyS0", tmp_path) == "/dev/ttyS0"
    assert stable_name("/dev/ttyS0", tmp_path / "none") == "/dev/ttyS0"


def test_a_port_that_appears_later(links: Links, listener: Listener, tmp_path: Path) -> None:
    path = tmp_path / "board"
    links.start(path)
    assert listener.next_error() == (LinkErrorKind.NO_SUCH_PORT, str(path))
    with SimulatedPort(SimulatedBoard(), tmp_path) as port:
        assert listener.next() == Connected(str(path), port.hello)


@pytest.mark.parametrize("name", ["/dev/null", "/", "nul\0byte"])
def test_invalid_serial_port(links: Links, listener: Listener, name: str) -> None:
    links.start(name)
    assert listener.next_error() == (LinkErrorKind.NO_SUCH_PORT, name)


def test_busy_port(links: Links, listener: Listener, port: SimulatedPort) -> None:
    with serial.Serial(str(port.path), exclusive=True):
        links.start(port.path)
        assert listener.next_error() == (LinkErrorKind.BUSY, str(port.path))
    assert listener.next() == Connected(str(port.path), port.hello)


def test_port_without_permission(links: Links, listener: Listener, port: SimulatedPort) -> None:
    terminal = port.path.resolve()
    mode = stat.S_IMODE(terminal.stat().st_mode)
    terminal.chmod(0)
    user = os.geteuid()
    if user == 0:  # root may open any file
        os.seteuid(NOBODY)
    try:
        links.start(terminal)
        assert listener.next_error() == (LinkErrorKind.NO_PERMISSION, str(terminal))
    finally:
        os.seteuid(user)
        terminal.chmod(mode)
    assert listener.next() == Connected(str(terminal), port.hello)
