"""Line breaks follow typographic rules."""

import pytest

from companion.ui.drawing import theme
from companion.ui.drawing.hidpi_text import broken, wide
from companion.ui.widgets.buttons import Press
from tests.companion.ui.driver import Driver


def lines(text: str, last_of_first: str, *, centred: bool = False) -> list[str]:
    """Wrap text to a width that is just enough for the text up to `last_of_first`. Return the
    lines."""
    first = text[: text.index(last_of_first) + len(last_of_first)]
    room = wide(first, theme.BODY, bold=False) + 6
    return broken(text, room, theme.BODY, bold=False, centred=centred).split("\n")


@pytest.mark.usefixtures("driver")
class TestLines:
    def test_number_stays_with_its_noun(self) -> None:
        text = "Four identical circuit boards with 25 sensors."
        assert lines(text, "with 25") == ["Four identical circuit boards with", "25 sensors."]

    def test_number_stays_with_its_name(self) -> None:
        assert lines("multiplekseri 2, tulo 14 ja", "tulo") == ["multiplekseri 2,", "tulo 14 ja"]
        text = "Aseta punainen nappula ruutuun a4."
        assert lines(text, "ruutuun") == ["Aseta punainen nappula", "ruutuun a4."]

    def test_punctuation_begins_no_line(self) -> None:
        assert lines("Laudan viat …", "viat") == ["Laudan", "viat …"]
        assert lines("Puhelimet …", "Puhelimet") == ["Puhelimet"], "there is no room for it"
        assert lines("Le disque est plein : libérez", "plein") == [
            "Le disque est",
            "plein : libérez",
        ]

    def test_dot_ends_no_line(self) -> None:
        text = "Travel · Original, 40 pieces · no clock"
        assert lines(text, "pieces ·") == ["Travel · Original, 40 pieces", "no clock"]
        assert lines("30 min kumpikin · Tasoitus", "kumpikin ·") == ["30 min kumpikin", "Tasoitus"]

    def test_path_may_begin_a_line(self) -> None:
        text = "Otro programa usa /dev/ttyUSB0. Cierra ese programa primero."
        assert lines(text, "programa usa") == [text]
        assert lines("All of them are known: marshal × 1.", "known: marshal")[-1] == "marshal × 1."

    def test_short_word_is_not_left_alone(self) -> None:
        text = "Nothing of it can be taken back any more"
        assert lines(text, "any") == ["Nothing of it can be taken back", "any more"]

    def test_centred_lines_are_balanced(self) -> None:
        text = "All ranks that are known are shown. The end cannot be taken back then."
        even = lines(text, "taken back", centred=True)
        assert even == [
            "All ranks that are known are shown.",
            "The end cannot be taken back then.",
        ]

    def test_fitting_and_unbreakable_texts_are_unchanged(self) -> None:
        for text, room in (("One line", 400), ("/a/very/long/name/of/a/file is too long", 60)):
            assert broken(text, room, theme.BODY, bold=False, centred=True) == text


def test_button_keeps_its_text(driver: Driver) -> None:
    width = wide("Laudan viat", theme.BODY, bold=False) + 20
    press = Press(text="Laudan viat …", size_hint_x=None, width=width)
    driver.app.root.add_widget(press)
    driver.frames(2)
    assert press._label.text == "Laudan\nviat …"
    assert press.text == "Laudan viat …"
    driver.app.root.empty()
