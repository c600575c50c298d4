"""Tests for choosing a language according to an Accept-Language header."""

import pytest

from companion.speech.i18n import accepted_language


@pytest.mark.parametrize(
    ("accepted", "code"),
    [
        ("de-AT,de;q=0.9,en;q=0.5", "de"),
        ("xx, no;q=0.9, de", "nb"),
        ("FI", "fi"),
        ("", "en"),
        ("*", "en"),
        ("xx," * 20 + "de", "en"),
    ],
)
def test_first_available_language(accepted: str, code: str) -> None:
    assert accepted_language(accepted).code == code


def test_language_is_loaded_once() -> None:
    assert accepted_language("de") is accepted_language("de-CH, en")
