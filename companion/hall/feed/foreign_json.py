"""Parser for untrusted JSON: accepts an object of plain values only."""

import json
from typing import Any


def read_object(text: str | bytes) -> dict[str, Any]:
    """Return the object in a text; ValueError for all else, however it is malformed."""
    try:
        plain = json.loads(text)
    except RecursionError as error:
        raise ValueError("it is nested deeper than anything of ours") from error
    if not isinstance(plain, dict):
        raise ValueError("it is no object")
    return plain
