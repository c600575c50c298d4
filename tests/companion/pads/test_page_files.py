"""The page files are complete, unmodified, and free of inline code."""

import hashlib
import re
from html.parser import HTMLParser
from typing import Final

import pytest

from companion.pads.service import FILES, PAGE, PAGE_FILES, content
from companion.ui.drawing import theme
from tools import make_pad_portraits

LIBRARIES: Final = {
    "nacl-fast.min": "3ec535c004aeeb225785d8e93fb33bf99f52e399bd7dfc01969b5629baea5131",
    "sha256.min": "ba93f4e2e21d8908a1306d49c0d90056f43d2b1f5eb45ec0a1d0371ea849a050",
}
PAGES: Final = ("pad.html", "watch.html", "story.html")
SCRIPTS: Final = sorted(name for name in FILES.values() if name.endswith(".js"))


def read(name: str) -> str:
    return content(name).decode()


@pytest.mark.parametrize("name", LIBRARIES)
def test_vendored_library_is_unchanged(name: str) -> None:
    assert hashlib.sha256((PAGE / f"{name}.js").read_bytes()).hexdigest() == LIBRARIES[name]
    assert LIBRARIES[name] in read(f"{name}.README.txt")


def test_served_files() -> None:
    there = {each.name for each in PAGE.iterdir() if not each.name.endswith(".txt")}
    assert there == {*PAGE_FILES}


@pytest.mark.parametrize("page", PAGES)
def test_pages_share_their_frame(page: str) -> None:
    assert read(page).startswith("<!doctype html>\n")
    assert read(page).endswith("</noscript>\n</body>\n</html>\n")
    assert "{" not in read(page)


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
def test_pages_have_nothing_inline(page: str) -> None:
    parts = Parts(read(page))
    assert parts.inline == []
    assert {*parts.sources} <= {*FILES}


@pytest.mark.parametrize("script", SCRIPTS)
def test_scripts_import_served_files(script: str) -> None:
    imported = re.findall(r'from "([^"]+)"', read(script))
    assert {*imported} <= {*FILES}


def test_inline_script_is_found() -> None:
    assert Parts('<p onclick="x()" style="y"></p><script>z</script>').inline == [
        "onclick",
        "style",
        "z",
    ]


def test_scripts_write_no_markup() -> None:
    own = "".join(read(name) for name in SCRIPTS if name.removesuffix(".js") not in LIBRARIES)
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(", own)


def test_portraits_match_the_touchscreen() -> None:
    assert read("portraits.js") == make_pad_portraits.written()


def test_colours_match_the_touchscreen() -> None:
    style = read("pad.css")
    for name in (
        "BACKGROUND",
        "SURFACE",
        "PRESSED",
        "EDGE",
        "TEXT",
        "TEXT_SECONDARY",
        "ACCENT",
        "ON_ACCENT",
    ):
        digits = "".join(f"{round(255 * part):02x}" for part in getattr(theme, name)[:3])
        assert f"--{name.lower().replace('_', '-')}: #{digits};" in style
