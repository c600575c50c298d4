"""Requests that the hall refuses: long ones, and those of other origins."""

from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import Scope

from companion import web_guard
from companion.web_guard import CONTENT_POLICY, READS, Refusal

MOST_BYTES: Final = 4096
"""Maximum size of a request body, in bytes; all forms are shorter."""
HEADERS: Final = {
    **web_guard.HEADERS,
    "Content-Security-Policy": f"{CONTENT_POLICY}; form-action 'self'",
    "Cross-Origin-Opener-Policy": "same-origin",
}


def refuse(scope: Scope) -> Refusal | None:
    """Return the reason to refuse a request and the status code, or None to accept it."""
    if scope["method"] in READS:
        return None
    headers = Headers(scope=scope)
    if scope["method"] != "POST":
        return "Only GET and POST are answered here.", 405
    if not _is_own(headers):
        return "This comes from another page. Nothing was done; use the page of the hall.", 403
    length = headers.get("content-length", "")
    if not length.isdecimal() or len(length) > 9 or int(length) > MOST_BYTES:
        return "This is longer than any form of the hall. Nothing was done.", 413
    return None


def _is_own(headers: Headers) -> bool:
    """Whether the request comes from the same origin; all current browsers send that header."""
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site == "same-origin"
    origin = urlsplit(headers.get("origin", ""))
    return bool(origin.netloc) and origin.netloc == headers.get("host")
