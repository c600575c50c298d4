"""The fonts contain every character of every language."""

import struct
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from kivy.core.text import Label

from companion.speech.i18n import SOURCE, Language, codes
from companion.ui.drawing.rank_symbol import number
from engine.board.ranks import Rank
from tests.companion.speech.test_language import texts

PLAIN, BOLD = (Path(Label(bold=bold).options["font_name_r"]) for bold in (False, True))


@cache
def letters(font: Path) -> frozenset[str]:
    """Return a font's characters below 65536, from its character map."""
    data = font.read_bytes()
    (count,) = struct.unpack_from(">H", data, 4)
    tables = (struct.unpack_from(">4sLLL", data, 12 + 16 * n) for n in range(count))
    cmap = next(start for tag, _, start, _ in tables if tag == b"cmap")
    (count,) = struct.unpack_from(">H", data, cmap + 2)
    encodings = (struct.unpack_from(">HHL", data, cmap + 4 + 8 * n) for n in range(count))
    at = next(cmap + start for system, kind, start in encodings if (system, kind) == (3, 1))
    form, _, _, twice = struct.unpack_from(">4H", data, at)
    assert form == 4, "only cmap format 4 is supported"
    segments = twice // 2
    ends = struct.unpack_from(f">{segments}H", data, at + 14)
    starts = struct.unpack_from(f">{segments}H", data, at + 16 + twice)
    return frozenset(
        chr(code) for start, end in zip(starts, ends, strict=True) for code in range(start, end + 1)
    )


def all_texts(code: str) -> Iterator[str]:
    """Yield all text that the screen may show in a language."""
    language = Language(code)
    yield from (number(rank) + language.rank(rank) for rank in Rank)
    yield language.number(1234.5)
    if code == SOURCE:
        yield from (text for _, text, _ in texts("de"))
    else:
        yield from (words for _, _, words in texts(code))


@pytest.mark.parametrize("font", [PLAIN, BOLD], ids=["plain", "bold"])
@pytest.mark.parametrize("code", codes())
def test_font_has_all_glyphs(font: Path, code: str) -> None:
    needed = set("".join(all_texts(code))) - {"\n"}
    assert len(needed) > 20
    assert needed - letters(font) == set()


def test_missing_glyph_is_found() -> None:
    assert not {"\N{HIRAGANA LETTER A}", "\ue0ff"} & letters(PLAIN)
    assert {"a", "\N{NO-BREAK SPACE}", "\N{MULTIPLICATION SIGN}"} <= letters(BOLD)
