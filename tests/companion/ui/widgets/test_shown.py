"""Tests for widgets whose visibility depends on a single property."""

from pathlib import Path

import pytest
from kivy.input.providers.mouse import MouseMotionEvent
from kivy.uix.widget import Widget

import companion.ui
from companion.ui.drawing.shown import ShownBox

MOST_CONDITIONS = 120
"""Maximum number of kv lines with a condition. Logic belongs in Python properties."""


def dimensions(box: Widget) -> tuple[object, ...]:
    return box.opacity, box.disabled, box.size_hint_x, box.width, box.size_hint_y, box.height


def touch(box: Widget) -> bool:
    event = MouseMotionEvent("mouse", "1", (0.1, 0.1, "left"), is_touch=True)
    event.pos = box.center
    return bool(box.on_touch_down(event))


@pytest.mark.parametrize(
    ("collapse", "hidden"),
    [
        ("", (0, True, 1, 50, None, 40)),
        ("width", (0, True, None, 0, None, 40)),
        ("height", (0, True, 1, 50, None, 0)),
        ("size", (0, True, None, 0, None, 0)),
    ],
)
def test_collapse(collapse: str, hidden: tuple[object, ...]) -> None:
    box = ShownBox(width=50, size_hint_y=None, height=40, collapse=collapse)
    before = dimensions(box)
    box.shown = False
    assert dimensions(box) == hidden
    box.shown = True
    assert dimensions(box) == before


def test_values_assigned_while_hidden() -> None:
    box = ShownBox(size_hint_y=None, height=40, shown=None, collapse="height")
    box.height = 64
    assert box.height == 0
    box.shown = "any text"
    assert box.height == 64


def test_disabled_state_is_kept() -> None:
    box = ShownBox(shown=False, disabled=True)
    box.shown = True
    assert box.disabled
    box.disabled = False
    assert not box.disabled


def test_hidden_widget_takes_no_touch() -> None:
    box = ShownBox(size=(100, 100), disabled=True)
    assert touch(box)
    box.shown = False
    assert not touch(box)


def test_kv_has_few_conditions() -> None:
    files = list(Path(companion.ui.__path__[0]).rglob("*.kv"))
    assert len(files) > 30
    lines = [line for file in files for line in file.read_text("utf-8").splitlines()]
    statements = [line for line in lines if not line.lstrip().startswith("#")]
    assert sum(" if " in line for line in statements) < MOST_CONDITIONS
