"""docs/screens/README.md shows every screenshot, in both languages."""

from tools.make_screens import FOLDER, PAGE, SHOWN, page


def test_the_page_is_current() -> None:
    assert (FOLDER / PAGE).read_text(encoding="utf-8") == page(FOLDER), "make screens"


def test_every_screen_is_there_in_both_languages() -> None:
    names = [{path.name for path in (FOLDER / code).glob("*.png")} for code in SHOWN]
    assert names[0]
    assert all(each == names[0] for each in names)
