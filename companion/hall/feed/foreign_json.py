"""JSON that somebody else has written: an object of plain values, or refused."""

import json
from typing import Any


def read_object(text: str | bytes) -> dict[str, Any]:
    """Return what a text holds; ValueError if it is no object, however it was made up."""
    try:
        plain = json.loads(text)
    except RecursionError as error:
        raise ValueError("it is nested deeper than anything of ours") from error
    if not isinstance(plain, dict):
        raise ValueError("it is no object")
    return plain
