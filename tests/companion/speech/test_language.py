"""Translation catalogues contain every string, with its placeholders, plurals and forms."""

import re
from collections.abc import Iterator
from functools import cache
from importlib import resources
from string import Formatter

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po

from companion.speech import i18n
from engine.board.geometry import Side
from engine.board.ranks import Rank
from tests.project import ROOT
from tools.catalogues import extract, forms

TRANSLATED = [code for code in i18n.codes() if code != i18n.SOURCE]
RANKS, SIDES = set(i18n.RANK_NAMES.values()), set(i18n.SIDE_NAMES.values())


@pytest.mark.parametrize(
    ("environment", "code"),
    [
        ({}, "en"),
        ({"LANG": "de_AT.UTF-8"}, "de"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "pt_BR.UTF-8"}, "en"),
        ({"LANG": "nn_NO.UTF-8"}, "nb"),
        ({"LANG": "de_DE", "LC_MESSAGES": "sv_SE"}, "sv"),
        ({"LANG": "de_DE", "LC_MESSAGES": "sv_SE", "LC_ALL": "C"}, "en"),
        ({"LANG": "de_DE", "LANGUAGE": "pt:fi:en"}, "fi"),
        ({"LANG": "", "LC_ALL": ""}, "en"),
    ],
)
def test_system_language(environment: dict[str, str], code: str) -> None:
    assert i18n.system_code(environment) == code


class TestNames:
    def test_grammatical_form_of_a_name(self) -> None:
        german = i18n.Language("de")
        assert f"gegen {german.rank(Rank.COLONEL):acc}" == "gegen einen Oberst"
        assert f"{german.rank(Rank.BOMB):A} steht dort." == "Eine Bombe steht dort."

    def test_default_form_of_a_name(self) -> None:
        german = i18n.Language("de")
        assert german.rank(Rank.MARSHAL) == f"{german.rank(Rank.MARSHAL)}" == "Feldmarschall"
        assert german.side(Side.RED) == "Rot"

    def test_width_of_a_form(self) -> None:
        assert f"{i18n.Language('de').side(Side.RED):<5}|" == "Rot  |"

    def test_missing_form_is_an_error(self) -> None:
        with pytest.raises(KeyError, match="dative"):
            format(i18n.Name("Rot", {"the": "das Rot"}), "dative")


def test_unknown_language_lists_the_known_ones() -> None:
    with pytest.raises(LookupError, match=r"'xx'.*en, .*de"):
        i18n.Language("xx")


def test_language_names() -> None:
    names = {code: i18n.own_name(code) for code in i18n.codes()}
    assert names["en"] == "English"
    assert names["de"] == "Deutsch"
    assert len(set(names.values())) == len(names)
    assert all(name[0].isupper() for name in names.values())


def test_languages_page_is_complete() -> None:
    page = (ROOT / "docs" / "languages.md").read_text(encoding="utf-8")
    rows = re.findall(r"^- `(\w+)` (.*)$", page, re.MULTILINE)
    assert dict(rows) == {code: i18n.own_name(code) for code in i18n.codes()}


@pytest.mark.parametrize("code", TRANSLATED)
class TestEveryCatalogue:
    def test_catalogue_is_complete(self, code: str) -> None:
        translated = {
            (message.context, translation)
            for message, translation, _ in texts(code)
            if not _is_form(message)
        }
        source = _source()
        assert source >= {(None, name) for name in RANKS | SIDES}
        assert source - translated == set(), "some messages are not translated"
        assert translated - source == set(), "some translations are unused"

    def test_catalogue_keeps_placeholders(self, code: str) -> None:
        for _, text, words in texts(code):
            assert set(_placeholders(text)) == set(_placeholders(words)), text

    def test_catalogue_has_all_forms(self, code: str) -> None:
        has = {(str(each.id), each.context) for each in _catalogue(code) if _is_form(each)}
        for _, text, words in texts(code):
            for placeholder, form in _forms_chosen(words):
                for name in _placeholder_names(placeholder, text):
                    assert (name, form.lower()) in has, words

    def test_catalogue_has_no_unused_forms(self, code: str) -> None:
        chosen = {
            (name, form.lower())
            for _, text, words in texts(code)
            for placeholder, form in _forms_chosen(words)
            for name in _placeholder_names(placeholder, text)
        }
        has = {(str(each.id), each.context) for each in _catalogue(code) if _is_form(each)}
        assert has <= chosen

    def test_catalogue_has_all_plurals(self, code: str) -> None:
        catalogue = _catalogue(code)
        counted = [message for message in catalogue if message.pluralizable]
        assert counted, "no plural found: the test would check nothing"
        for message in counted:
            assert len(message.string or ()) == catalogue.num_plurals, message.id

    def test_catalogue_layout_is_current(self, code: str) -> None:
        for _, text, words in texts(code):
            assert text.count("\n") == words.count("\n"), text
            assert words == words.strip(), text


def test_french_ranks_need_no_elision() -> None:
    """Names such as “un éclaireur” and “espion” begin with a vowel."""
    elided = re.compile(r"\b(que|de|le|la|ne|se|ce)\s\{(piece|pieces|last|attacker|rank|other)\b")
    assert [words for _, _, words in texts("fr") if elided.search(words.lower())] == []


@cache
def _source() -> set[tuple[str | None, str]]:
    return {
        (message.context, text) for message in extract() if message.id for text, _ in forms(message)
    }


def _is_form(message: Message) -> bool:
    """Whether a message is an inflected form of a name."""
    return bool(message.context) and message.context != i18n.RULES


def _catalogue(code: str) -> Catalog:
    path = resources.files("companion") / "locale" / code / "LC_MESSAGES" / "boomboard.po"
    with path.open("rb") as file:
        return read_po(file)


def texts(code: str) -> Iterator[tuple[Message, str, str]]:
    """Yield each message with its text and translation. Each plural form is yielded separately."""
    catalogue = _catalogue(code)
    assert len(catalogue) > 100, "too few messages: the test would check nothing"
    for message in catalogue:
        assert not message.fuzzy, message.id
        if message.id:
            for text, words in forms(message):
                assert words, f"not translated: {text}"
                yield message, text, words


def _placeholders(text: str) -> Iterator[str]:
    return (placeholder for _, placeholder, _, _ in Formatter().parse(text) if placeholder)


def _forms_chosen(text: str) -> Iterator[tuple[str, str]]:
    for _, placeholder, form, _ in Formatter().parse(text):
        if placeholder and form:
            yield placeholder, form


def _placeholder_names(placeholder: str, text: str) -> set[str]:
    """Return all names that can replace a placeholder."""
    if placeholder in ("rank", "guess") or (placeholder == "other" and "{rank}" in text):
        return RANKS
    if placeholder in ("attacker", "piece"):
        return {*i18n.PIECE_NAMES.values(), *i18n.ONLY_PIECE_NAMES.values()}
    sides = ("side", "winner", "stuck", "to_move")
    if placeholder in sides or (placeholder == "other" and "{side}" in text):
        return SIDES
    raise AssertionError(f"{{{placeholder}}} has no forms: {text}")
