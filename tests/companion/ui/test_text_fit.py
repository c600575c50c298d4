"""Every screen is legible and has large enough touch targets, in every language.

Each run checks a short tour in one language, and the campaign checks every tour in every language.
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace
from itertools import combinations, count, product
from pathlib import Path
from typing import Any

import pytest
from kivy.base import EventLoop
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.label import Label
from kivy.uix.scrollview import ScrollView

from companion.core.state import WrongMove
from companion.core.table import Table
from companion.speech.i18n import codes
from companion.storage.errors import StorageError, StorageErrorKind
from companion.storage.journal_provider import UNUSABLE, QuarantinedFile
from companion.ui.drawing import theme
from companion.ui.drawing.hidpi_text import wide
from companion.ui.widgets.buttons import HoldArea
from companion.ui.widgets.setup_square import SetupSquare
from companion.ui.widgets.text_scaling import SIZES
from engine.board.geometry import WIDTH, Side, set_of, square
from engine.game.clocks import TIME_CONTROLS, TimeControl
from engine.rules.editions import DEFAULT, EDITIONS
from engine.rules.rules import Violation, ViolationKind
from firmware_bridge.link import LinkErrorKind
from tests.campaigns import RARE, Campaign, slow_after_first
from tests.companion.ui.dialogs.test_saved_games import fight, resign
from tests.companion.ui.driver import Driver, is_shown, walk
from tests.companion.ui.playing import STANDING, after, begin, choose_game
from tests.companion.ui.running_app import Script
from tests.companion.ui.solo_hands import sit_down
from tests.companion.ui.tours import TOURS

Drive = Callable[..., Driver]
Tour = Callable[[Driver], Iterator[str]]
LOOKS = Campaign("languages", part=1, whole=len(codes()))
"""Number of languages in which each screen is checked."""
SLOW_LOOKS = Campaign("languages", part=0, whole=len(codes()))
"""Marks tests that check long lists of sentences."""
# The shortest tours come first.
EVERYWHERE = [(tour, board, code) for tour, board in TOURS[::-1] for code in codes()[::-1]]
TOURED = Campaign("languages", part=1, whole=len(EVERYWHERE))
"""Number of combinations of tour and language."""
CLOCKS = Campaign("languages", part=1, whole=2)
LONGEST_CLOCK = "599:59+600,whole=599:59,setup=599:59"
TYPE_SCALE = {theme.BODY, theme.HEAD, theme.TITLE, theme.NAME}
HELD = {
    *("curtain-held", "insist-held", "tile-held"),
    *("simulated-ranks", "simulated-in-hand", "workshop-enlarged"),
}
"""Screens on which a finger is held down, so that no page can be turned."""


def by_turns(number: int) -> list[str]:
    """Return the languages in which the test with this number checks the screens."""
    first, whole = LOOKS.part * number, LOOKS.whole
    return [codes()[(first + n) % whole] for n in range(min(LOOKS.size, whole))]


def seen(driver: Driver) -> Iterator[Any]:
    """Yield the visible widgets."""
    for widget in walk(driver.app.root):
        if is_shown(widget) and widget.width > 0 and widget.height > 0:
            yield widget


def faults(driver: Driver, scale: Collection[float] = TYPE_SCALE) -> Iterator[str]:
    yield from crossing(driver)
    width, height = driver.app.root.size
    for widget in seen(driver):
        left, low, right, high = place(widget)
        above, below = (low, high) if not scrolls(widget) else (0, 0)
        inside = left >= -1 and right <= width + 1
        if not (inside and above >= -1 and below <= height + 1):
            yield f"{called(widget)} is not on the screen"
        if isinstance(widget, Label) and widget.text:
            if widget.texture_size[0] > widget.width + 1 or (
                widget.texture_size[1] > widget.height + 1
            ):
                yield f"{called(widget)} is cut off"
            if any(is_broken(word, widget) for word in widget.text.split()):
                yield f"{called(widget)} has a broken word"
            if widget.font_size not in scale:
                yield f"{called(widget)} has a size of its own"
        if (
            isinstance(widget, ButtonBehavior | HoldArea)
            and min(widget.size) < _least(widget) - 0.5
        ):
            yield f"{called(widget)} is too small to be touched"


def is_broken(word: str, label: Label) -> bool:
    """Whether a word is wider than its line. File paths are exempt."""
    line, size = label.text_size[0], round(label.font_size)
    return bool(line) and "/" not in word and wide(word, size, bold=label.bold) > line


def crossing(driver: Driver) -> Iterator[str]:
    """Yield a fault for each pair of touchable widgets that overlap."""
    pressed = [
        (widget, place(widget))
        for widget in driver.uncovered()
        if isinstance(widget, ButtonBehavior | HoldArea)
        and not isinstance(widget, SetupSquare)
        and is_shown(widget)
        and not scrolls(widget)
    ]
    for (one, a), (other, b) in combinations(pressed, 2):
        if min(a[2], b[2]) - max(a[0], b[0]) > 1 and min(a[3], b[3]) - max(a[1], b[1]) > 1:
            yield f"{called(one)} lies over {called(other)}"


def place(widget: Any) -> tuple[float, float, float, float]:
    """Return a widget's left, lower, right and upper edges on the screen."""
    corners = widget.to_window(*widget.pos), widget.to_window(widget.right, widget.top)
    (left, right), (low, high) = map(sorted, zip(*corners, strict=True))
    return left, low, right, high


def _least(widget: Any) -> float:
    """Return the minimum size of a touch target.

    For a setup square, this is a tenth of the screen's shorter side.
    """
    on_edge = isinstance(widget, SetupSquare) and widget.square is not None
    return min(theme.SCREEN) / WIDTH if on_edge else theme.TOUCH


def scrolls(widget: Any) -> bool:
    """Whether scrolling can bring the widget into view."""
    while widget is not None and widget is not EventLoop.window:
        if isinstance(widget, ScrollView):
            return True
        widget = widget.parent
    return False


def called(widget: Any) -> str:
    text = getattr(widget, "text", "") or getattr(widget, "name", "")
    return f"{type(widget).__name__} {text!r}"


def spills(label: Label) -> bool:
    """Whether a label extends above or below its box."""
    box = label.parent
    while isinstance(box, BoxLayout | GridLayout):
        if label.y < box.y - 1 or label.top > box.top + 1:
            return True
        box = box.parent
    return False


def pages(driver: Driver) -> Iterator[int]:
    """Visit all pages in order, then return to the first page."""
    for page in count(1):
        yield page
        turner = driver.on_top("turn")
        if turner is None:
            return
        driver.tap_at(*driver.middle(turner))
        turner = driver.on_top("turn")
        if turner is None or turner.page == 0:
            return


def tour_faults(
    driver: Driver, tour: Tour, check: Callable[[Driver, str], Iterator[str]] | None = None
) -> set[str]:
    """Return the faults on the screens of a tour.

    If `check` is given, it finds further faults on each page. In that case, all pages are visited,
    and text may be enlarged.
    """
    scale = {*TYPE_SCALE, *SIZES} if check else TYPE_SCALE
    found = set()
    for name in tour(driver):
        for page in pages(driver) if check and name not in HELD else [1]:
            more = check(driver, name) if check else ()
            found |= {f"{name}, page {page}: {each}" for each in (*faults(driver, scale), *more)}
    return found


def tour_cases(campaign: Campaign) -> list[Any]:
    """Return a campaign's tours as parameters for a test."""
    return [
        pytest.param(tour, board, code, id=f"{tour.__name__}-{code}")
        for tour, board, code in campaign.among(EVERYWHERE)
    ]


@TOURED
@pytest.mark.parametrize(("tour", "board", "code"), tour_cases(TOURED))
def test_texts_fit(drive: Drive, tour: Tour, board: Callable[[], Script], code: str) -> None:
    assert not tour_faults(drive(language=code, source=board()), tour)


@SLOW_LOOKS
@pytest.mark.parametrize("code", by_turns(1))
def test_errors_fit_on_the_start_screen(drive: Drive, code: str) -> None:
    """The start screen has room for a saved game, every option and a disk error."""
    driver = drive(language=code)
    choose_game(driver, "nordic-2015", "bronstein", "silent", "advantage")
    begin(driver)
    driver.tap("menu")
    driver.tap("leave")
    longest = "the attempt to write a readonly database has failed in the middle of it"
    found = set()
    for error, kind in product(StorageErrorKind, LinkErrorKind):
        driver.app.host.problem = StorageError(driver.journals.path, error, longest)
        driver.lose(kind)
        driver.frames(3)
        found |= {f"{error.name}, {kind.name}: {each}" for each in faults(driver)}
        if driver.find("resume").height < theme.TOUCH:
            found.add(f"{kind.name}: the buttons are squeezed")
    driver.app.host.problem = None
    for unusable, kind in product(UNUSABLE, LinkErrorKind):
        aside = Path("/opt/boomboard/games/games-damaged-2026-11-23-12.sqlite")
        driver.journals.quarantined = QuarantinedFile(unusable, aside)
        driver.lose(kind)
        driver.frames(3)
        assert str(aside) in driver.texts()
        found |= {f"{unusable.name}, {kind.name}: {each}" for each in faults(driver)}
    assert not found


@SLOW_LOOKS
@pytest.mark.parametrize("code", by_turns(2))
@pytest.mark.parametrize("clock", CLOCKS.among([LONGEST_CLOCK, "none,whole=20"]))
def test_clock_texts_fit(drive: Drive, code: str, clock: str) -> None:
    """The texts about the clock fit in the dialogs and in a game with further options."""
    driver = drive(language=code, control=TimeControl.parse(clock))
    found: set[str] = set()

    def look(where: str) -> None:
        found.update(f"{where}: {each}" for each in faults(driver))

    driver.tap("rules")
    driver.tap_option("editions", "nordic-2015")
    driver.tap("more")
    for choice in ("silent", "advantage"):
        driver.tap(choice)
    look("options")
    driver.tap("clock")
    look("clock")
    driver.tap("close")
    driver.tap("close")
    look("rules")
    driver.tap("close")
    look("start")
    begin(driver)
    look("turn")
    driver.tap("menu")
    look("menu")
    driver.tap("close")
    driver.show(after(STANDING, "e4 f5"))
    look("way back")
    assert not found


@LOOKS
@pytest.mark.parametrize("code", by_turns(3))
@RARE
def test_folder_paths_fit(drive: Drive, code: str) -> None:
    driver = drive(language=code)
    fight(driver)
    resign(driver)
    driver.tap("look")
    driver.confirm()
    for button in ("open_export", "export"):
        driver.tap(button)
    assert "exported" in driver.texts()
    assert not list(faults(driver))


@LOOKS
@pytest.mark.parametrize("code", by_turns(4))
@RARE
def test_about_page_fits(drive: Drive, code: str) -> None:
    driver = drive(language=code)
    driver.tap("about")
    assert "MIT" in driver.texts()
    assert f"{driver.journal.path}" in driver.texts()
    assert not list(faults(driver))
    driver.tap("close")
    assert "MIT" not in driver.texts()


def test_missing_board_and_tournament_clock(drive: Drive) -> None:
    """The reason why no board is connected needs a whole line, so the tile shows the clock."""
    driver = drive(control=TIME_CONTROLS["bronstein"])
    driver.connect()
    assert driver.face.begin_text == "12 min + 4 s each"
    assert "55 min in total, 5 min for setup" in driver.face.chosen
    driver.lose()
    assert not driver.face.chosen
    assert driver.find("board_words").width > 0.8 * driver.app.face.width


@RARE
@LOOKS
@pytest.mark.parametrize("code", by_turns(5))
def test_offer_fits_beside_a_claim(drive: Drive, code: str) -> None:
    driver = drive(language=code, edition=EDITIONS["isf"])
    begin(driver)
    for button in ("menu", "cannot_move"):
        driver.tap(button)
    for _answer in ("cannot move", "the other can", "that is meant"):
        driver.confirm()
    for button in ("menu", "red_draw"):
        driver.tap(button)
    driver.confirm()
    assert driver.face.is_showing
    assert driver.face.offer
    assert not list(faults(driver))


@SLOW_LOOKS
@pytest.mark.parametrize("code", by_turns(6))
def test_violations_fit_on_the_recovery_screen(
    drive: Drive, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The edition has the longest title, and the arbiter's button is below the text."""
    driver = drive(language=code)
    begin(driver)
    driver.show(after(STANDING, "e4 f5"))
    assert not set(violation_faults(driver, monkeypatch, ViolationKind))


def violation_faults(
    driver: Driver, monkeypatch: pytest.MonkeyPatch, kinds: Iterable[ViolationKind]
) -> Iterator[str]:
    """Show these violations on the recovery screen, and yield the faults."""
    assert driver.view == "recovery"
    standing, edition = driver.app.presenter.table.state, EDITIONS["gravopedia-2006"]
    assert isinstance(standing, WrongMove)
    for kind in kinds:
        source = edition.cite(kind.rule)
        violation = Violation(kind, set_of([34, 45]), source, 12, Side.BLUE)
        with monkeypatch.context() as patched:
            patched.setattr(Table, "state", replace(standing, violation=violation))
            driver.app.face.refresh()
            driver.frames(3)
            yield from (f"{kind.name}: {each}" for each in faults(driver))


@pytest.mark.parametrize("code", slow_after_first("languages", codes()))
def test_longest_violation_fits_alone(
    drive: Drive, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second piece out of place adds a line."""
    hands = sit_down(drive, DEFAULT, 1, language=code)
    driver, longest = hands.driver, [ViolationKind.TO_AND_FRO]
    bomb = next(each for each in hands.own() if hands.label_at(each) == "B")
    hands.drag(bomb, square("e6"))
    hands.pass_time(3)
    assert not set(violation_faults(driver, monkeypatch, longest))
    width, height = theme.SCREEN
    driver.drag(driver.on_board("a4"), (width - 60, height / 2))
    hands.pass_time(3)
    assert len(driver.face.guide) == 3
    assert not set(violation_faults(driver, monkeypatch, longest))
    assert all(driver.on_top(each) for each in ("put_back", "menu"))


@SLOW_LOOKS
@pytest.mark.parametrize("code", by_turns(7))
@pytest.mark.parametrize(("army", "number"), [("original", 13), ("duel", 5), ("barrage", 5)])
def test_setup_names_fit(drive: Drive, code: str, army: str, number: int) -> None:
    """Each sentence appears beside an error message about the file of saved setups."""
    edition = EDITIONS["isf"].with_army(army)
    driver = drive(language=code, source=Script.with_simulated_board(), edition=edition)
    driver.journals.path.with_name("setups.txt").write_text("damaged")
    driver.connect()
    for button in ("alone", "chosen", "setups", "list"):
        driver.tap(button)
    seen, found = 0, set()
    for _ in range(-(-number // 5)):
        for option in reversed(driver.find("names").children):
            driver.tap_answer("names", option.text)
            found |= {f"{option.text}: {fault}" for fault in faults(driver)}
            seen += 1
        driver.tap("more")
    assert seen == number
    assert not found
