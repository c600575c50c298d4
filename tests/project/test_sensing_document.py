"""docs/sensing.md lists the hand actions from the code."""

from tools import sensing_document


def test_it_is_drawn_from_the_code() -> None:
    text = sensing_document.DOCUMENT.read_text("utf-8")
    assert sensing_document.draw(text) == text, "run make sensing"


def test_the_alphabet_is_whole() -> None:
    rows = sensing_document.courses().splitlines()[2:]
    assert [row.split("|")[1].strip() for row in rows] == [
        "a square is left",
        "a square is taken",
        "a square changes its colour",
    ]
