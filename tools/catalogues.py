"""Renew the catalogues of all languages from the texts of the program: ``make texts``.

The pages of the rules are texts too, with a context: they are written from data, so they are taken
from the pages themselves, and a rule that changes comes in as a new text.

A text inside an f-string would be overlooked, so it is refused with its file and its line.

New texts come in untranslated, texts that are gone go out; translations stay as they are. So do the
forms that a language has of a name, for no text of the program tells which it needs.
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

from companion.rules_pages.plain import messages
from companion.setups.setup_file import read_setups
from companion.speech.language import RULES

COMPANION = Path(__file__).parents[1] / "companion"
KEYWORDS = {"N_": None, "_": None, "plural": (1, 2)}
SETUPS = COMPANION / "setups" / "known.txt"
PAGES = "companion/rules_pages/one_edition.py"
_IN_KV = re.compile(r"""\b[rR]?[fF](["']).*?\{[^}]*?\b(?:N_|_|plural)\(.*?\1""")
"""An f-string in a line of a kv file with a text in it."""
METHODS = [("**.py", "python"), ("**.kv", "python")]


def overlooked(source: str, name: str) -> Iterator[int]:
    """Find the lines of a file in which a text to be translated stands inside an f-string."""
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
    """See that every text below a folder is found; ValueError names the file and the line."""
    for path in sorted([*root.rglob("*.py"), *root.rglob("*.kv")]):
        for line in overlooked(path.read_text(encoding="utf-8"), path.name):
            where = path.relative_to(root.parent)
            raise ValueError(f"{where}, line {line}: no text inside an f-string is found")


def extract() -> Catalog:
    """Gather every text of the companion's files and of its pages, without translations."""
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
    """Renew one .po file and return how many texts it does not translate yet."""
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
    # The moment of the run is no news.
    lines = written.getvalue().splitlines(keepends=True)
    path.write_bytes(b"".join(line for line in lines if b"POT-Creation-Date" not in line))
    return sum(not all(words for _, words in forms(message)) for message in catalogue if message.id)


def forms(message: Message) -> Iterator[tuple[str, str]]:
    """Return a text with its translation; of one about so many each form, with one that says it."""
    if isinstance(message.id, str):
        yield message.id, str(message.string or "")  # none yet if it has just come in
    else:
        one, many = message.id
        yield from zip(chain([one], repeat(many)), message.string or (), strict=False)


def main() -> None:
    """Renew every language."""
    try:
        template = extract()
    except ValueError as error:
        sys.exit(str(error))
    for path in sorted(COMPANION.glob("locale/*/LC_MESSAGES/boomboard.po")):
        print(f"{path.parts[-3]}: {renew(path, template)} texts are not translated yet")


if __name__ == "__main__":
    main()
