"""A journal's items are reproducible, in order, and free of secret ranks."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.events import BoardDiffers, BoardDisconnected, Restored
from companion.core.inputs import AnswerCall, CallArbiter, Pause, Resume, WithdrawCall
from companion.hall.protocol.feed import Feed, Item, Stands, read_item, write_item
from companion.hall.protocol.messages import game_key
from companion.storage.game_rows import NO_NAMES, ChecksumError, Note
from companion.storage.journal_tail import ActionRow, GameStarted, JournalTail, NoteRow, Row
from engine.board.geometry import Side, square
from engine.board.ranks import Rank
from engine.board.visibility import Secret
from engine.deduction.commitment import ArmyCommitment, seal_words
from engine.game import actions
from engine.game.clocks import Clock, ClockState, Limit, TimeControl
from engine.game.referee import Referee
from engine.records.transcript import SealState
from engine.rules.editions import DEFAULT
from engine.rules.rules import Violation
from firmware_bridge.image import Image, ImageDifference
from tests.companion.core.sealed_table_driver import ARMIES, SEALED
from tests.companion.hall.saved_tables import SavedTable, items_of

BEGUN = GameStarted(3, "2026-01-02 18:30:00", DEFAULT, TimeControl.parse("12+4"), NO_NAMES)
PLACED = ActionRow(0.0, actions.PlaceArmies(Side.RED.home, Side.BLUE.home), ClockState())


def move(source: str, target: str) -> ActionRow:
    return ActionRow(1.0, actions.Move(square(source), square(target)), ClockState())


def attack(source: str, target: str) -> ActionRow:
    return ActionRow(2.0, actions.Attack(square(source), square(target)), ClockState())


def declare(side: Side, rank: Rank) -> ActionRow:
    return ActionRow(3.0, actions.Declare(Secret(side, rank)), ClockState())


FIGHT = [PLACED, move("e4", "e5"), move("e7", "e6"), attack("e5", "e6")]


def items(*rows: Row) -> list[Item]:
    feed = Feed(BEGUN)
    return [feed.begin(), *map(feed.take, rows)]


def test_first_item_and_numbers() -> None:
    first, placed, moved = items(PLACED, move("e4", "e5"))
    assert [first.number, placed.number, moved.number] == [1, 2, 3]
    assert first.began
    assert first.began.edition["id"] == DEFAULT.id
    assert "seed" not in write_item(first)
    assert moved.events[0]["event"] == "moved"
    assert moved.board[54] == "r", "index 54 is e5, because row 10 comes first"
    assert moved.to_move is Side.BLUE


def test_items_have_seals_and_proofs() -> None:
    commitments = {side: ArmyCommitment.of(side, ARMIES[side]) for side in Side}
    placed = actions.PlaceArmies(Side.RED.home, Side.BLUE.home, commitments)
    opened = actions.OpenArmy(Side.RED, ARMIES[Side.RED])
    feed = Feed(replace(BEGUN, edition=SEALED))
    rows = [
        ActionRow(1.0, action, ClockState())
        for action in (placed, actions.Resign(Side.BLUE), opened)
    ]
    published = [feed.begin(), *map(feed.take, rows)]
    assert published[0].seals is None
    seals = [each.seals for each in published[1:]]
    unproved = dict.fromkeys(Side, SealState.NOT_PROVED)
    proved = {**unproved, Side.RED: SealState.PROVED}
    assert [each and each.states for each in seals] == [unproved, unproved, proved]
    assert {each and each.words for each in seals} == {str(seal_words(commitments))}
    assert [read_item(write_item(each)) for each in published] == published


def test_declared_rank_is_sent_with_the_combat() -> None:
    *before, declared, fought = items(
        *FIGHT, declare(Side.RED, Rank.CAPTAIN), declare(Side.BLUE, Rank.SCOUT)
    )
    assert not any("captain" in write_item(item) for item in [*before, declared])
    assert declared.events == ({"to": "all", "event": "declared", "side": "red"},)
    assert fought.events[-1]["attacker"] == "captain"


HIDDEN = sorted(set(Rank) - {Rank.BOMB, Rank.FLAG, Rank.INFILTRATOR})


@pytest.mark.parametrize("end", [actions.Resign(Side.BLUE), actions.TakeBack()])
@given(st.sampled_from(HIDDEN), st.sampled_from(HIDDEN))
def test_items_do_not_depend_on_hidden_ranks(end: actions.Action, one: Rank, other: Rank) -> None:
    published = [
        [
            write_item(item)
            for item in items(*FIGHT, declare(Side.RED, rank), ActionRow(4.0, end, ClockState()))
        ]
        for rank in (one, other)
    ]
    assert published[0] == published[1]


def test_private_proof_is_not_sent() -> None:
    fight = [
        *FIGHT,
        ActionRow(4.0, actions.UpholdDeclaration(Secret(Side.RED, Rank.BOMB)), ClockState()),
    ]
    insisted = items(*fight)[-1]
    assert insisted.stands is Stands.DISPUTE
    assert "bomb" not in write_item(insisted)
    settled = items(*fight, ActionRow(5.0, actions.SettleDispute(accepted=False), ClockState()))[-1]
    assert settled.stands is Stands.NOTHING


def test_obstacles_are_reported_until_resolved() -> None:
    violation = next(
        each
        for each in Referee().apply(actions.Move(square("e4"), square("e4")))
        if isinstance(each, Violation)
    )
    differs = BoardDiffers(ImageDifference(missing=1, surplus=0), Image(1, 2))
    stands = [
        (item.stands, item.is_paused)
        for item in items(
            PLACED,
            NoteRow(1.0, violation, ClockState()),
            move("e4", "e5"),
            NoteRow(2.0, differs, ClockState()),
            NoteRow(3.0, Restored(), ClockState()),
            NoteRow(4.0, Pause(), ClockState()),
            NoteRow(4.5, BoardDisconnected(), ClockState()),
            NoteRow(5.0, Resume(), ClockState()),
            ActionRow(6.0, actions.Resign(Side.RED), ClockState()),
        )
    ][2:]
    assert stands == [
        (Stands.VIOLATION, False),
        (Stands.NOTHING, False),
        (Stands.DISTURBED, False),
        (Stands.NOTHING, False),
        (Stands.NOTHING, True),
        (Stands.NO_BOARD, True),
        (Stands.NO_BOARD, False),
        (Stands.NOTHING, False),
    ]


def test_clocks_stop_during_a_pause() -> None:
    refused = Referee().apply(actions.Move(square("e4"), square("e4")))
    violation = next(each for each in refused if isinstance(each, Violation))
    clock = ClockState(running=Limit.RED)
    published = items(
        PLACED,
        NoteRow(1.0, violation, clock),
        NoteRow(2.0, Pause(), clock),
        NoteRow(3.0, Resume(), clock),
        NoteRow(4.0, Pause(), clock),
        ActionRow(5.0, actions.Forfeit(Side.RED), clock),
    )[2:]
    assert [(item.stands, item.is_paused, bool(item.running)) for item in published] == [
        (Stands.VIOLATION, False, True),
        (Stands.VIOLATION, True, False),
        (Stands.VIOLATION, False, True),
        (Stands.VIOLATION, True, False),
        (Stands.NOTHING, False, False),
    ]


def test_call_is_reported_until_answered() -> None:
    red, both = CallArbiter(Side.RED), CallArbiter(None)
    given: list[Note] = [red, Pause(), AnswerCall(), both, WithdrawCall(Side.BLUE), both]
    notes = [NoteRow(1.0, each, ClockState()) for each in given]
    published = items(PLACED, *notes, ActionRow(2.0, actions.Resign(Side.RED), ClockState()))
    assert [item.call for item in published[2:]] == [red, red, None, both, None, both, both]
    assert [read_item(write_item(item)).call for item in published] == [
        item.call for item in published
    ]


def test_clocks_in_items() -> None:
    used = {**dict.fromkeys(Limit, 0.0), Limit.RED: 10.0}
    clock = ClockState(used, Limit.RED, 2.5)
    item = items(PLACED, ActionRow(1.0, actions.Move(square("e4"), square("e5")), clock))[-1]
    allowed = BEGUN.control.allowed(Limit.RED)
    assert allowed is not None
    assert item.left["red"] == allowed - 12.5
    assert item.running[0] == "red"


def test_clocks_while_a_side_is_charged() -> None:
    """The suspended turn has also used time."""
    control = replace(BEGUN.control, whole=3_600)
    clock = Clock(control)
    clock.turn(Side.RED, 0.0)
    clock.deduct(Side.BLUE, 100.0)
    clock.pause(110.0)
    feed = Feed(replace(BEGUN, control=control))
    item = feed.take(NoteRow(1.0, Pause(), clock.state(110.0)))
    assert item.left["red"] == clock.remaining(Side.RED, 110.0)
    assert item.left["blue"] == clock.remaining(Side.BLUE, 110.0)
    assert item.left["whole"] == 3_490


@pytest.mark.parametrize("steps", [1, 7, 1000])
def test_feed_is_deterministic(steps: int, tmp_path: Path) -> None:
    table = SavedTable(tmp_path / "games.sqlite", seed=steps)
    follower = JournalTail(table.path, "board")
    (begun,) = follower.games(1)
    feed, rows = Feed(begun), follower.rows(begun.game)
    texts = [write_item(feed.begin())]
    for each in range(30):
        table.play(1)
        if each % steps == 0:
            texts.extend(write_item(feed.take(row)) for row in rows.new())
    texts.extend(write_item(feed.take(row)) for row in rows.new())
    follower.close()
    assert texts == items_of(table.path)[game_key(begun.at, begun.game)]
    assert [json.loads(text)["number"] for text in texts] == list(range(1, len(texts) + 1))
    table.journal.close()


def test_round_trip(tmp_path: Path) -> None:
    table = SavedTable(tmp_path / "games.sqlite")
    table.play(40)
    texts = [text for game in items_of(table.path).values() for text in game]
    assert [write_item(read_item(text)) for text in texts] == texts
    table.journal.close()


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
)


@given(st.binary(max_size=200) | PLAIN.map(lambda made: json.dumps(made).encode()))
def test_random_input_is_refused(junk: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 (whichever it is)
        read_item(junk)


@pytest.mark.parametrize(
    ("field", "junk", "found"),
    [
        ("number", 0, r'"number" of the item must be a whole number from 1 to'),
        ("number", True, "found true"),
        ("at", 1e12, '"at" of the item must be a number of seconds; found another number'),
        ("board", "." * 99, '"board" of the item must be 100 characters; found another string'),
        (
            "phase",
            "pause",
            '"phase" of the item must be one of setup, play, .*; found',
        ),
        ("call", "green", "must be red, blue, both or an empty string; found another string"),
        (
            "left",
            {"red": "1"},
            r'"left\..*" of the item must be a number of seconds; found a string',
        ),
        (
            "running",
            ["green"],
            r'"running\[0\]" of the item must be one of setup, red, blue',
        ),
        ("events", [1], r'"events\[0\]" of the item must be an object; found a number'),
        ("began", {}, '"began.at" of the item must be a string; found nothing'),
        ("rank", "spy", "must be an object of .* and no others; found another field"),
    ],
)
def test_wrong_field_is_named(field: str, junk: object, found: str) -> None:
    plain = json.loads(write_item(items(PLACED)[0]))
    with pytest.raises(ValueError, match=found):
        read_item(json.dumps({**plain, field: junk}))


@pytest.mark.parametrize("depth", [60, 300, 900, 5000])
def test_deep_nesting_is_refused(depth: int) -> None:
    plain = write_item(items(PLACED)[0])
    deep = plain.replace('"events":[', '"events":[{"a":' + "[" * depth + "]" * depth + "},")
    with pytest.raises(ValueError, match="nested too deeply"):
        read_item(deep.replace(",]", "]"))


def test_damaged_row_is_not_sent(tmp_path: Path) -> None:
    table = SavedTable(tmp_path / "games.sqlite")
    table.play(5)
    table.journal.file.connection.execute("UPDATE action SET at = at + 1 WHERE number = 3")
    follower = JournalTail(table.path, "board")
    with pytest.raises(ChecksumError):
        follower.rows(table.number).new()
    follower.close()
    table.journal.close()
