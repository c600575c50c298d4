"""Parser for JSON objects from an untrusted source, such as a network, a file or a pipe.

`json.loads` recurses once per nesting level, so deeply nested JSON raises RecursionError. How much
nesting is too deep depends on the depth of the caller's stack. This module therefore sets a fixed
limit on the nesting depth, and raises ValueError for all invalid JSON.

The caller must limit the length of the JSON before reading it completely.
"""

import json
from typing import Any, Final

MOST_NESTED: Final = 50
"""Maximum nesting depth of an object. Real messages have fewer than ten levels."""


def read_object(text: str | bytes) -> dict[str, Any]:
    """Parse a JSON object.

    Raise ValueError if the text is malformed, nested too deeply, or not an object.
    """
    try:
        plain = json.loads(text)
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error
    if not isinstance(plain, dict):
        raise ValueError("it is not a JSON object")
    if _is_nested_too_deeply(plain):
        raise ValueError("it is nested too deeply")
    return plain


def _is_nested_too_deeply(plain: dict[str, Any]) -> bool:
    """Return whether the object has more than `MOST_NESTED` levels, without using recursion."""
    inner: list[Any] = [plain]
    for _ in range(MOST_NESTED):
        lists = [each.values() if isinstance(each, dict) else each for each in inner]
        inner = [each for values in lists for each in values if isinstance(each, dict | list)]
        if not inner:
            return False
    return True
