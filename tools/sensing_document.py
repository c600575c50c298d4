"""Generate the list of hand movements in docs/sensing.md: ``make sensing``."""

import ast
import re
from pathlib import Path
from typing import Final

from hardware.drawing.sheet import draw_part

ROOT: Final = Path(__file__).parents[1]
DOCUMENT: Final = ROOT / "docs" / "sensing.md"
HYPOTHESES: Final = ROOT / "firmware_bridge" / "sensing" / "hypotheses.py"


def draw(text: str) -> str:
    """Return the document with its generated part replaced."""
    return draw_part(text, "hypotheses", hypotheses())


def hypotheses() -> str:
    """Return the visible changes and the hand movements that explain them, from a docstring."""
    docstring = ast.get_docstring(ast.parse(HYPOTHESES.read_text("utf-8"))) or ""
    _, body, _ = re.split(r"^=+  =+$", docstring, flags=re.MULTILINE)
    rows: list[list[str]] = []
    for line in body.strip("\n").splitlines():
        seen, done = line[:21].strip(), line[21:].strip()
        if done and rows and (not seen or seen == "its colour"):
            rows[-1] = [f"{rows[-1][0]} {seen}".strip(), f"{rows[-1][1]} {done}"]
        else:
            rows.append([seen, done])
    return "\n".join(f"- {seen}: {done}" for seen, done in rows)


def main() -> None:
    DOCUMENT.write_text(draw(DOCUMENT.read_text("utf-8")), encoding="utf-8")
    print(DOCUMENT.name)


if __name__ == "__main__":
    main()
