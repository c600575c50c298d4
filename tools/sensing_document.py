"""Generate the tables of hand movements and of limits in docs/sensing.md: ``make sensing``.

``make hands`` writes the figures of the campaign.
"""

import ast
import re
from itertools import pairwise
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
        seen, told = line[:21].strip(), line[21:].strip()
        if told and rows and (not seen or seen == "its colour"):
            rows[-1] = [f"{rows[-1][0]} {seen}".strip(), f"{rows[-1][1]} {told}"]
        else:
            rows.append([seen, told])
    lines = [f"| {seen} | {told} |" for seen, told in rows]
    return "\n".join(["| what is seen | what hands may have done |", "|---|---|", *lines])


def limits() -> str:
    """Return the tuned numbers with their values, and the first sentence of each docstring."""
    rows = []
    for path in LIMITS:
        (owner,) = (
            node
            for node in ast.parse(path.read_text("utf-8")).body
            if isinstance(node, ast.ClassDef)
        )
        for field, docstring in pairwise(owner.body):
            match field, docstring:
                case (
                    ast.AnnAssign(target=ast.Name(id=name), value=ast.Constant(value=value)),
                    ast.Expr(value=ast.Constant(value=str(text))),
                ):
                    decides = " ".join(text.split("\n\n")[0].split()).removesuffix(".")
                    rows.append(f"| `{name}` | {value:g} | {decides} |")
    return "\n".join(["| limit | value | decides |", "|---|---:|---|", *rows])


def main() -> None:
    DOCUMENT.write_text(draw(DOCUMENT.read_text("utf-8")), encoding="utf-8")
    print(DOCUMENT.name)


if __name__ == "__main__":
    main()
