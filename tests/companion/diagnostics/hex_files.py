"""Programs as Intel hex files, formatted as the compiler writes them."""


def hex_file(program: bytes) -> str:
    """Return the Intel hex file of a program that starts at address 0."""
    records = [
        (16 * row, 0, program[16 * row : 16 * row + 16]) for row in range((len(program) + 15) // 16)
    ]
    return "".join(_record(*record) for record in [*records, (0, 1, b"")])


def _record(address: int, kind: int, data: bytes) -> str:
    body = bytes([len(data), address >> 8, address & 0xFF, kind, *data])
    return f":{(body + bytes([-sum(body) & 0xFF])).hex().upper()}\n"


def program_in(text: str) -> bytes:
    """Return the program in an Intel hex file that starts at address 0."""
    data = [bytes.fromhex(record[1:]) for record in text.split()]
    return b"".join(record[4:-1] for record in data if record[3] == 0)
