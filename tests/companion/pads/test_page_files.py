"""The files of the pages: all that is served is there, as its authors made it, nothing inline."""

import hashlib
import re
from html.parser import HTMLParser
from typing import Final

import pytest

from companion.pads.serving.pages import FILES, PAGE
from companion.screens.widgets import theme
from tools import make_pad_portraits

NACL: Final = "3ec535c004aeeb225785d8e93fb33bf99f52e399bd7dfc01969b5629baea5131"
PAGES: Final = ("pad.html", "watch.html")
SCRIPTS: Final = sorted(name for name in FILES.values() if name.endswith(".js"))


def read(name: str) -> str:
    return (PAGE / name).read_text(encoding="utf-8")


def test_the_library_that_seals_is_as_its_authors_have_published_it() -> None:
    assert hashlib.sha256((PAGE / "nacl-fast.min.js").read_bytes()).hexdigest() == NACL
    assert NACL in read("nacl-fast.min.README.txt")


def test_everything_is_served_but_what_is_to_be_read() -> None:
    there = {each.name for each in PAGE.iterdir() if not each.name.endswith(".txt")}
    assert there == {*FILES.values()}


class Parts(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__()
        self.sources: list[str] = []
        self.inline: list[str] = []
        self._in = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._in = tag
        for name, value in attrs:
            if name in ("src", "href"):
                self.sources.append(value or "")
            if name.startswith("on") or name == "style":
                self.inline.append(name)

    def handle_data(self, data: str) -> None:
        if self._in in ("script", "style") and data.strip():
            self.inline.append(data)


@pytest.mark.parametrize("page", PAGES)
def test_a_page_has_nothing_inline_and_fetches_only_what_is_served(page: str) -> None:
    parts = Parts(read(page))
    assert parts.inline == []
    assert {*parts.sources} <= {*FILES}


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_script_imports_only_what_is_served(script: str) -> None:
    imported = re.findall(r'from "([^"]+)"', read(script))
    assert {*imported} <= {*FILES}


def test_inline_would_be_found() -> None:
    assert Parts('<p onclick="x()" style="y"></p><script>z</script>').inline == [
        "onclick",
        "style",
        "z",
    ]


def test_no_script_writes_markup() -> None:
    own = "".join(read(script) for script in SCRIPTS if script != "nacl-fast.min.js")
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(", own)


def test_the_portraits_are_those_of_the_touchscreen() -> None:
    assert read("portraits.js") == make_pad_portraits.written()


def test_the_colours_are_those_of_the_touchscreen() -> None:
    style = read("pad.css")
    for name in ("GROUND", "RAISED", "PRESSED", "EDGE", "TEXT", "QUIET", "ACT", "ON_ACT"):
        digits = "".join(f"{round(255 * part):02x}" for part in getattr(theme, name)[:3])
        assert f"--{name.lower().replace('_', '-')}: #{digits};" in style
