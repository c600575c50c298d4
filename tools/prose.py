"""Count docstrings and comments that read as translated English: ``python -m tools.prose PATH...``.

Each pattern finds a construction that plain technical English rarely needs and that was common in
this repository. The share of matching docstrings and comments in every package has a ceiling
(`CEILINGS`), which a test enforces. Lower a ceiling when you improve a package; never raise it.
"""

import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import Final

CEILINGS: Final = {
    "engine": 0.5,
    "firmware_bridge": 0.5,
    "companion": 0.5,
    "hardware": 0.5,
    "tools": 0.5,
    "tests": 0.5,
}
"""For each folder, the maximum percentage of docstrings and comments that may match."""
PATTERNS: Final = {
    "begins with a relative clause": r"^(?:What|Where|Why|How|Which|When|Whom)\b(?!.*\?)",
    "begins with a measure": r"^(?:So|As|For so|After so) (?:many|much|long|often|far)\b",
    "begins with Say, Tell, Let or Have": r"^(?:Say|Tell|Let|Have) ",
    "so many as a measure": r"\b(?:for|within|by|after|of|from|at) so (?:many|much|long|often)\b",
    "is none": r"\b(?:is|are|was|were) none\b(?! of)",
    "nobody or somebody acts": r"\b(?:no|some|any)body\b|\bwhoever\b",
    "tell of": r"\btells? of\b|\btold (?:of|anew|to be)\b",
    "literary adverb": r"\b(?:anew|meanwhile|besides|whence|wherefore)\b",
    "come of": r"\b(?:comes?|came) of (?:it|them|that)\b",
    "stand for be": r"\bstands? (?:there|still|otherwise|wrongly|badly)\b",
}


def texts(source: str) -> Iterator[str]:
    """Yield the summary of every docstring, every attribute docstring and every comment."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        if doc := ast.get_docstring(node):
            yield doc.partition("\n\n")[0].replace("\n", " ")
        for before, statement in zip(node.body, node.body[1:], strict=False):
            if isinstance(before, ast.Assign | ast.AnnAssign) and isinstance(statement, ast.Expr):
                value = statement.value
                if isinstance(value, ast.Constant) and isinstance(value.value, str):
                    yield value.value.replace("\n", " ")
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT and len(token.string) > 8:
            yield token.string.lstrip("# ")


def matches(text: str) -> list[str]:
    """Return the names of the patterns that a text matches."""
    return [name for name, pattern in PATTERNS.items() if re.search(pattern, text)]


def count(path: Path, *, listing: bool = False) -> tuple[int, int]:
    """Return the number of matching texts and of all texts in a file or folder."""
    files = [path] if path.is_file() else sorted(path.rglob("*.py"))
    found = total = 0
    for file in files:
        for text in texts(file.read_text("utf-8")):
            total += 1
            if names := matches(text):
                found += 1
                if listing:
                    print(f"{file}: {text}  [{'; '.join(names)}]")
    return found, total


def main(paths: list[str]) -> None:
    """Print every matching text in the given paths or in all folders, and each path's share."""
    for path in map(Path, paths or CEILINGS):
        found, total = count(path, listing=True)
        print(f"{path}: {found} of {total}, {100 * found / max(total, 1):.1f} %")


if __name__ == "__main__":
    main(sys.argv[1:])
