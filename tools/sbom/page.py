"""The bill of materials as a page for readers."""

from collections.abc import Iterable, Iterator
from typing import Final

from tools.sbom.parts import Part, libraries, of_the_system, packages, scripts

HEAD: Final = """\
# Third-party software

Third-party software in an installation, without what only tests or builds it. `make bill` generates
the page from the pinned requirements and `tools/sbom/parts.toml`; [bill.cdx.json](bill.cdx.json) is
the same as CycloneDX. Known weaknesses were found by reading; no program checked a database.

"""


def page() -> str:
    """Return docs/bill.md."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield from HEAD.splitlines()
    yield "## Packages"
    yield ""
    yield from _table(packages())
    yield ""
    yield "## Libraries inside wheels"
    yield ""
    yield from _table(libraries().values())
    yield ""
    yield "## Scripts of pages"
    yield ""
    yield from _table(scripts())
    yield ""
    yield "## What the system brings"
    yield ""
    yield from _table(of_the_system())


def _table(parts: Iterable[Part]) -> Iterator[str]:
    parts = list(parts)
    yield "| part | version | licence | what it is for |"
    yield "|---|---|---|---|"
    for part in parts:
        yield f"| {part.name} | {part.version or 'any'} | {_licence(part)} | {part.purpose} |"
    for part in parts:
        if part.remark:
            yield ""
            yield f"**{part.name} {part.version}.** {part.remark}"


def _licence(part: Part) -> str:
    """Return the name of a licence; one without an SPDX id becomes a reference, in words."""
    _, reference, words = part.licence.rpartition("LicenseRef-")
    return words.replace("-", " ") if reference else words
