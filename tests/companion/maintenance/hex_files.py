"""Programs as the compiler leaves them for avrdude."""


def hex_file(program: bytes) -> str:
    """Write a program from address 0 on as an Intel hex file."""
    records = [
        (16 * row, 0, program[16 * row : 16 * row + 16]) for row in range((len(program) + 15) // 16)
    ]
    return "".join(_record(*record) for record in [*records, (0, 1, b"")])


def _record(address: int, kind: int, data: bytes) -> str:
    body = bytes([len(data), address >> 8, address & 0xFF, kind, *data])
    return f":{(body + bytes([-sum(body) & 0xFF])).hex().upper()}\n"


def program_in(text: str) -> bytes:
    """Return the program that an Intel hex file holds from address 0 on."""
    data = [bytes.fromhex(record[1:]) for record in text.split()]
    return b"".join(record[4:-1] for record in data if record[3] == 0)
