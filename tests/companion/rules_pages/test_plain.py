"""Rules as plain text for the screen, in every language."""

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from importlib import resources

import pytest
from babel.messages.pofile import read_po

from companion.rules_pages.edition_page import Block, blocks, fill_pages, messages
from companion.rules_pages.markdown import NUMBERS
from companion.speech.announcement_texts import RuleWords
from companion.speech.i18n import RULES, SOURCE, Language, codes
from engine.rules.editions import EDITIONS, Edition, MovedBombPenalty
from engine.rules.rules import Interpretation
from tests.engine.examples import editions

ISF, NORDIC, TRAVEL = (EDITIONS[id_] for id_ in ("isf", "nordic-2015", "travel-2017"))
in_every_language = pytest.mark.parametrize("code", [code for code in codes() if code != SOURCE])


@cache
def catalogue(code: str) -> dict[str, str]:
    """Return the translations, keyed by English text. A missing translation is empty."""
    path = resources.files("companion") / "locale" / code / "LC_MESSAGES" / "boomboard.po"
    with path.open("rb") as file:
        read = read_po(file)
    return {str(each.id): str(each.string or "") for each in read if each.context == RULES}


def untranslated(code: str, texts: Iterable[str]) -> list[str]:
    return [text for text in texts if not catalogue(code).get(text)]


def numbers(text: str) -> list[str]:
    return sorted(re.findall(r"\d+", text))


class TestEveryLanguage:
    @in_every_language
    @editions
    def test_rules_are_complete(self, edition: Edition, code: str) -> None:
        texts = [edition.rulebook, *(block.text for block in blocks(edition))]
        assert len(texts) > 15, "too few texts: the test would check nothing"
        assert untranslated(code, texts) == []

    @in_every_language
    @pytest.mark.parametrize(
        "chosen",
        [ISF.with_limit(5), TRAVEL.with_moved_bomb(MovedBombPenalty.LOSES)],
        ids=["isf", "travel"],
    )
    def test_choices_are_listed(self, chosen: Edition, code: str) -> None:
        assert blocks(chosen) != blocks(EDITIONS[chosen.id])
        assert untranslated(code, (block.text for block in blocks(chosen))) == []

    @in_every_language
    def test_changed_rule_is_untranslated(self, code: str) -> None:
        changed = replace(ISF, readings=ISF.readings | {Interpretation.BOTH_SHUT_IN})
        assert untranslated(code, messages([changed])) == [
            "If neither can move (art. 12): a draw (reading 12)."
        ]

    @in_every_language
    def test_translations_keep_numbers(self, code: str) -> None:
        translated = Language(code).rules
        for text in messages():
            assert numbers(translated(text)) == numbers(text), text

    @in_every_language
    def test_interpretation_matches_the_announcement(self, code: str) -> None:
        language = Language(code)
        points = {text: language.rules(text) for text in messages() if text.startswith("Reading ")}
        assert len(points) == len(Interpretation)
        for reading, number in NUMBERS.items():
            (point,) = (
                translation for text, translation in points.items() if f"Reading {number}," in text
            )
            read = RuleWords(language).reading(reading)
            assert point.casefold().endswith(f": {read}.".casefold())

    @in_every_language
    @editions
    def test_source_has_the_title(self, edition: Edition, code: str) -> None:
        language = Language(code)
        *_, source = blocks(edition)
        assert source.text.startswith("Source: ")
        assert language.rules(edition.rulebook) in language.rules(source.text)

    @in_every_language
    def test_danish_quotation(self, code: str) -> None:
        words = "Alle brikker, der angriber ham, vinder"
        quoting = [block.text for block in blocks(NORDIC) if words in block.text]
        assert len(quoting) == 1
        assert words in Language(code).rules(quoting[0])


class TestPages:
    def test_blocks_have_no_markup(self) -> None:
        first, *_, last = blocks(ISF)
        assert first.is_point
        assert first.text.startswith("One piece to and fro (art. 10): at most three times")
        assert last == Block(last.text)
        assert not any(mark in block.text for block in blocks(ISF) for mark in "*`\n")

    def test_pages_are_filled_in_order(self) -> None:
        parts = [Block("one", is_point=True), Block("two", is_point=True), Block("three")]
        pages = fill_pages(parts, lambda text: text.count("\n") < 2)
        assert pages == ["•  one\n•  two", "three"]

    def test_list_heading_does_not_end_a_page(self) -> None:
        parts = [Block("one"), Block("A list:"), Block("two", is_point=True), Block("three")]
        pages = fill_pages(parts, lambda text: text.count("\n") < 2)
        assert pages == ["one", "A list:\n•  two", "three"]

    def test_oversized_block_has_its_own_page(self) -> None:
        parts = [Block("a"), Block("too long"), Block("b")]
        assert fill_pages(parts, lambda text: len(text) < 4) == ["a", "too long", "b"]
