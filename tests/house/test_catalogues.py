"""``make texts``: whoever runs it changes what has changed, and nothing else."""

import shutil
from pathlib import Path

from tests.house import ROOT
from tools.catalogues import extract, renew

GERMAN = ROOT / "companion" / "locale" / "de" / "LC_MESSAGES" / "boomboard.po"


def test_a_catalogue_tells_nothing_of_when_it_was_renewed(tmp_path: Path) -> None:
    path = Path(shutil.copy(GERMAN, tmp_path))
    renew(path, extract())
    assert "Date: 2" not in path.read_text(encoding="utf-8")


def test_translations_stay_as_they_are(tmp_path: Path) -> None:
    path = Path(shutil.copy(GERMAN, tmp_path))
    renew(path, extract())
    renewed = path.read_text(encoding="utf-8")
    renew(path, extract())
    assert path.read_text(encoding="utf-8") == renewed
    assert 'msgid "Boom!"\nmsgstr "Bumm!"\n' in renewed
