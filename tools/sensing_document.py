"""Generate the tables of docs/sensing.md from the code: ``make sensing``.

They list the possible hand movements, and every duration that is used to recognize them. ``make
hands`` writes the figures of the campaign.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tools.drawn_parts import draw_part

ROOT: Final = Path(__file__).parents[1]
DOCUMENT: Final = ROOT / "docs" / "sensing.md"
COURSES: Final = ROOT / "firmware_bridge" / "sensing" / "courses.py"
FILES: Final = (
    ROOT / "firmware_bridge" / "sensing" / "faint.py",
    ROOT / "firmware_bridge" / "sensing" / "watch.py",
    COURSES,
    ROOT / "firmware_bridge" / "sensing" / "flicker.py",
    *(
        ROOT / "companion" / "table" / f"{name}.py"
        for name in (
            *("steps", "story", "reader", "turns", "in_hands", "way_back", "meant"),
            *("talk_watch", "clearing_up", "tidying", "reading_time"),
        )
    ),
)


def draw(text: str) -> str:
    """Return the document with its generated parts replaced."""
    text = draw_part(text, "courses", courses())
    return draw_part(text, "durations", durations())


def courses() -> str:
    """Return the types of hand movements, from the docstring of the module that tracks them."""
    docstring = ast.get_docstring(ast.parse(COURSES.read_text("utf-8"))) or ""
    _, body, _ = re.split(r"^=+  =+$", docstring, flags=re.MULTILINE)
    rows: list[list[str]] = []
    for line in body.strip("\n").splitlines():
        seen, told = line[:21].strip(), line[21:].strip()
        if told and rows and (not seen or seen == "its colour"):
            rows[-1] = [f"{rows[-1][0]} {seen}".strip(), f"{rows[-1][1]} {told}"]
        else:
            rows.append([seen, told])
    lines = [f"| {seen} | {told} |" for seen, told in rows]
    return "\n".join(["| what is seen | what hands may have done |", "|---|---|", *lines])


def durations() -> str:
    """Return every constant of the files, with its docstring."""
    head = ["| number | in | value | says |", "|---|---|---|---|"]
    rows = [
        f"| `{name}` | `{path.stem}` | {value:g} | {says} |"
        for path in FILES
        for name, value, says in _numbers(path)
    ]
    return "\n".join([*head, *rows])


def _numbers(path: Path) -> Iterator[tuple[str, float, str]]:
    body = ast.parse(path.read_text("utf-8")).body
    for here, after in zip(body, [*body[1:], None], strict=True):
        match here:
            case ast.AnnAssign(ast.Name(name), value=ast.Constant(int() | float() as value)):
                says = ""
                if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
                    says = " ".join(str(after.value.value).split())
                yield name, value, says


def main() -> None:
    DOCUMENT.write_text(draw(DOCUMENT.read_text("utf-8")), encoding="utf-8")
    print(DOCUMENT.name)


if __name__ == "__main__":
    main()
