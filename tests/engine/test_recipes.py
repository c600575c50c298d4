"""Tests that each recipe in docs/engine.md runs by itself and prints the documented output."""

import io
import re
from contextlib import redirect_stdout
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "engine.md").read_text(encoding="utf-8")
_RECIPE = re.compile(
    r"^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", re.MULTILINE | re.DOTALL
)


def title(recipe: re.Match[str]) -> str:
    """Return the heading that precedes a recipe."""
    *_, heading = re.findall(r"^## (.*)$", PAGE[: recipe.start()], re.MULTILINE)
    return str(heading)


RECIPES = list(_RECIPE.finditer(PAGE))


@pytest.mark.parametrize("recipe", RECIPES, ids=title)
def test_recipe_output(recipe: re.Match[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    code, shown = recipe.groups()
    line = PAGE.count("\n", 0, recipe.start(1))
    printed = io.StringIO()
    with redirect_stdout(printed):
        exec(compile("\n" * line + code, "docs/engine.md", "exec"), {"__name__": "recipe"})

    assert printed.getvalue() == (shown or "")


def test_code_blocks_are_recipes() -> None:
    assert len(RECIPES) == PAGE.count("```python") >= 12
    assert PAGE.count("```") == 4 * len(RECIPES)
