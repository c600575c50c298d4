"""Line breaks follow typographic rules."""

import pytest

from companion.ui.drawing import theme
from companion.ui.drawing.hidpi_text import broken, wide
from companion.ui.widgets.buttons import Press
from tests.companion.ui.driver import Driver


def lines(text: str, last_of_first: str, *, centred: bool = False) -> list[str]:
    """The lines of a text whose first line just has room for the words up to `last_of_first`."""
    first = text[: text.index(last_of_first) + len(last_of_first)]
    room = wide(first, theme.BODY, bold=False) + 6
    return broken(text, room, theme.BODY, bold=False, centred=centred).split("\n")


@pytest.mark.usefixtures("driver")
class TestLines:
    def test_a_number_stays_with_what_it_counts(self) -> None:
        text = "Four identical circuit boards with 25 sensors."
        assert lines(text, "with 25") == ["Four identical circuit boards with", "25 sensors."]

    def test_a_number_stays_with_what_it_names(self) -> None:
        assert lines("multiplekseri 2, tulo 14 ja", "tulo") == ["multiplekseri 2,", "tulo 14 ja"]
        text = "Aseta punainen nappula ruutuun a4."
        assert lines(text, "ruutuun") == ["Aseta punainen nappula", "ruutuun a4."]

    def test_three_dots_and_a_french_colon_begin_no_line(self) -> None:
        assert lines("Laudan viat …", "viat") == ["Laudan", "viat …"]
        assert lines("Le disque est plein : libérez", "plein") == [
            "Le disque est",
            "plein : libérez",
        ]

    def test_a_path_begins_a_line_and_a_count_does_not(self) -> None:
        text = "Otro programa usa /dev/ttyUSB0. Cierra ese programa primero."
        assert lines(text, "programa usa") == [text]
        assert lines("All of them are known: marshal × 1.", "known: marshal")[-1] == "marshal × 1."

    def test_no_short_word_is_left_alone(self) -> None:
        text = "Nothing of it can be taken back any more"
        assert lines(text, "any") == ["Nothing of it can be taken back", "any more"]

    def test_what_is_centred_is_shared_evenly(self) -> None:
        text = "All ranks that are known are shown. The end cannot be taken back then."
        even = lines(text, "taken back", centred=True)
        assert even == [
            "All ranks that are known are shown.",
            "The end cannot be taken back then.",
        ]

    def test_what_fits_or_never_will_is_left_to_kivy(self) -> None:
        for text, room in (("One line", 400), ("/a/very/long/name/of/a/file is too long", 60)):
            assert broken(text, room, theme.BODY, bold=False, centred=True) == text


def test_a_button_shows_the_better_lines_and_keeps_its_text(driver: Driver) -> None:
    width = wide("Laudan viat", theme.BODY, bold=False) + 20
    press = Press(text="Laudan viat …", size_hint_x=None, width=width)
    driver.app.root.add_widget(press)
    driver.frames(2)
    assert press._label.text == "Laudan\nviat …"
    assert press.text == "Laudan viat …"
    driver.app.root.empty()
