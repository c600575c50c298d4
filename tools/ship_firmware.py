"""Put the built firmware into the program, with its hashes: ``make hex``."""

import shutil
from pathlib import Path
from typing import Final

from companion.maintenance.firmware import HEX_OF, SHIPPED, SUMS, sum_line
from firmware_bridge.wire import BoardKind

BUILD: Final = Path(__file__).parents[1] / "hardware" / "firmware" / "build"
FOLDERS: Final = {BoardKind.COLOURS: "shipped", BoardKind.PRESENCE: "shipped-switches"}


def main() -> None:
    """Copy both kinds, and write their hashes."""
    for kind, name in HEX_OF.items():
        shutil.copyfile(BUILD / FOLDERS[kind] / "boomboard.hex", SHIPPED / name)
    lines = sorted(sum_line(SHIPPED / name) for name in HEX_OF.values())
    (SHIPPED / SUMS).write_text("".join(f"{line}\n" for line in lines), encoding="ascii")


if __name__ == "__main__":
    main()
