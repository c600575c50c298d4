"""The results of games at a hall's tables are entered in its tournament."""

import re
import time
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import pytest

from companion import cli
from companion.core.events import write_event
from companion.hall.protocol.feed import Began, Item, read_item
from companion.hall.server.store import GameArrival
from companion.hall.server.tables import Results, Tables
from companion.hall.tournament.tournament_file import read
from companion.storage.game_rows import PlayerNames
from engine.board.geometry import Side
from engine.game.rulings import GameOver, Reason
from engine.records.serialization import write_edition
from engine.rules.editions import DEFAULT, Edition, Handicap
from tests.companion.hall.saved_tables import SavedTable, items_of

RED_WINS = GameOver(Side.RED, Reason.FLAG_CAPTURED)
BLUE_WINS = GameOver(Side.BLUE, Reason.RESIGNATION)
DRAW = GameOver(None, Reason.AGREED_DRAW)
LATER: Final = 4_000_000_000.0
"""Unix time that is later than any tournament entry made with a command."""


@dataclass
class Hall:
    """Hall with games between two named players at its tables."""

    items: list[Item]
    tables: Tables = field(default_factory=Tables)
    order: int = 0

    def restart(self, cup: Path) -> None:
        """Restart the hall, which then receives the latest game of each table again."""
        before, self.tables = self.tables, Tables()
        Results(cup, self.tables, lambda: datetime.fromtimestamp(LATER + 600, UTC))
        for table in before.all():
            if table.item:
                first = replace(self.items[0], began=self._began(table.players))
                self.tables.show(table.name, table.game, first, table.arrival)
                self.tables.show(table.name, table.game, table.item, table.arrival)

    def begin(
        self,
        red: str,
        blue: str,
        name: str = "table-1",
        at: float = LATER,
        edition: Edition | None = None,
    ) -> None:
        """Begin a game at a table whose own clock always shows the same time."""
        self.order += 1
        began = self._began(PlayerNames(red, blue))
        if edition:
            began = replace(began, edition=write_edition(edition))
        first = replace(self.items[0], began=began)
        game = f"2020-01-02 18:30:00/{self.order}"
        self.tables.show(name, game, first, GameArrival(self.order, at))

    def end(self, over: GameOver | None, name: str = "table-1") -> None:
        """End a game, or undo its end if `over` is None."""
        now = self.tables.get(name)
        assert now
        assert now.item
        outcome = write_event(over) if over else None
        item = replace(self.items[-1], number=now.item.number + 1, outcome=outcome)
        self.tables.show(name, now.game, item, now.arrival)

    def _began(self, players: PlayerNames) -> Began:
        began = self.items[0].began
        assert began
        return replace(began, players=players)


@pytest.fixture
def hall(tmp_path: Path, cup: Path) -> Hall:
    table = SavedTable(tmp_path / "games.sqlite")
    table.play(2)
    table.journal.close()
    hall = Hall([read_item(text) for text in next(iter(items_of(table.path).values()))])
    hall.restart(cup)
    return hall


@pytest.fixture
def cup(tmp_path: Path) -> Path:
    """Tournament of four players, whose first round was paired in 2020."""
    file = tmp_path / "cup.jsonl"
    run_tournament(file, "new", "--name", "Cup")
    for name in ("Ada", "Ben", "Cleo", "Dan"):
        run_tournament(file, "add", name)
    run_tournament(file, "pair", "--round-robin")
    earlier = re.sub(r'"at": "[^"]*"', '"at": "2020-01-01T00:00:00+00:00"', file.read_text())
    file.write_text(earlier)
    return file


def run_tournament(file: Path, *words: str) -> None:
    assert cli.main(["tournament", words[0], "--file", str(file), *words[1:]]) == 0


def players(cup: Path, table: int) -> tuple[str, str]:
    """Return Red's and Blue's names at a table in the latest round."""
    tournament = read(cup).tournament
    pairing = tournament.rounds[-1].game_at(table)
    return tournament.player(pairing.red).name, tournament.player(pairing.blue).name


def result(cup: Path, table: int) -> str | None:
    found = read(cup).tournament.rounds[-1].game_at(table).result
    return found and found.value


def test_result_follows_the_outcome(cup: Path, hall: Hall) -> None:
    hall.begin(*players(cup, 2), name="table-2")
    hall.end(RED_WINS, "table-2")
    assert (result(cup, 1), result(cup, 2)) == (None, "red")
    assert read(cup).tournament.rounds[-1].game_at(2).reason == "flag-captured"
    assert read(cup).events[-1].by == "table-2"


def test_a_game_with_a_handicap_does_not_count(cup: Path, hall: Hall) -> None:
    edition = replace(DEFAULT, handicap=Handicap(Side.BLUE, double_time=True))
    hall.begin(*players(cup, 1), edition=edition)
    hall.end(RED_WINS)
    assert result(cup, 1) is None
    hall.begin(*players(cup, 1))
    hall.end(BLUE_WINS)
    assert result(cup, 1) == "blue"


@pytest.mark.parametrize("table", ["table-2", "table-9", "club"])
def test_players_may_sit_at_any_table(table: str, cup: Path, hall: Hall) -> None:
    red, blue = players(cup, 1)
    hall.begin(f" {red.upper()}", blue.lower(), table)
    hall.end(RED_WINS, table)
    assert (result(cup, 1), result(cup, 2)) == ("red", None)


@pytest.mark.parametrize(("over", "expected"), [(RED_WINS, "blue"), (DRAW, "draw")])
def test_players_may_swap_colours(over: GameOver, expected: str, cup: Path, hall: Hall) -> None:
    red, blue = players(cup, 1)
    hall.begin(blue, red)
    hall.end(over)
    assert result(cup, 1) == expected


def test_games_of_other_players_change_nothing(cup: Path, hall: Hall) -> None:
    before = cup.read_bytes()
    (red, blue), (other, _) = players(cup, 1), players(cup, 2)
    for seated in (("", ""), (red, ""), (red, other), (red, red), ("Eve", blue)):
        hall.begin(*seated)
        hall.end(RED_WINS)
    assert cup.read_bytes() == before


def test_game_before_the_pairing_changes_nothing(cup: Path, hall: Hall) -> None:
    before = cup.read_bytes()
    hall.begin(*players(cup, 1), at=1_000_000_000.0)
    hall.end(RED_WINS)
    assert cup.read_bytes() == before


def test_manual_result_is_kept(cup: Path, hall: Hall) -> None:
    run_tournament(cup, "result", "1", "draw")
    hall.begin(*players(cup, 1))
    hall.end(RED_WINS)
    hall.end(None)
    assert result(cup, 1) == "draw"


def test_taken_back_end_is_no_result(cup: Path, hall: Hall) -> None:
    hall.begin(*players(cup, 1))
    hall.end(RED_WINS)
    hall.restart(cup)
    hall.end(None)
    assert result(cup, 1) is None
    hall.restart(cup)
    hall.end(BLUE_WINS)
    assert result(cup, 1) == "blue"


def test_corrected_result_is_not_reopened(cup: Path, hall: Hall) -> None:
    hall.begin(*players(cup, 1))
    hall.end(RED_WINS)
    run_tournament(cup, "result", "1", "draw")
    hall.end(None)
    assert result(cup, 1) == "draw"


def test_reopened_game_stays_open_after_a_restart(cup: Path, hall: Hall) -> None:
    hall.begin(*players(cup, 1), at=time.time() - 60)
    hall.end(RED_WINS)
    run_tournament(cup, "result", "1", "open")
    hall.restart(cup)
    assert result(cup, 1) is None
    hall.begin(*players(cup, 1))
    hall.end(BLUE_WINS)
    assert result(cup, 1) == "blue", "the repeated game counts"


def test_second_game_changes_nothing(cup: Path, hall: Hall) -> None:
    hall.begin(*players(cup, 1))
    hall.end(RED_WINS)
    hall.begin(*players(cup, 1), at=LATER + 700)
    hall.end(BLUE_WINS)
    assert result(cup, 1) == "red"


def test_tournament_may_start_later(cup: Path, hall: Hall) -> None:
    first, second = players(cup, 1), players(cup, 2)
    away = cup.rename(cup.with_name("later.jsonl"))
    hall.begin(*first)
    hall.end(RED_WINS)
    assert not cup.exists()
    away.rename(cup)
    hall.begin(*second, name="table-2")
    hall.end(BLUE_WINS, "table-2")
    assert (result(cup, 1), result(cup, 2)) == (None, "blue")


@pytest.mark.parametrize("outcome", [{"event": "moved"}, {}])
def test_unknown_outcome_changes_nothing(outcome: dict[str, str], cup: Path, hall: Hall) -> None:
    before = cup.read_bytes()
    hall.begin(*players(cup, 1))
    now = hall.tables.get("table-1")
    assert now
    assert now.item
    hall.tables.show("table-1", now.game, replace(now.item, outcome=outcome), now.arrival)
    assert cup.read_bytes() == before
