"""Games that end at the tables of a hall become results in its tournament."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from companion import cli
from companion.hall.protocol.feed_item import Item, read_item
from companion.hall.server.tables import Results, Tables
from companion.hall.tournament.tournament import TablePairing
from companion.hall.tournament.tournament_file import read
from companion.jsonl.events import write_event
from engine.board.geometry import Side
from engine.game.rulings import GameOver, Reason
from tests.companion.hall.saved_tables import SavedTable, told_of

EARLIER = "2020-01-02 18:30:00/1"
GAME = "2099-01-02 18:30:00/2"
"""The game began after the round had been paired."""
RED_WINS = GameOver(Side.RED, Reason.FLAG_CAPTURED)
BLUE_WINS = GameOver(Side.BLUE, Reason.RESIGNATION)


@pytest.fixture
def item(tmp_path: Path) -> Item:
    table = SavedTable(tmp_path / "games.sqlite")
    table.play(2)
    table.journal.close()
    return [read_item(text) for text in next(iter(told_of(table.path).values()))][-1]


@pytest.fixture
def cup(tmp_path: Path) -> Path:
    """A tournament with four players whose first round is paired."""
    file = tmp_path / "cup.jsonl"
    tell(file, "new", "--name", "Cup")
    for name in ("Ada", "Ben", "Cleo", "Dan"):
        tell(file, "add", name)
    tell(file, "pair", "--round-robin")
    return file


def tell(file: Path, *words: str) -> None:
    assert cli.main(["tournament", words[0], "--file", str(file), *words[1:]]) == 0


@pytest.fixture
def tables(cup: Path) -> Tables:
    tables = Tables()
    Results(cup, tables, lambda: datetime(2099, 1, 2, 19, tzinfo=UTC))
    return tables


def ended(item: Item, over: GameOver | None, number: int = 9) -> Item:
    return replace(item, number=number, outcome=write_event(over) if over else None)


def game(cup: Path, table: int) -> TablePairing:
    return read(cup).tournament.rounds[-1].game_at(table)


def result(cup: Path, table: int) -> str | None:
    found = game(cup, table).result
    return found and found.value


def test_how_a_game_ends_is_the_result_of_its_table(cup: Path, tables: Tables, item: Item) -> None:
    tables.show("table-2", GAME, ended(item, None, 8))
    tables.show("table-2", GAME, ended(item, RED_WINS))
    assert (result(cup, 1), result(cup, 2)) == (None, "red")
    assert game(cup, 2).reason == "flag-captured"
    assert read(cup).events[-1].by == "table-2"


def test_what_was_set_by_hand_stays(cup: Path, tables: Tables, item: Item) -> None:
    tell(cup, "result", "1", "draw")
    tables.show("table-1", GAME, ended(item, RED_WINS))
    tables.show("table-1", GAME, ended(item, None, 10))
    assert result(cup, 1) == "draw"


def test_an_end_that_is_taken_back_is_no_result(cup: Path, tables: Tables, item: Item) -> None:
    tables.show("table-1", GAME, ended(item, RED_WINS))
    tables.show("table-1", GAME, ended(item, None, 10))
    assert result(cup, 1) is None
    tables.show("table-1", GAME, ended(item, BLUE_WINS, 11))
    assert result(cup, 1) == "blue"


def test_a_result_that_was_corrected_is_not_opened_again(
    cup: Path, tables: Tables, item: Item
) -> None:
    tables.show("table-1", GAME, ended(item, RED_WINS))
    tell(cup, "result", "1", "draw")
    tables.show("table-1", GAME, ended(item, None, 10))
    assert result(cup, 1) == "draw"


@pytest.mark.parametrize(
    ("table", "key"), [("table-1", EARLIER), ("table-9", GAME), ("club", GAME)]
)
def test_what_is_no_game_of_the_round_changes_nothing(
    table: str, key: str, cup: Path, tables: Tables, item: Item
) -> None:
    before = cup.read_bytes()
    tables.show(table, key, ended(item, RED_WINS))
    assert cup.read_bytes() == before


def test_a_second_game_at_the_table_changes_nothing(cup: Path, tables: Tables, item: Item) -> None:
    tables.show("table-1", GAME, ended(item, RED_WINS))
    another = GAME.replace("/2", "/3")
    tables.show("table-1", another, ended(item, None, 1))
    tables.show("table-1", another, ended(item, BLUE_WINS))
    assert result(cup, 1) == "red"


def test_a_tournament_may_be_begun_later(cup: Path, tables: Tables, item: Item) -> None:
    away = cup.rename(cup.with_name("later.jsonl"))
    tables.show("table-1", GAME, ended(item, RED_WINS))
    assert not cup.exists()
    away.rename(cup)
    tables.show("table-2", GAME, ended(item, BLUE_WINS))
    assert (result(cup, 1), result(cup, 2)) == (None, "blue")


def test_an_outcome_that_nobody_understands_changes_nothing(
    cup: Path, tables: Tables, item: Item
) -> None:
    before = cup.read_bytes()
    tables.show("table-1", GAME, replace(item, outcome={"event": "moved"}))
    tables.show("table-2", GAME, replace(item, outcome={}))
    assert cup.read_bytes() == before
