"""Every screen imports all layout parts that it uses."""

import ast
import re
from functools import cache
from pathlib import Path
from typing import Final

import kivy
import pytest

_SCREENS: Final = Path(__file__).parents[3] / "companion" / "ui"
_OWN_LOOKS: Final = _SCREENS / "looks" / "style.kv"
_LAYOUTS: Final = sorted({*_SCREENS.glob("*/*.kv")} - {_OWN_LOOKS})
_RULE: Final = re.compile(r"^<-?([^>@]+)(?:@([^>]+))?>", re.MULTILINE)
_USED: Final = re.compile(r"^ +([A-Z]\w*):$", re.MULTILINE)
_IMPORTED: Final = re.compile(r"^#:import \w+ (companion\.[\w.]+)\.\w+$", re.MULTILINE)


def rules(style: Path) -> dict[str, str]:
    """Return the rules in a style file, keyed by header, without comments."""
    parts = re.split(r"^(?=<)", style.read_text(), flags=re.MULTILINE)[1:]
    lines = {part.splitlines()[0]: part.splitlines()[1:] for part in parts}
    return {
        head.rstrip(":"): "\n".join(line for line in body if line.startswith(" "))
        for head, body in lines.items()
    }


def test_styles_match_kivy() -> None:
    kivys = rules(Path(kivy.kivy_data_dir) / "style.kv")
    for head, body in rules(_OWN_LOOKS).items():
        assert body == kivys[head], head


def test_kivy_widgets_are_styled() -> None:
    named = {
        name.strip("-")
        for head in rules(Path(kivy.kivy_data_dir) / "style.kv")
        for name in head.strip("<>").partition("@")[0].split(",")
    }
    ours = {
        name.strip("-")
        for head in rules(_OWN_LOOKS)
        for name in head.strip("<>").partition("@")[0].split(",")
    }
    made_of = set()
    for python in _SCREENS.rglob("*.py"):
        text = python.read_text()
        made_of |= set(re.findall(r"^from kivy\.uix\.\w+ import (.+)$", text, re.MULTILINE))
    classes = {name for line in made_of for name in line.split(", ")}
    used = {name for layout in _LAYOUTS for name in _USED.findall(layout.read_text())}
    # A screen in Kivy's screen manager is a relative layout.
    assert {"RelativeLayout"} | (named & (classes | used)) <= ours


@cache
def defined() -> dict[str, str]:
    """Return the module of each of our widgets, by widget name."""
    found = {}
    for python in _SCREENS.rglob("*.py"):
        module = ".".join(python.relative_to(_SCREENS.parents[1]).with_suffix("").parts)
        for node in ast.walk(ast.parse(python.read_text())):
            if isinstance(node, ast.ClassDef):
                found[node.name] = module
    for layout in _LAYOUTS:
        module = ".".join(layout.relative_to(_SCREENS.parents[1]).with_suffix("").parts)
        for names, base in _RULE.findall(layout.read_text()):
            if base:
                found[names] = module
    return found


@cache
def comes_at_once(module: str) -> tuple[str, ...]:
    """Return the modules that a module and its layout import at once, not lazily."""
    path = (_SCREENS.parents[1] / module.replace(".", "/")).with_suffix(".py")
    if not path.exists():
        return ()
    layout = path.with_suffix(".kv")
    found = _IMPORTED.findall(layout.read_text()) if layout.exists() else []
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.ImportFrom) and node.module:
            found += [node.module, *(f"{node.module}.{each.name}" for each in node.names)]
    return (module, *found)


@cache
def brings(module: str) -> frozenset[str]:
    """Return our own modules that a module imports, not counting lazy imports."""
    found: set[str] = set()
    left = [module]
    while left:
        name = left.pop()
        if name not in found and comes_at_once(name):
            found.add(name)
            left += comes_at_once(name)
    return frozenset(found)


@pytest.mark.parametrize("layout", _LAYOUTS, ids=lambda each: each.stem)
def test_layout_of_given_widgets(layout: Path) -> None:
    module = ".".join(layout.relative_to(_SCREENS.parents[1]).with_suffix("").parts)
    there = brings(module) | brings("companion.ui.program")
    text = layout.read_text()
    bases = [base for _, base in _RULE.findall(text) if base]
    used = {*_USED.findall(text), *(name for base in bases for name in base.split("+"))}
    missing = {name for name in used & defined().keys() if defined()[name] not in there}
    assert not missing
