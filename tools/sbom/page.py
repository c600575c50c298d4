"""Writes the bill of materials as a page."""

from collections.abc import Iterable, Iterator
from typing import Final

from tools.sbom.parts import Part, libraries, of_the_system, packages, scripts

HEAD: Final = """\
# Third-party software

The contents of an installation, by licence. `make bill` generates the page from the pinned
requirements and `tools/sbom/parts.toml`; [bill.cdx.json](bill.cdx.json) adds versions and purposes,
as CycloneDX. Known vulnerabilities were looked up by hand; no vulnerability database was searched.

"""


def page() -> str:
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield from HEAD.splitlines()
    yield "## Packages"
    yield ""
    yield from _list(packages())
    yield ""
    yield "## Libraries inside wheels"
    yield ""
    yield from _list(libraries().values())
    yield ""
    yield "## Scripts of pages"
    yield ""
    yield from _list(scripts())
    yield ""
    yield "## System packages"
    yield ""
    yield from _list(of_the_system())


def _list(parts: Iterable[Part]) -> Iterator[str]:
    """Yield the parts grouped by licence, then the remarks on them."""
    parts = list(parts)
    by_licence: dict[str, list[str]] = {}
    for part in parts:
        by_licence.setdefault(_licence(part), []).append(part.name)
    for licence, names in sorted(by_licence.items(), key=lambda item: -len(item[1])):
        if len(names) > 1:
            yield f"- {licence}: {', '.join(names)}"
    single = [f"{names[0]} ({of})" for of, names in by_licence.items() if len(names) == 1]
    if single:
        yield f"- {'others: ' if len(single) < len(by_licence) else ''}{', '.join(single)}"
    remarks = [f"- **{part.name}**: {part.remark}" for part in parts if part.remark]
    if remarks:
        yield from ["", "Remarks:", "", *remarks]


def _licence(part: Part) -> str:
    """Return a licence's name, or a description if the licence has no SPDX id."""
    _, reference, words = part.licence.rpartition("LicenseRef-")
    return words.replace("-", " ") if reference else words
