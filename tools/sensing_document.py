"""Generate the tables of hand movements and of limits in docs/sensing.md: ``make sensing``.

``make hands`` writes the figures of the campaign.
"""

import ast
import re
from pathlib import Path
from typing import Final

from hardware.drawing.sheet import draw_part

ROOT: Final = Path(__file__).parents[1]
DOCUMENT: Final = ROOT / "docs" / "sensing.md"
COURSES: Final = ROOT / "firmware_bridge" / "sensing" / "hypotheses.py"
LIMITS: Final = (
    ROOT / "companion" / "core" / "recognition_limits.py",
    ROOT / "firmware_bridge" / "sensing" / "sensing_limits.py",
)


def draw(text: str) -> str:
    """Return the document with its generated parts replaced."""
    return draw_part(draw_part(text, "courses", courses()), "limits", limits())


def courses() -> str:
    """Return the types of hand movements, from the docstring of the module that tracks them."""
    docstring = ast.get_docstring(ast.parse(COURSES.read_text("utf-8"))) or ""
    _, body, _ = re.split(r"^=+  =+$", docstring, flags=re.MULTILINE)
    rows: list[list[str]] = []
    for line in body.strip("\n").splitlines():
        seen, done = line[:21].strip(), line[21:].strip()
        if done and rows and (not seen or seen == "its colour"):
            rows[-1] = [f"{rows[-1][0]} {seen}".strip(), f"{rows[-1][1]} {done}"]
        else:
            rows.append([seen, done])
    lines = [f"| {seen} | {done} |" for seen, done in rows]
    return "\n".join(["| what is seen | what hands may have done |", "|---|---|", *lines])


def limits() -> str:
    """Return the names and values of the limits, in the groups of their modules' comments."""
    rows: list[tuple[str, list[str]]] = []
    for path in LIMITS:
        is_comment = False
        for line in path.read_text("utf-8").splitlines():
            was_comment, is_comment = is_comment, line.startswith("    # ")
            if is_comment and not was_comment:
                rows.append((re.split("[:.]", line.removeprefix("    # "))[0], []))
            elif field := re.match(r"    (\w+): (?:float|int) = ([\d.]+)$", line):
                rows[-1][1].append(f"`{field[1]}` {float(field[2]):g}")
    lines = [f"| {group} | {', '.join(found)} |" for group, found in rows]
    return "\n".join(["| group | limits |", "|---|---|", *lines])


def main() -> None:
    DOCUMENT.write_text(draw(DOCUMENT.read_text("utf-8")), encoding="utf-8")
    print(DOCUMENT.name)


if __name__ == "__main__":
    main()
