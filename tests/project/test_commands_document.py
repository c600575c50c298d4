"""Tests that docs/commands.md contains all commands, options and events."""

import re
from typing import Final

import pytest

from tools.commands_document import DOCUMENT, GUIDES, draw, own_words, parsers

PAGE: Final = DOCUMENT.read_text(encoding="utf-8")
MOST_WORDS_BY_HAND: Final = 3300


def test_options_and_events_are_current() -> None:
    assert draw(PAGE) == PAGE, "run make commands"


def test_commands_have_sections() -> None:
    overview, _, _ = PAGE.partition("\n## ")
    sections = re.findall(r"^## boomboard (\w+)$", PAGE, flags=re.MULTILINE)
    assert sorted(sections) == sorted(parsers())
    assert sorted(re.findall(r"\(#boomboard-(\w+)\)", overview)) == sorted(sections)


@pytest.mark.parametrize("name", GUIDES)
def test_guides_have_all_sub_commands_and_options(name: str) -> None:
    guide = DOCUMENT.with_name(f"{name}.md").read_text(encoding="utf-8")
    assert f"[{name}.md]({name}.md)" in PAGE
    assert own_words(name) - set(re.findall(r"[\w-]+", guide)) == set()


def test_commands_document_is_mostly_generated() -> None:
    by_hand = re.sub(r"<!-- drawn: .*?<!-- end -->", "", PAGE, flags=re.DOTALL)
    assert len(by_hand.split()) <= MOST_WORDS_BY_HAND
