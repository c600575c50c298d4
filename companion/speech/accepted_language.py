"""Accept-Language: the language that a browser requests.

Languages are cached, as loading one takes longer than a page.
"""

from functools import cache
from typing import Final

from companion.speech.language import SOURCE, Language, codes

_MOST: Final = 20
"""Maximum number of languages that are read from the header."""


def accepted_language(accepted: str) -> Language:
    """Return the available language that a browser prefers, else English."""
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
