"""Tests that docs/screens contains the saved screenshots, and that its page shows all of them."""

from pathlib import Path

from tests.companion.ui.tours import TOURS
from tools.kept_screens import KEPT, PAGE, page
from tools.make_screens import DOCS, KEPT_STYLES

MOST_BYTES = 3_000_000


def files() -> list[Path]:
    return [path for path in DOCS.rglob("*") if path.is_file() and path.name != PAGE]


def test_the_page_is_current() -> None:
    assert (DOCS / PAGE).read_text(encoding="utf-8") == page(), "run make screens"


def test_kept_pictures_are_complete() -> None:
    kept = {(DOCS / each.file).resolve() for each in KEPT}
    assert set(files()) == {path for path in kept if DOCS in path.parents}
    assert all(path.is_file() for path in kept)


def test_pictures_are_small() -> None:
    assert sum(path.stat().st_size for path in files()) < MOST_BYTES


def test_kept_pictures_have_a_known_style() -> None:
    tours = {tour.__name__ for tour, _ in TOURS}
    folders = [style.folder for style in KEPT_STYLES]
    for each in KEPT:
        folder, _, name = each.file.rpartition("/")
        assert folder in [*folders, "", "../pads"], each.file
        assert (each.tour in tours) == (folder in folders[1:]), name
