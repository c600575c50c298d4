"""Translations use the vocabulary of the rulebooks and the typography of their language."""

import re
from collections.abc import Iterator
from typing import Final

import pytest
from babel.messages.pofile import read_po

from tests.project import ROOT

CODES: Final = sorted(each.name for each in (ROOT / "companion" / "locale").iterdir())
_NO_BREAK: Final = "\N{NO-BREAK SPACE}"
_APOSTROPHE: Final = r"\w'\w"
"""A straight apostrophe inside a word."""
AVOIDED: Final = {
    "da": r"oplys|tæppe",
    "es": r"\bcog|ficha|callad",
    "fr": rf"\brangs?\b|tuile|{_APOSTROPHE}",
    "it": rf"pedin|tavolier|scacchier|{_APOSTROPHE}",
    "nb": r"teppe",
    "nl": r"\bvak",
    "sv": r"flagg",
}
"""Words that a language's rulebooks do not use (RULES §10)."""
_PLACEHOLDER: Final = re.compile(r"\{\w+(?::\w+)?\}")
_SPACED: Final = re.compile(r"[^\W\d_][;!?»%]|[^\W\d_]:\s|\S [:;!?»%](?!\S)")
"""French punctuation without a no-break space. Figures and notation are exempt."""

ADDRESSED: Final = {
    "da": (r"(?<=[a-zæøå,] )I\b", "sammen"),
    "es": (r"\b\w+([áéí]|ía)is\b|\b(salís|seguís)\b", "juntos"),
    "fi": (r"\w+tte\b", "yhdessä"),
    "nb": (r"\b[Dd]ere\b", "sammen"),
}
"""Plural forms of “you”, and a word of the texts that address both players. Other texts address one
player."""

_TWICE: Final = re.compile(r"(.{20,})\1")
"""A repeated sentence, which a faulty merge of catalogues may leave behind."""


def texts(code: str) -> Iterator[str]:
    """Yield all translations into a language, with placeholders replaced."""
    path = ROOT / "companion" / "locale" / code / "LC_MESSAGES" / "boomboard.po"
    with path.open("rb") as file:
        catalogue = read_po(file)
    for message in catalogue:
        forms = message.string if isinstance(message.string, tuple) else (message.string,)
        if message.id:
            yield from (_PLACEHOLDER.sub("X", str(form)) for form in forms)


@pytest.mark.parametrize("code", AVOIDED)
def test_translations_avoid_forbidden_words(code: str) -> None:
    avoided = re.compile(AVOIDED[code], re.IGNORECASE)
    assert not [text for text in texts(code) if avoided.search(text)]


@pytest.mark.parametrize("code", ADDRESSED)
def test_one_player_is_addressed_in_the_singular(code: str) -> None:
    plural, together = ADDRESSED[code]
    assert not [text for text in texts(code) if re.search(plural, text) and together not in text]


@pytest.mark.parametrize("code", CODES)
def test_doubled_sentences(code: str) -> None:
    assert not [text for text in texts(code) if _TWICE.search(text)]


def test_french_punctuation() -> None:
    assert not [text for text in texts("fr") if _SPACED.search(text)]
    assert [text for text in texts("fr") if f"{_NO_BREAK}?" in text]


@pytest.mark.parametrize(
    ("text", "is_fault"),
    [
        ("Diese ?", True),
        ("Quel grade est-ce?", True),
        (f"Quel grade{_NO_BREAK}?", False),
        ("À 1:30", False),
        ("a7?a8 l’infiltré", False),
        ("Le camp X: prêt", True),
    ],
)
def test_missing_no_break_space_is_found(text: str, *, is_fault: bool) -> None:
    assert bool(_SPACED.search(text)) is is_fault
