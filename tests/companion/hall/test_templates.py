"""Escaping and translation in the hall's page templates."""

from pathlib import Path

import pytest
from jinja2 import UndefinedError

from companion.hall import templates
from companion.hall.console import pages
from companion.hall.protocol.feed import read_item
from companion.hall.server.store import Act
from companion.hall.server.tables import Tables
from companion.hall.templates import render
from companion.speech.i18n import Language
from companion.storage.game_rows import PlayerNames
from tests.companion.hall.saved_tables import SavedTable, items_of
from tools.catalogues import extract

ENGLISH = Language("en")
FILES = sorted(Path(templates.__file__).parent.glob("*.html"))
SCRIPT = "<script>'\"&</script>"
ESCAPED = "&lt;script&gt;&#39;&#34;&amp;&lt;/script&gt;"


@pytest.fixture
def tables(tmp_path: Path) -> Tables:
    """Table with two players whose names contain an HTML script element."""
    table = SavedTable(tmp_path / "games.sqlite", names=PlayerNames(SCRIPT, SCRIPT))
    table.play(2)
    table.journal.close()
    tables = Tables()
    for game, items in items_of(table.path).items():
        for text in items:
            tables.show("table-1", game, read_item(text))
    tables.set_presence("table-1", is_here=True)
    return tables


def test_names_are_escaped(tables: Tables) -> None:
    table = tables.get("table-1")
    assert table
    act = Act(1, table.game, SCRIPT, {"what": "pause"}, taken=None)
    for page, names in (
        (pages.render_overview(tables.all(), ENGLISH, author=SCRIPT), 3),
        (pages.render_table_page(table, [], [act], ENGLISH, author=SCRIPT), 4),
        (pages.render_sign_in(ENGLISH, SCRIPT), 1),
    ):
        assert SCRIPT not in page
        assert page.count(ESCAPED) == names


@pytest.mark.parametrize(
    ("taken", "seconds", "words"),
    [
        (None, 0, "sending …"),
        (None, pages.ANSWER_SECONDS + 1, "The table has not answered"),
        (True, pages.ANSWER_SECONDS + 1, "accepted"),
        (False, 0, "Too late: the game has moved on"),
    ],
)
def test_act_shows_its_result(taken: bool | None, seconds: float, words: str) -> None:
    act = Act(1_767_000_000_000, "2026-01-02 18:30:00/1", "Anna", {"what": "pause"}, taken)
    assert pages.answer_words(act, ENGLISH, act.at + seconds) == words


def test_missing_value_is_an_error() -> None:
    with pytest.raises(UndefinedError, match="'author' is undefined"):
        render("console.html", ENGLISH, content="sign_in.html", title="", wrong="")


def test_pages_run_only_their_own_scripts() -> None:
    for file in FILES:
        text = file.read_text(encoding="utf-8")
        assert " on" not in text.replace(" one ", " "), f"{file.name} has an event handler"
        assert "style=" not in text
        assert text.count("<script") == text.count('<script src="/static/')
    unescaped = [file.name for file in FILES if "safe" in file.read_text(encoding="utf-8")]
    assert unescaped == ["printed.html"], "only the embedded style sheet is unescaped"


def test_texts_of_templates_are_translated() -> None:
    catalogue = extract()
    for text in ("Sign in", "Sign out", "Your code", "Incidents", "Table {number}", "Signature"):
        places = [path for path, _ in catalogue[text].locations]
        assert any(path.startswith("companion/hall/templates/") for path in places), text
    german = pages.render_sign_in(Language("de"), "")
    assert ">Anmelden<" in german
