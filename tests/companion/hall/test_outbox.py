"""On any network, no item is lost, repeated or reordered between the journal and the hall."""

from collections import deque
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.hall.protocol import messages
from companion.hall.publisher import uplink
from companion.hall.publisher.uplink import AHEAD, PATIENCE, Outbox, Remembered
from companion.hall.server.store import NewItem, Store
from companion.storage.journal_tail import JournalTail
from engine.board.geometry import Side
from engine.game.actions import Resign
from engine.game.clocks import ClockState
from tests.companion.hall.saved_tables import SavedTable, items_of

PLACE = "table-1"
MOST_PACKET = 65_536
"""Maximum message size in the broker's configuration, in bytes."""


@dataclass
class Way:
    """Table and hall, connected by a network that loses and repeats messages."""

    table: SavedTable
    store: Store
    now: float = 0.0
    going: deque[bytes] = field(default_factory=deque)
    coming: deque[messages.Receipt] = field(default_factory=deque)

    def __post_init__(self) -> None:
        self.start()

    def restart(self) -> None:
        self.follower.close()
        self.start()

    def start(self) -> None:
        self.follower = JournalTail(self.table.path, "board")
        self.outbox = Outbox(self.follower, 1, lambda: self.now)
        self.ask()

    def ask(self) -> None:
        self.outbox.connect()
        self.coming.extend(messages.receipts(self.store.lengths(PLACE)))

    def send(self) -> None:
        if self.follower.has_grown():
            self.outbox.read()
        self.going.extend(messages.write_item_message(*each) for each in self.outbox.due())

    def receive(self, most: int) -> None:
        received = [
            messages.read_item_message(self.going.popleft())
            for _ in range(min(most, len(self.going)))
        ]
        lengths = self.store.add(
            NewItem(PLACE, each.game, each.item.number, each.text) for each in received
        )
        games = {game: length for (_, game), length in lengths.items()}
        self.coming.append(messages.Receipt(games))

    def confirm(self) -> None:
        while self.coming:
            self.outbox.confirm(self.coming.popleft())

    def do(self, what: str) -> None:
        match what:
            case "play":
                self.table.play(3)
            case "send":
                self.send()
            case "receive":
                self.receive(2)
            case "confirm":
                self.confirm()
            case "lose what goes" if self.going:
                self.going.popleft()
            case "lose what comes" if self.coming:
                self.coming.popleft()
            case "double" if self.going:
                self.going.append(self.going[0])
            case "new connection":
                self.going.clear()
                self.coming.clear()
                self.ask()
            case "restart the table":
                self.follower.close()
                self.restart()
            case "wait":
                self.now += PATIENCE + 1

    def come_to_rest(self) -> None:
        while self.kept() != items_of(self.table.path):
            self.do("wait")
            self.send()
            self.receive(AHEAD)
            if self.outbox.waits_for_hall:
                self.ask()
            self.confirm()

    def kept(self) -> dict[str, list[str]]:
        return {
            game: [each.body for each in self.store.items(PLACE, game)]
            for game in self.store.games(PLACE)
        }

    def close(self) -> None:
        self.follower.close()
        self.store.close()
        self.table.journal.close()


DOINGS = [
    *("play", "send", "receive", "confirm", "lose what goes", "lose what comes", "double"),
    *("new connection", "restart the table", "wait"),
]


@settings(max_examples=25, deadline=None)
@given(st.lists(st.sampled_from(DOINGS), max_size=30), st.integers(0, 50))
def test_hall_matches_the_journal_despite_faults(doings: list[str], seed: int) -> None:
    with TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as folder:
        table = SavedTable(Path(folder, "games.sqlite"), seed)
        way = Way(table, Store(str(Path(folder, "hall.sqlite"))))
        for what in doings:
            way.do(what)
            for game, items in way.kept().items():
                assert items == items_of(table.path)[game][: len(items)]
        way.come_to_rest()
        way.close()


def test_games_are_sent_in_order(tmp_path: Path) -> None:
    table = SavedTable(tmp_path / "games.sqlite")
    way = Way(table, Store(str(tmp_path / "hall.sqlite")))
    table.begin()
    table.begin()
    games = [*items_of(table.path)]
    for sent in (games[:1], games[:2], games, []):
        way.confirm()
        way.send()
        assert {messages.read_item_message(each).game for each in way.going} == {*sent[-1:]}
        way.receive(99)
    assert way.store.games(PLACE) == games
    way.close()


def test_sending_waits_for_the_hall_state(tmp_path: Path) -> None:
    table = SavedTable(tmp_path / "games.sqlite")
    way = Way(table, Store(str(tmp_path / "hall.sqlite")))
    way.send()
    assert not way.going
    way.confirm()
    way.send()
    assert len(way.going) == 2
    way.close()


def test_lost_database_is_refilled(tmp_path: Path) -> None:
    table = SavedTable(tmp_path / "games.sqlite")
    table.play(6)
    way = Way(table, Store(str(tmp_path / "hall.sqlite")))
    way.come_to_rest()
    way.store.close()
    way.store = Store(str(tmp_path / "another.sqlite"))
    way.ask()
    way.come_to_rest()
    way.close()


def test_hall_with_thousands_of_games(tmp_path: Path) -> None:
    table = SavedTable(tmp_path / "games.sqlite")
    table.play(6)
    way = Way(table, Store(str(tmp_path / "hall.sqlite")))
    way.come_to_rest()
    lengths = {f"2020-01-01 00:00:00/{10**16 + n}": messages.MOST_NUMBER for n in range(5_000)}
    sent = [
        messages.write_received(each)
        for each in messages.receipts({**lengths, **way.store.lengths(PLACE)})
    ]
    assert max(map(len, sent)) < MOST_PACKET
    way.outbox.connect()
    for each in sent:
        assert way.outbox.waits_for_hall
        assert not way.outbox.due()
        way.outbox.confirm(messages.read_received(each))
    assert not way.outbox.waits_for_hall
    assert not way.outbox.due()
    way.close()


@given(st.sets(st.integers(1, 10**17), max_size=40), st.integers(1, 12), st.integers(1, 10**17))
def test_ranges_cover_games_once(numbers: set[int], size: int, other: int) -> None:
    lengths = {messages.game_key("2026-01-02 18:30:00", number): number for number in numbers}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(messages, "GAMES_PER_RECEIPT", size)
        received = list(messages.receipts(lengths))
    for key in (*lengths, messages.game_key("2026-01-02 18:30:00", other)):
        (covering,) = [each for each in received if each.covers and key in each.covers]
        assert covering.games.get(key) == lengths.get(key)
    assert all(len(each.games) <= size for each in received)


def test_unacknowledged_items_are_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uplink, "AHEAD", 3)
    table = SavedTable(tmp_path / "games.sqlite")
    table.play(6)
    way = Way(table, Store(str(tmp_path / "hall.sqlite")))
    way.confirm()
    way.send()
    way.send()
    assert len(way.going) == 3
    way.receive(2)
    way.confirm()
    way.send()
    assert len(way.going) == 3
    way.close()


def test_items_are_repeated_only_after_the_time_limit(tmp_path: Path) -> None:
    table = SavedTable(tmp_path / "games.sqlite")
    way = Way(table, Store(str(tmp_path / "hall.sqlite")), now=100.0)
    way.confirm()

    def sent_after(seconds: float) -> list[bytes]:
        way.now += seconds
        before = len(way.going)
        way.send()
        return [*way.going][before:]

    first = sent_after(0)
    assert first
    assert [sent_after(each) for each in (PATIENCE, 0.1, PATIENCE, 0.1)] == [[], first, [], first]
    way.receive(AHEAD)
    way.confirm()
    assert sent_after(1000) == []
    table.play(1)
    assert len(sent_after(0.1)) == 1
    assert sent_after(0.1) == []
    way.close()


def test_games_before_joining_are_not_sent(tmp_path: Path) -> None:
    table = SavedTable(tmp_path / "games.sqlite")
    follower = JournalTail(table.path, "board")
    remembered = Remembered(tmp_path / "hall.json", follower.next_number())
    outbox = Outbox(follower, remembered.first, lambda: 0.0)
    outbox.read()
    assert not outbox.items()
    table.begin()
    outbox.read()
    assert list(outbox.items()) == [key for key in items_of(table.path) if key.endswith("/2")]
    assert Remembered(tmp_path / "hall.json", 99).first == 2
    follower.close()
    table.journal.close()


def test_game_with_an_impossible_action_ends_there(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    table = SavedTable(tmp_path / "games.sqlite")
    for at in (2.0, 3.0):
        table.journal.append(table.number, at, [Resign(Side.RED)], None, ClockState())
    table.begin()
    follower = JournalTail(table.path, "board")
    outbox = Outbox(follower, 1, lambda: 0.0)
    outbox.read()
    (damaged, items), (_, others) = outbox.items().items()
    assert (len(items), len(others)) == (3, 2)
    (message,) = caplog.messages
    assert message.startswith(f"game {damaged} is no longer reported to the hall: ")
    assert message.endswith("found resign red")
    follower.close()
    table.journal.close()


def test_games_of_a_new_file_are_sent(tmp_path: Path) -> None:
    assert Remembered(tmp_path / "hall.json", 7).first == 7
    assert Remembered(tmp_path / "hall.json", 1).first == 1


@pytest.mark.parametrize("origin", ["another board", ""])
def test_games_of_other_boards_are_not_sent(origin: str, tmp_path: Path) -> None:
    table = SavedTable(tmp_path / "games.sqlite")
    assert items_of(table.path, origin) == {}
    table.journal.close()
