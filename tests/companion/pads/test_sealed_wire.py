"""Compare the traffic of two sealed sessions that differ in the squares of two red pieces.

Both sessions use the same salts. Before a combat, Blue's phone, the spectators, the hall and the
log receive nothing that depends on the difference.
"""

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import pytest

from companion.core.table import Table
from companion.hall.protocol.feed import Feed, write_item
from companion.pads import Pads, player_view, service
from companion.pads.player_view import public_view
from companion.setups.setup import Setup
from companion.storage.game_rows import NO_NAMES
from companion.storage.journal_tail import ActionRow, GameStarted
from engine.board.geometry import Side, square
from engine.deduction.commitment import SealWords
from engine.game.clocks import NO_CLOCK, ClockState
from engine.game.game_state import Phase
from engine.records import transcript
from tests.companion.core.table_driver import attack
from tests.companion.pads.pad_driver import PadDriver, drawing, pads_of
from tests.companion.pads.phone import Phone
from tests.companion.pads.sealed_pad_driver import FORT, SEALED, Seals
from tests.companion.pads.server_thread import in_thread
from tests.companion.pads.test_wire import Line

RED, BLUE = Side.RED, Side.BLUE
OTHERWISE: Setup = FORT.carry(square("e4"), square("i4"))
"""Setup in which Red's general and marshal are swapped, so that the marshal attacks."""


@dataclass
class Network:
    """Both phones and the spectators' page, together with their traffic."""

    pads: Pads
    phones: Mapping[Side, Phone]
    lines: Mapping[str, Line]

    @classmethod
    def of(cls, pads: Pads) -> "Network":
        host = urlsplit(pads.spectators_address).netloc
        phones = {side: Phone(pads.address(side), drawing(2)) for side in Side}
        for phone in phones.values():
            phone.join()
        streams = {s.value: Line(host, "POST /listen", p.seal({})) for s, p in phones.items()}
        made = cls(pads, phones, {**streams, "spectators": Line(host, "GET /watch/events")})
        made.tick()
        return made

    def tick(self) -> None:
        """Run one frame, and wait until its updates have been sent."""
        self.pads.tick()
        link = self.pads._link
        assert link
        for side in Side:
            self.lines[side.value].wait_for(link.changes[side])
        self.lines["spectators"].wait_for(link.changes[None])

    def choose(self, side: Side, **what: Any) -> None:
        self.phones[side].choose({"say": what})
        self.tick()


@dataclass
class Traffic:
    blue: bytes
    spectators: bytes
    hall: list[str]
    log: str
    red: list[int]
    """Lengths of the frames sent to Red's phone, in order."""
    sent: list[int]
    """Lengths of the messages from both phones, in order."""


def play(log: pytest.LogCaptureFixture, setup: Setup, *, to_combat: bool) -> Traffic:
    """Seal both armies, and make Red attack. Then declare for Red only, or for both sides.

    Return the traffic.
    """
    driver = PadDriver(SEALED)
    seals = {RED: Seals(RED, setup), BLUE: Seals(BLUE)}
    log.clear()
    start = in_thread(driver.clock, drawing(3))
    with pads_of(driver, draw=drawing(1), start=start) as pads, ExitStack() as stack:
        network = Network.of(pads)
        for line in network.lines.values():
            stack.callback(line.socket.close)
        for side in Side:
            driver.stand(side, *seals[side].openings)
            driver.wait()
            network.tick()
            network.choose(side, do="seal", mark="1.0", commitments=seals[side].hashes)
            network.choose(side, do="ready", mark="1.0")
        driver.wait()
        assert driver.table.view.phase is Phase.PLAY
        driver.play("e4-e5 e7-e6")
        attack(driver)
        network.tick()
        mark = f"1.{len(driver.table.referee.actions)}"
        network.choose(RED, do="declare", mark=mark, **seals[RED].of("e4"))
        if to_combat:
            mark = f"1.{len(driver.table.referee.actions)}"
            network.choose(BLUE, do="declare", mark=mark, **seals[BLUE].of("e7"))
            assert driver.table.unread_combat
        else:
            assert driver.table.conversation.declared == (RED,)
        pads.close()
        got = {name: line.rest() for name, line in network.lines.items()}
    feed = Feed(GameStarted(1, "2026-01-02 18:30:00", SEALED, NO_CLOCK, NO_NAMES))
    items = [
        feed.begin(),
        *(feed.take(ActionRow(0, each, ClockState())) for each in driver.actions),
    ]
    return Traffic(
        got["blue"],
        got["spectators"],
        [write_item(each) for each in items],
        log.text,
        [len(each) for each in got["red"].split(b"data: ")],
        [len(body) for phone in network.phones.values() for body in phone.bodies],
    )


@pytest.fixture(autouse=True)
def _no_heartbeat(monkeypatch: pytest.MonkeyPatch) -> None:
    """Suppress heartbeats, because their number depends on the computer's speed."""
    monkeypatch.setattr(service, "HEARTBEAT", 1e6)


def test_sent_bytes_do_not_depend_on_sealed_ranks(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The seal words are replaced, because they depend on the commitments."""
    monkeypatch.setattr(player_view, "seal_words", lambda _: "four words")
    monkeypatch.setattr(transcript, "seal_words", lambda _: SealWords("four words", "code"))
    one, other = (play(caplog, setup, to_combat=False) for setup in (FORT, OTHERWISE))
    assert one == other
    assert len(one.red) > 8
    for sent in (one.blue, one.spectators, one.log.encode(), "".join(one.hall).encode()):
        for seals in (Seals(RED, FORT), Seals(RED, OTHERWISE)):
            hashes = [each[-64:].encode() for each in seals.hashes.split()]
            assert not any(commitment in sent for commitment in hashes)


def test_sent_bytes_differ_after_the_reveal(caplog: pytest.LogCaptureFixture) -> None:
    one, other = (play(caplog, setup, to_combat=True) for setup in (FORT, OTHERWISE))
    assert one.blue != other.blue
    assert b"general" in one.spectators
    assert b"marshal" in other.spectators
    assert one.hall != other.hall
    assert (len(one.blue), one.red, one.sent) == (len(other.blue), other.red, other.sent)


def test_planted_leak_is_found(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def leaking(table: Table | None, *others: Any) -> dict[str, Any]:
        shown = public_view(table, *others)
        commitment = table.commitments.get(RED) if table else None
        return {**shown, "text": commitment.digest[:4] if commitment else ""}

    monkeypatch.setattr("companion.pads.pad_feed.public_view", leaking)
    one, other = (play(caplog, setup, to_combat=False) for setup in (FORT, OTHERWISE))
    assert one.spectators != other.spectators
    assert one.blue != other.blue
