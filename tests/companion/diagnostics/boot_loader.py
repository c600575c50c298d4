"""Boot loader of a Nano on a pseudo-terminal, for the real avrdude.

The boot loader uses STK500 version 1 (Atmel's application note AVR061). It implements the commands
that Optiboot supports. Before and after flashing, the board uses another protocol or sends nothing.
A pseudo-terminal has no reset line, so the boot loader starts when avrdude addresses it.
"""

from pathlib import Path
from threading import Event, Thread
from typing import Final, Self

from firmware_bridge.simulated_board.port import PseudoTerminal
from firmware_bridge.wire import PROTOCOL, Encoder, ForeignHello

OK, IN_SYNC, END = b"\x10", b"\x14", 0x20
ATMEGA328P: Final = b"\x1e\x95\x0f"
ATMEGA168: Final = b"\x1e\x94\x06"
FLASH: Final = 32_768
PATIENCE_SECONDS: Final = 60.0
_GET_SYNC, _LEAVE = 0x30, 0x51
_GET_PARAMETER, _SET_DEVICE, _SET_DEVICE_MORE, _UNIVERSAL = 0x41, 0x42, 0x45, 0x56
_LOAD_ADDRESS, _WRITE_PAGE, _READ_PAGE, _READ_SIGNATURE = 0x55, 0x64, 0x74, 0x75
_ARGUMENTS: Final = {
    _GET_PARAMETER: 1,
    _SET_DEVICE: 20,
    _SET_DEVICE_MORE: 5,
    _UNIVERSAL: 4,
    _LOAD_ADDRESS: 2,
    _READ_PAGE: 3,
}
"""For each command with arguments, the number of argument bytes."""


class BootLoader:
    """A board to be flashed, with optional faults."""

    def __init__(self, folder: Path) -> None:
        self.memory = bytearray(b"\xff" * FLASH)
        self.signature = ATMEGA328P
        self.speaks = True
        """Whether the board has old Boomboard firmware, which answers with its identification.

        Otherwise, the board does not answer until the boot loader is called.
        """
        self.pages = 0
        self.pulled_at: int | None = None
        """Number of pages after which the cable is unplugged."""
        self.loses_at: int | None = None
        """Number of pages after which the first byte of a reply is lost."""
        self.waits_at: int | None = None
        """Number of pages after which the boot loader stops answering until `goes_on` is set."""
        self.goes_on = Event()
        self.worn_out_at: int | None = None
        """Address at which the worn flash memory can no longer be written."""
        self._data, self._address, self._is_called = b"", 0, False
        self.path = folder / "board"
        self._terminal: PseudoTerminal | None = PseudoTerminal(self._take)
        self.path.symlink_to(self._terminal.name)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.goes_on.set()
        self.close()

    def close(self) -> None:
        """Unplug the cable, if it is plugged in."""
        if self._terminal:
            self.path.unlink(missing_ok=True)
            terminal, self._terminal = self._terminal, None
            terminal.close()

    def plug_in(self) -> None:
        self._data, self._is_called, self.pulled_at = b"", False, None
        self._terminal = PseudoTerminal(self._take)
        self.path.symlink_to(self._terminal.name)

    def _take(self, data: bytes) -> None:
        if not self._is_called and data[0] != _GET_SYNC:
            if self.speaks:
                self._send(Encoder().encode(ForeignHello(PROTOCOL - 1, b"")))
            return
        self._is_called = True
        self._data += data
        while self._is_called and (length := self._length()) and len(self._data) >= length:
            command, self._data = self._data[:length], self._data[length:]
            self._obey(command)

    def _length(self) -> int:
        """Return the length of the current command, or 0 if the command is still incomplete."""
        if not self._data:
            return 0
        if self._data[0] == _WRITE_PAGE:
            return 5 + int.from_bytes(self._data[1:3], "big") if len(self._data) >= 3 else 0
        return 2 + _ARGUMENTS.get(self._data[0], 0)

    def _obey(self, command: bytes) -> None:
        if command[-1] != END:
            self._data = b""  # out of sync, as after a lost byte; waits to be addressed again
            return
        what, arguments, answer = command[0], command[1:-1], b""
        if what == _GET_PARAMETER:
            answer = b"\x03"
        elif what == _UNIVERSAL:
            answer = b"\x00"
        elif what == _READ_SIGNATURE:
            answer = self.signature
        elif what == _LOAD_ADDRESS:
            self._address = 2 * int.from_bytes(arguments, "little")
        elif what == _READ_PAGE:
            length = int.from_bytes(arguments[:2], "big")
            answer = bytes(self.memory[self._address : self._address + length])
        elif what == _WRITE_PAGE:
            if self.pages == self.pulled_at:
                Thread(target=self.close).start()  # a terminal cannot be closed from its own thread
                return
            self._write(arguments[3:])
            if self.pages == self.waits_at:
                self.goes_on.wait()
        self._is_called = what != _LEAVE
        is_lost = what == _WRITE_PAGE and self.pages == self.loses_at
        self._send((b"" if is_lost else IN_SYNC) + answer + OK)

    def _write(self, page: bytes) -> None:
        self.pages += 1
        self.memory[self._address : self._address + len(page)] = page
        if self.worn_out_at is not None:
            self.memory[self.worn_out_at] = 0xFF

    def _send(self, data: bytes) -> None:
        if self._terminal:
            self._terminal.write(data, PATIENCE_SECONDS)
