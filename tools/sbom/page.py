"""The bill of materials as a page for readers."""

from collections.abc import Iterable, Iterator
from typing import Final

from tools.sbom.parts import Part, libraries, of_the_system, packages, scripts

HEAD: Final = """\
# Third-party software

The contents of an installation. `make bill` generates the page from the pinned requirements and
`tools/sbom/parts.toml`. [bill.cdx.json](bill.cdx.json) has the same as CycloneDX, with the purpose
of each. Known weaknesses were found by reading; no program checked a database.

| part | version | licence | notes |
|---|---|---|---|
"""


def page() -> str:
    """Return docs/bill.md."""
    rows = [
        *_rows("", packages()),
        *_rows("in a wheel", libraries().values()),
        *_rows("JavaScript", scripts()),
        *_rows("system", of_the_system()),
    ]
    return HEAD + "\n".join(rows) + "\n"


def _rows(kind: str, parts: Iterable[Part]) -> Iterator[str]:
    for part in parts:
        notes = "; ".join(note for note in (kind, part.remark) if note)
        yield f"| {part.name} | {part.version or 'any'} | {_licence(part)} | {notes} |"


def _licence(part: Part) -> str:
    """Return the name of a licence; one without an SPDX id becomes a reference, in words."""
    _, reference, words = part.licence.rpartition("LicenseRef-")
    return words.replace("-", " ") if reference else words
