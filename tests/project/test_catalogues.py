"""Tests that ``make texts`` updates only text that has changed."""

import copy
import shutil
from pathlib import Path

import pytest
from babel.messages import Catalog

from tests.project import ROOT
from tools.catalogues import extract, refuse_overlooked, renew

GERMAN = ROOT / "companion" / "locale" / "de" / "LC_MESSAGES" / "boomboard.po"


@pytest.fixture(scope="module")
def extracted() -> Catalog:
    """Extract all of the program's text, which takes a second."""
    return extract()


@pytest.fixture
def template(extracted: Catalog) -> Catalog:
    """Return a copy of the extracted text. A test may add text to the copy."""
    return copy.deepcopy(extracted)


def test_catalogues_have_no_timestamps(tmp_path: Path, template: Catalog) -> None:
    path = Path(shutil.copy(GERMAN, tmp_path))
    renew(path, template)
    assert "Date: 2" not in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("text", ["What nobody has said yet.", ("{count} newt", "{count} newts")])
def test_new_text_is_untranslated(
    tmp_path: Path, template: Catalog, text: str | tuple[str, str]
) -> None:
    path = Path(shutil.copy(GERMAN, tmp_path))
    assert renew(path, template) == 0
    template.add(text)
    assert [renew(path, template), renew(path, template)] == [1, 1], (
        "a new text counts on the first run and later"
    )


def test_new_language_is_untranslated(tmp_path: Path, template: Catalog) -> None:
    path = tmp_path / "boomboard.po"
    path.write_text(
        'msgid ""\n'
        'msgstr ""\n'
        '"Language: nl\\n"\n'
        '"Content-Type: text/plain; charset=utf-8\\n"\n'
        '"Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n'
    )
    assert [renew(path, template), renew(path, template)] == [len(template)] * 2


def test_translations_are_kept(tmp_path: Path, template: Catalog) -> None:
    path = Path(shutil.copy(GERMAN, tmp_path))
    renew(path, template)
    renewed = path.read_text(encoding="utf-8")
    renew(path, extract())
    assert path.read_text(encoding="utf-8") == renewed
    assert 'msgid "Boom!"\nmsgstr "Bumm!"\n' in renewed


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("screen.py", "text = f\"{chosen}: {_('No clock')}\""),
        ("screen.py", "text = f\"{self.language.plural('a day', 'days', 2)}\""),
        ("screen.kv", "    text: f'{root.chosen}: {_(\"No clock\")}'"),
    ],
)
def test_text_in_an_f_string_is_refused(tmp_path: Path, name: str, line: str) -> None:
    path = tmp_path / "companion" / name
    path.parent.mkdir()
    path.write_text(f"# A screen.\n{line}\n")
    with pytest.raises(ValueError, match=rf"companion/{name}, line 2: "):
        refuse_overlooked(path.parent)


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("screen.py", 'text = f"{chosen}: {word}" + _("No clock")'),
        ("screen.py", 'text = f"{side(_)} {self._name()}"'),
        ("screen.kv", "    text: f'{root.chosen}' + _('No clock')"),
    ],
)
def test_other_f_strings_are_allowed(tmp_path: Path, name: str, line: str) -> None:
    (tmp_path / name).write_text(f"{line}\n")
    refuse_overlooked(tmp_path)
