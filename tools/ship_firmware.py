"""Copy the firmware build into the program, with its hash: ``make hex``."""

import shutil
from pathlib import Path
from typing import Final

from companion.diagnostics.firmware_update import SHIPPED, SUMS, sum_line

BUILD: Final = Path(__file__).parents[1] / "hardware" / "firmware" / "build" / "shipped"


def main() -> None:
    shutil.copyfile(BUILD / "boomboard.hex", SHIPPED)
    SHIPPED.with_name(SUMS).write_text(f"{sum_line(SHIPPED)}\n", encoding="ascii")


if __name__ == "__main__":
    main()
