"""What every screen owes to the eye and the finger, in every language."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from kivy.base import EventLoop
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.label import Label
from kivy.uix.scrollview import ScrollView

from companion.screens.widgets import theme
from companion.screens.widgets.hold_area import HoldArea
from companion.speech.language import codes
from companion.table import Table
from companion.table.state import WrongMove
from engine.play.clocks import TimeControl
from engine.rulebook.editions import EDITIONS
from engine.rulebook.faults import Fault
from engine.rulebook.violation import Violation
from engine.sides import Side
from engine.squares import set_of
from firmware_bridge.link import TroubleKind
from tests.companion.screens.driver import Driver, Script, is_shown, walk
from tests.companion.screens.overlays.test_games_cover import fight, resign
from tests.companion.screens.tour import (
    STANDING,
    after,
    begin,
    open_game,
)
from tests.companion.screens.tours import TOURS

Drive = Callable[..., Driver]
TYPE_SCALE = {theme.SMALL, theme.BODY, theme.HEAD, theme.TITLE}


def seen(driver: Driver) -> Iterator[Any]:
    """The widgets on the screen, without those that something covers."""
    for widget in walk(driver.app.root):
        if is_shown(widget) and widget.width > 0 and widget.height > 0:
            yield widget


def faults(driver: Driver) -> Iterator[str]:
    width, height = driver.app.root.size
    for widget in seen(driver):
        x, y = widget.to_window(widget.x, widget.y)
        above, below = (y, y + widget.height) if not scrolls(widget) else (0, 0)
        inside = x >= -1 and x + widget.width <= width + 1
        if not (inside and above >= -1 and below <= height + 1):
            yield f"{_called(widget)} is not on the screen"
        if isinstance(widget, Label) and widget.text:
            if widget.texture_size[0] > widget.width + 1 or (
                widget.texture_size[1] > widget.height + 1
            ):
                yield f"{_called(widget)} is cut off"
            if widget.font_size not in TYPE_SCALE:
                yield f"{_called(widget)} has a size of its own"
        if isinstance(widget, ButtonBehavior | HoldArea) and min(widget.size) < 48:
            yield f"{_called(widget)} is too small to be touched"


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


@pytest.mark.parametrize("code", codes())
@pytest.mark.parametrize(("tour", "board"), TOURS, ids=[tour.__name__ for tour, _ in TOURS])
def test_nothing_is_cut_off_or_too_small(
    drive: Drive,
    code: str,
    tour: Callable[[Driver], Iterator[str]],
    board: Callable[[], Script],
) -> None:
    driver = drive(language=code, source=board())
    found = {f"{name}: {fault}" for name in tour(driver) for fault in faults(driver)}
    assert not found


@pytest.mark.parametrize("code", codes())
def test_no_trouble_is_too_long_for_the_start(drive: Drive, code: str) -> None:
    """Under a kept game with every option, beside a sentence about the disk."""
    driver = drive(language=code)
    open_game(driver, "nordic-2015", "bronstein", "silent", "advantage")
    driver.tap("close")
    begin(driver)
    driver.tap("menu")
    driver.tap("leave")
    driver.app.host.problem = "The disk is full. " * 4
    found = set()
    for kind in TroubleKind:
        driver.lose(kind)
        driver.frames(3)
        found |= {f"{kind.name}: {each}" for each in faults(driver)}
        if driver.find("resume").height < theme.TOUCH:
            found.add(f"{kind.name}: the buttons are squeezed")
    assert not found


@pytest.mark.parametrize("code", codes())
@pytest.mark.parametrize("clock", ["599:59+600,whole=599:59,setup=599:59", "none,whole=20"])
def test_no_clock_is_too_long(drive: Drive, code: str, clock: str) -> None:
    """With every other option, wherever its numbers are told and where it runs."""
    driver = drive(language=code, control=TimeControl.parse(clock))
    found: set[str] = set()

    def look(where: str) -> None:
        found.update(f"{where}: {each}" for each in faults(driver))

    driver.tap("rules")
    for choice in ("silent", "advantage"):
        driver.tap(choice)
    driver.tap_option("editions", "nordic-2015")
    look("rules")
    driver.tap("clock")
    look("clock")
    for _ in range(2):
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


@pytest.mark.parametrize("code", codes())
def test_no_folder_is_too_long_for_the_replay(drive: Drive, code: str) -> None:
    """Beside all that can be said of one ply."""
    driver = drive(language=code)
    fight(driver)
    resign(driver)
    for button in ("look", "yes", "export"):
        driver.tap(button)
    assert "exported" in driver.texts()
    assert not list(faults(driver))


@pytest.mark.parametrize("code", codes())
def test_nothing_is_cut_off_about_the_program(drive: Drive, code: str) -> None:
    driver = drive(language=code)
    driver.tap("about")
    assert "MIT" in driver.texts()
    assert f"{driver.journal.path}" in driver.texts()
    assert not list(faults(driver))
    driver.tap("close")
    assert "MIT" not in driver.texts()


@pytest.mark.parametrize("code", codes())
def test_an_offer_stands_beside_who_cannot_move_after_all(drive: Drive, code: str) -> None:
    driver = drive(language=code, edition=EDITIONS["isf"])
    begin(driver)
    for button in ("menu", "cannot_move", "yes", "yes", "yes", "menu", "red_draw", "yes"):
        driver.tap(button)
    assert driver.face.is_showing
    assert driver.face.offer
    assert not list(faults(driver))


@pytest.mark.parametrize("code", codes())
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


def _luminance(colour: theme.Colour) -> float:
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour[:3]]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize(
    ("text", "ground"),
    [
        (text, ground)
        for text in (theme.TEXT, theme.QUIET)
        for ground in (theme.GROUND, theme.RAISED, theme.PRESSED)
    ]
    + [(theme.ON_ACT, theme.ACT), (theme.ON_ACT, theme.ACT_PRESSED), (theme.ON_ACT, theme.RED)],
)
def test_texts_can_be_read(text: theme.Colour, ground: theme.Colour) -> None:
    light, dark = sorted((_luminance(text), _luminance(ground)), reverse=True)
    assert (light + 0.05) / (dark + 0.05) >= 4.5
