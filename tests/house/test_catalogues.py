"""``make texts``: whoever runs it changes what has changed, and nothing else."""

import shutil
from pathlib import Path

import pytest

from tests.house import ROOT
from tools.catalogues import extract, renew

GERMAN = ROOT / "companion" / "locale" / "de" / "LC_MESSAGES" / "boomboard.po"


def test_a_catalogue_tells_nothing_of_when_it_was_renewed(tmp_path: Path) -> None:
    path = Path(shutil.copy(GERMAN, tmp_path))
    renew(path, extract())
    assert "Date: 2" not in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("text", ["What nobody has said yet.", ("{count} newt", "{count} newts")])
def test_a_new_text_is_not_translated_yet(tmp_path: Path, text: str | tuple[str, str]) -> None:
    path, template = Path(shutil.copy(GERMAN, tmp_path)), extract()
    assert renew(path, template) == 0
    template.add(text)
    assert [renew(path, template), renew(path, template)] == [1, 1], "as it comes in, and later"


def test_of_a_new_language_nothing_is_translated_yet(tmp_path: Path) -> None:
    path, template = tmp_path / "boomboard.po", extract()
    path.write_text(
        'msgid ""\n'
        'msgstr ""\n'
        '"Language: nl\\n"\n'
        '"Content-Type: text/plain; charset=utf-8\\n"\n'
        '"Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n'
    )
    assert [renew(path, template), renew(path, template)] == [len(template)] * 2


def test_translations_stay_as_they_are(tmp_path: Path) -> None:
    path = Path(shutil.copy(GERMAN, tmp_path))
    renew(path, extract())
    renewed = path.read_text(encoding="utf-8")
    renew(path, extract())
    assert path.read_text(encoding="utf-8") == renewed
    assert 'msgid "Boom!"\nmsgstr "Bumm!"\n' in renewed
