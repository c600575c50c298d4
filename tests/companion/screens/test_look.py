"""What every screen owes to the eye and the finger, in every language.

Ten languages on every screen would take minutes. Each run looks at each screen in two of them,
which go by turns; the campaign looks in all.
"""

from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from itertools import count, product
from pathlib import Path
from typing import Any

import pytest
from kivy.base import EventLoop
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.label import Label
from kivy.uix.scrollview import ScrollView

from companion.screens.widgets import theme
from companion.screens.widgets.hold_area import HoldArea
from companion.screens.widgets.large_letters import SIZES
from companion.screens.widgets.spot import Spot
from companion.speech.language import codes
from companion.store.setting_aside import UNUSABLE, SetAside
from companion.store.storage_trouble import StorageError, StorageTrouble
from companion.table import Table
from companion.table.state import WrongMove
from engine.play.clocks import TimeControl
from engine.rulebook.editions import EDITIONS
from engine.rulebook.faults import Fault
from engine.rulebook.violation import Violation
from engine.sides import Side
from engine.squares import WIDTH, set_of
from firmware_bridge.link import TroubleKind
from tests.campaigns import Campaign
from tests.companion.screens.driver import Driver, Script, is_shown, walk
from tests.companion.screens.overlays.test_games_cover import fight, resign
from tests.companion.screens.playing import STANDING, after, begin, choose_game
from tests.companion.screens.tours import TOURS

Drive = Callable[..., Driver]
LOOKS = Campaign("languages", part=1, whole=len(codes()))
"""In how many languages a screen is looked at."""
EVERYWHERE = [(tour, board, code) for tour, board in TOURS for code in codes()]
LARGE = Campaign("large-letters", part=1, whole=len(EVERYWHERE))
"""On how many tours, each in another language, the letters are large."""
TYPE_SCALE = {theme.BODY, theme.HEAD, theme.TITLE, theme.NAME}


def by_turns(number: int) -> list[str]:
    """The languages in which the test of this number looks."""
    first, whole = LOOKS.part * number, LOOKS.whole
    return [codes()[(first + n) % whole] for n in range(min(LOOKS.size, whole))]


def seen(driver: Driver) -> Iterator[Any]:
    """The widgets on the screen, without those that something covers."""
    for widget in walk(driver.app.root):
        if is_shown(widget) and widget.width > 0 and widget.height > 0:
            yield widget


def faults(driver: Driver, scale: Collection[float] = TYPE_SCALE) -> Iterator[str]:
    width, height = driver.app.root.size
    for widget in seen(driver):
        # A screen may be turned for who sits at another edge of it.
        corners = widget.to_window(*widget.pos), widget.to_window(widget.right, widget.top)
        (left, right), (low, high) = map(sorted, zip(*corners, strict=True))
        above, below = (low, high) if not scrolls(widget) else (0, 0)
        inside = left >= -1 and right <= width + 1
        if not (inside and above >= -1 and below <= height + 1):
            yield f"{_called(widget)} is not on the screen"
        if isinstance(widget, Label) and widget.text:
            if widget.texture_size[0] > widget.width + 1 or (
                widget.texture_size[1] > widget.height + 1
            ):
                yield f"{_called(widget)} is cut off"
            if widget.font_size not in scale:
                yield f"{_called(widget)} has a size of its own"
        if (
            isinstance(widget, ButtonBehavior | HoldArea)
            and min(widget.size) < _least(widget) - 0.5
        ):
            yield f"{_called(widget)} is too small to be touched"


def _least(widget: Any) -> float:
    """How large it has to be: ten squares share the height of the screen if it stands on edge."""
    on_edge = isinstance(widget, Spot) and widget.square is not None
    return theme.SCREEN[1] / WIDTH if on_edge else theme.TOUCH


def spills(label: Label) -> bool:
    """Whether a text lies higher or lower than a box that it is in."""
    box = label.parent
    while isinstance(box, BoxLayout | GridLayout):
        if label.y < box.y - 1 or label.top > box.top + 1:
            return True
        box = box.parent
    return False


def scrolls(widget: Any) -> bool:
    """Whether it can be brought to the eye by scrolling."""
    while widget is not None and widget is not EventLoop.window:
        if isinstance(widget, ScrollView):
            return True
        widget = widget.parent
    return False


def _called(widget: Any) -> str:
    text = getattr(widget, "text", "") or getattr(widget, "name", "")
    return f"{type(widget).__name__} {text!r}"


@LOOKS
@pytest.mark.parametrize(
    ("tour", "board", "code"),
    [
        pytest.param(tour, board, code, id=f"{tour.__name__}-{code}")
        for number, (tour, board) in enumerate(TOURS)
        for code in by_turns(number)
    ],
)
def test_nothing_is_cut_off_or_too_small(
    drive: Drive,
    tour: Callable[[Driver], Iterator[str]],
    board: Callable[[], Script],
    code: str,
) -> None:
    driver = drive(language=code, source=board())
    found = {f"{name}: {fault}" for name in tour(driver) for fault in faults(driver)}
    assert not found


def enlarge(driver: Driver) -> None:
    for button in ("settings", "senses", "letters", "close", "close"):
        driver.tap(button)


@LARGE
@pytest.mark.parametrize(
    ("tour", "board", "code"),
    [
        pytest.param(tour, board, code, id=f"{tour.__name__}-{code}")
        for tour, board, code in LARGE.among(EVERYWHERE)
    ],
)
def test_nothing_is_cut_off_where_letters_are_large(
    drive: Drive,
    tour: Callable[[Driver], Iterator[str]],
    board: Callable[[], Script],
    code: str,
) -> None:
    driver = drive(language=code, source=board())
    enlarge(driver)
    scale = {*TYPE_SCALE, *SIZES}
    found = set()
    for name in tour(driver):
        for page in pages(driver) if name in LAID_OUT_ANEW else [1]:
            where = f"{name}, page {page}"
            found |= {f"{where}: {fault}" for fault in faults(driver, scale)}
            texts = [each for each in seen(driver) if isinstance(each, Label) and each.text]
            grown = (each for each in texts if each.font_size not in TYPE_SCALE)
            found |= {f"{where}: {_called(each)} spills over" for each in grown if spills(each)}
            if name in LAID_OUT_ANEW:
                found |= {f"{where}: {each}" for each in small(driver)}
    assert not found


LAID_OUT_ANEW = {
    *("start", "start-without-board", "start-continue", "start-chosen", "simulated-start"),
    *("setup", "setup-exchanged", "setup-colour", "setup-ready", "setup-again", "setup-clock"),
    *("alone-setup", "simulated-empty", "simulated", "tiles", "tiles-impossible", "tiles-left"),
    *("tiles-infiltrator", "menu", "menu-knocked", "simulated-menu", "dispute"),
}
"""Where no letter may be smaller than half as large again, in any language, on any page."""


def pages(driver: Driver) -> Iterator[int]:
    """Look at one page after the other, and end at the first; a screen may have only that."""
    for page in count(1):
        yield page
        turner = driver.on_top("turn")
        if turner is None:
            return
        driver.tap_at(*driver.middle(turner))
        if driver.on_top("turn").page == 0:
            return


def small(driver: Driver) -> Iterator[str]:
    """The texts that are not half as large again; not of what a cover or a curtain lies over."""
    for each in driver.uncovered():
        if isinstance(each, Label) and each.text and is_shown(each):
            size = round(each.font_size)
            if size in SIZES and size != SIZES[size][0]:
                yield f"{_called(each)} has letters of {size} pixels"


def test_letters_that_stay_small_are_found(driver: Driver) -> None:
    assert [each for each in small(driver) if "New game" in each]


def test_large_letters_are_half_as_large_again(driver: Driver) -> None:
    """Wherever a game is followed; where there is less room they are as large as they can be."""
    enlarge(driver)
    begin(driver)
    sizes = {label.font_size for label in seen(driver) if isinstance(label, Label) and label.text}
    assert sizes == {30, 42, theme.NAME}
    driver.show(after(STANDING, "e4 f5"))
    assert {30, 42} <= {label.font_size for label in seen(driver) if isinstance(label, Label)}


@LOOKS
@pytest.mark.parametrize("code", by_turns(1))
def test_no_trouble_is_too_long_for_the_start(drive: Drive, code: str) -> None:
    """Under a kept game with every option, beside a sentence about the disk."""
    driver = drive(language=code)
    choose_game(driver, "nordic-2015", "bronstein", "silent", "advantage")
    begin(driver)
    driver.tap("menu")
    driver.tap("leave")
    longest = "the attempt to write a readonly database has failed in the middle of it"
    found = set()
    for trouble, kind in product(StorageTrouble, TroubleKind):
        driver.app.host.problem = StorageError(driver.shelf.path, trouble, longest)
        driver.lose(kind)
        driver.frames(3)
        found |= {f"{trouble.name}, {kind.name}: {each}" for each in faults(driver)}
        if driver.find("resume").height < theme.TOUCH:
            found.add(f"{kind.name}: the buttons are squeezed")
    driver.app.host.problem = None
    for unusable, kind in product(UNUSABLE, TroubleKind):
        aside = Path("/opt/boomboard/games/games-damaged-2026-11-23-12.sqlite")
        driver.shelf.set_aside = SetAside(unusable, aside)
        driver.lose(kind)
        driver.frames(3)
        assert str(aside) in driver.texts()
        found |= {f"{unusable.name}, {kind.name}: {each}" for each in faults(driver)}
    assert not found


@LOOKS
@pytest.mark.parametrize("code", by_turns(2))
@pytest.mark.parametrize("clock", ["599:59+600,whole=599:59,setup=599:59", "none,whole=20"])
def test_no_clock_is_too_long(drive: Drive, code: str, clock: str) -> None:
    """With every other option, wherever its numbers are told and where it runs."""
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
def test_no_folder_is_too_long_to_be_told(drive: Drive, code: str) -> None:
    driver = drive(language=code)
    fight(driver)
    resign(driver)
    driver.tap("look")
    driver.confirm()
    for button in ("take_along", "export"):
        driver.tap(button)
    assert "exported" in driver.texts()
    assert not list(faults(driver))


@LOOKS
@pytest.mark.parametrize("code", by_turns(4))
def test_nothing_is_cut_off_about_the_program(drive: Drive, code: str) -> None:
    driver = drive(language=code)
    driver.tap("about")
    assert "MIT" in driver.texts()
    assert f"{driver.journal.path}" in driver.texts()
    assert not list(faults(driver))
    driver.tap("close")
    assert "MIT" not in driver.texts()


@LOOKS
@pytest.mark.parametrize("code", by_turns(5))
def test_an_offer_stands_beside_who_cannot_move_after_all(drive: Drive, code: str) -> None:
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


@LOOKS
@pytest.mark.parametrize("code", by_turns(6))
def test_no_violation_is_too_long_for_the_way_back(
    drive: Drive, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the edition with the longest title, with the arbiter's button below."""
    driver = drive(language=code)
    begin(driver)
    driver.show(after(STANDING, "e4 f5"))
    assert driver.view == "way-back"
    standing, edition = driver.app.stage.table.state, EDITIONS["gravopedia-2006"]
    assert isinstance(standing, WrongMove)
    found = set()
    for fault in Fault:
        source = edition.cite(fault.rule)
        violation = Violation(fault, set_of([34, 45]), source, 12, Side.BLUE)
        wrong = replace(standing, violation=violation)
        monkeypatch.setattr(Table, "state", wrong)
        driver.app.face.refresh()
        driver.frames(3)
        found |= {f"{fault.name}: {each}" for each in faults(driver)}
    assert not found


@LOOKS
@pytest.mark.parametrize("code", by_turns(7))
@pytest.mark.parametrize(("army", "number"), [("original", 13), ("duel", 5), ("barrage", 5)])
def test_no_setup_is_too_long_for_the_list(drive: Drive, code: str, army: str, number: int) -> None:
    """Each with its sentence, beside one about the file of one's own."""
    edition = EDITIONS["isf"].with_army(army)
    driver = drive(language=code, source=Script.simulated(), edition=edition)
    driver.shelf.path.with_name("setups.txt").write_text("damaged")
    driver.connect()
    for button in ("alone", "setups", "list"):
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
