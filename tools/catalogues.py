"""Update the message catalogues of all languages from the program: ``make texts``.

The rules pages are translated as well. They are generated from data, so their messages are
extracted from the generated pages, each with a context. If a rule changes, its text has to be
translated again.

A message inside an f-string cannot be extracted, so it is reported as an error with its file and
line. New messages are added untranslated, and obsolete ones are removed. Existing translations are
kept, and so are the grammatical forms of names, which do not occur in the source.
"""

import ast
import re
import sys
from collections.abc import Iterator
from io import BytesIO
from itertools import chain, repeat
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from companion.rules_pages.edition_page import messages
from companion.setups.setup import read_setups
from companion.speech.i18n import RULES

COMPANION = Path(__file__).parents[1] / "companion"
KEYWORDS = {"N_": None, "_": None, "plural": (1, 2)}
SETUPS = COMPANION / "setups" / "known.txt"
PAGES = "companion/rules_pages/edition_page.py"
_IN_KV = re.compile(r"""\b[rR]?[fF](["']).*?\{[^}]*?\b(?:N_|_|plural)\(.*?\1""")
"""Matches an f-string with a translatable message, if it is on a single line of a kv file."""
METHODS = [("**.py", "python"), ("**.kv", "python"), ("hall/templates/*.html", "jinja2")]


def overlooked(source: str, name: str) -> Iterator[int]:
    """Yield the lines of a file in which a translatable message is inside an f-string."""
    if name.endswith(".kv"):
        lines = enumerate(source.splitlines(), start=1)
        yield from (number for number, line in lines if _IN_KV.search(line))
        return
    strings = (each for each in ast.walk(ast.parse(source)) if isinstance(each, ast.JoinedStr))
    for inside in (each for string in strings for each in ast.walk(string)):
        if isinstance(inside, ast.Call):
            called = inside.func
            if getattr(called, "id", getattr(called, "attr", "")) in KEYWORDS:
                yield inside.lineno


def refuse_overlooked(root: Path) -> None:
    """Check that every message in a folder can be extracted.

    Raise ValueError with the file and line of the first message that cannot be extracted.
    """
    for path in sorted([*root.rglob("*.py"), *root.rglob("*.kv")]):
        for line in overlooked(path.read_text(encoding="utf-8"), path.name):
            where = path.relative_to(root.parent)
            raise ValueError(f"{where}, line {line}: a message in an f-string cannot be extracted")


def extract() -> Catalog:
    """Collect every message in the companion's files and pages, without translations."""
    refuse_overlooked(COMPANION)
    template = Catalog(project="boomboard", charset="utf-8")
    for path, _, text, _, _ in extract_from_dir(COMPANION, METHODS, keywords=KEYWORDS):
        template.add(text, locations=[(f"companion/{path}", 0)])
    for named in read_setups(SETUPS.read_text(encoding="utf-8"), SETUPS.name):
        for text in (named.name, named.use):
            template.add(text, locations=[(f"companion/setups/{SETUPS.name}", 0)])
    for text in messages():
        template.add(text, locations=[(PAGES, 0)], context=RULES)
    return template


def renew(path: Path, template: Catalog) -> int:
    """Update one .po file, and return the number of untranslated messages."""
    with path.open("rb") as file:
        catalogue = read_po(file, domain="boomboard")
    named = [message for message in catalogue if message.context and message.context != RULES]
    inflected = [message for message in named if message.id in template]
    catalogue.update(template, no_fuzzy_matching=True)
    catalogue.obsolete.clear()
    for form in inflected:
        catalogue.add(form.id, form.string, context=form.context)
    written = BytesIO()
    write_po(written, catalogue, width=100, include_lineno=False, sort_output=True)
    # Do not write the file if only its timestamp has changed.
    lines = written.getvalue().splitlines(keepends=True)
    path.write_bytes(b"".join(line for line in lines if b"POT-Creation-Date" not in line))
    return sum(not all(words for _, words in forms(message)) for message in catalogue if message.id)


def forms(message: Message) -> Iterator[tuple[str, str]]:
    """Yield a message with its translation, or every plural form with its source text."""
    if isinstance(message.id, str):
        yield message.id, str(message.string or "")  # empty for a new message
    else:
        one, many = message.id
        yield from zip(chain([one], repeat(many)), message.string or (), strict=False)


def main() -> None:
    try:
        template = extract()
    except ValueError as error:
        sys.exit(str(error))
    for path in sorted(COMPANION.glob("locale/*/LC_MESSAGES/boomboard.po")):
        print(f"{path.parts[-3]}: {renew(path, template)} texts are not translated yet")


if __name__ == "__main__":
    main()
