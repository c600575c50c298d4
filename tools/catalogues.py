"""Renew the catalogues of all languages from the texts of the program: ``make texts``.

New texts come in untranslated, texts that are gone go out; translations stay as they are.
"""

from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

COMPANION = Path(__file__).parents[1] / "companion"
METHODS = [("**.py", "python"), ("**.kv", "python")]
KEYWORDS = {"N_": None, "_": None}


def extract() -> Catalog:
    """Gather every text of the companion's .py and .kv files, without translations."""
    template = Catalog(project="boomboard", charset="utf-8")
    for path, _, text, _, _ in extract_from_dir(COMPANION, METHODS, keywords=KEYWORDS):
        template.add(text, locations=[(f"companion/{path}", 0)])
    return template


def renew(path: Path, template: Catalog) -> int:
    """Renew one .po file and return how many texts it does not translate yet."""
    with path.open("rb") as file:
        catalogue = read_po(file, domain="boomboard")
    catalogue.update(template, no_fuzzy_matching=True)
    catalogue.obsolete.clear()
    with path.open("wb") as file:
        write_po(file, catalogue, width=100, include_lineno=False, sort_output=True)
    return sum(not message.string for message in catalogue if message.id)


def main() -> None:
    """Renew every language."""
    template = extract()
    for path in sorted(COMPANION.glob("locale/*/LC_MESSAGES/boomboard.po")):
        print(f"{path.parts[-3]}: {renew(path, template)} texts are not translated yet")


if __name__ == "__main__":
    main()
