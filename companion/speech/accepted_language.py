"""The language that a browser asks for: read once, for it takes longer than a page."""

from functools import cache
from typing import Final

from companion.speech.language import SOURCE, Language, codes

_MOST: Final = 20
"""So many wishes of a browser are heard."""


def accepted_language(accepted: str) -> Language:
    """Return the language that a browser wants most, of those that there are, else English."""
    for wish in accepted.split(",")[:_MOST]:
        code = wish.partition(";")[0].strip().lower().partition("-")[0]
        code = "nb" if code == "no" else code
        if code in _known():
            return _read(code)
    return _read(SOURCE)


@cache
def _known() -> frozenset[str]:
    return frozenset(codes())


_read = cache(Language)
