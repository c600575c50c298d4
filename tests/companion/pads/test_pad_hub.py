"""Tests for the seats and the spectators' view, without a server."""

import copy
import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field

import pytest

from companion.pads import Presence, pad_hub
from companion.pads.encryption import (
    COUNTER,
    DOWN,
    KEY,
    UP,
    DecryptionError,
    SessionKeys,
    public_key,
)
from companion.pads.listen_address import read_token, write_secret
from companion.pads.pad_hub import (
    ASKED_PER_ADDRESS,
    MOST,
    OPEN,
    REMEMBERED,
    WAITING,
    MalformedMessageError,
    PadHub,
    PadSession,
    PageListener,
    RefusedError,
)
from engine.board.geometry import Side
from tests.companion.pads.phone import Phone


def session_keys() -> SessionKeys:
    own = bytes(KEY)
    return SessionKeys(b"", Side.RED, own, pads_key=public_key(own), tables_key=public_key(own))


def test_contents_are_numbered() -> None:
    """If a number were repeated, two messages would be encrypted with the same key and nonce."""
    session = PadSession(session_keys())
    assert [int.from_bytes(session.show(b"")[:COUNTER], "big") for _ in range(3)] == [0, 1, 2]


def test_counter_fits_in_a_javascript_number() -> None:
    session = PadSession(session_keys())

    def message(counter: int) -> bytes:
        return counter.to_bytes(COUNTER, "big") + session_keys().seal(UP, counter, b"text")

    with pytest.raises(DecryptionError):
        session.open(message(MOST + 1))
    assert session.open(message(MOST)) == b"text"
    with pytest.raises(DecryptionError):
        session.open(message(MOST))


class HubPhone(Phone):
    """Phone whose messages go directly to the seats."""

    def __init__(self, hub: PadHub, side: Side, secret: bytes, address: str) -> None:
        super().__init__(f"http://table#{write_secret(side, secret)}")
        self._hub, self._from = hub, address

    def sent(self, path: str, body: bytes) -> bytes:
        return self._hub.join(body, self._from) if path == "/join" else self._hub.hear(body)


@dataclass
class TwoSeats:
    """Seats without a server. Their secrets are the same in all tests."""

    now: float = 12.3456
    secrets: Mapping[Side, bytes] = field(
        default_factory=lambda: {side: bytes([number] * 16) for number, side in enumerate(Side)}
    )

    def __post_init__(self) -> None:
        self.hub = PadHub(self.secrets, secrets.token_bytes, lambda: self.now)

    def phone(self, side: Side = Side.RED, address: str = "10.0.0.2") -> HubPhone:
        return HubPhone(self.hub, side, self.secrets[side], address)

    def open(self, phone: HubPhone, contents: bytes) -> object:
        return json.loads(phone.keys.open(DOWN, phone.shown + 1, contents[COUNTER:]))


def test_contents_have_the_time_and_their_version() -> None:
    seats = TwoSeats()
    red, blue = seats.phone(), seats.phone(Side.BLUE)
    assert red.join() == {"seat": "yours", "shows": 0}
    blue.join()
    page = seats.hub.listen(red.seal({}))
    assert seats.hub.next_for(page, 0) is None
    assert seats.hub.show(Side.RED, b'"one"')
    assert not seats.hub.show(Side.RED, b'"one"')
    version, contents = seats.hub.next_for(page, 0) or (0, b"")
    assert version == 1
    assert seats.open(red, contents) == {"now": 12.346, "shows": 1, "state": "one"}
    assert seats.hub.next_for(page, 1) is None
    assert red.send({})["shows"] == 1
    assert blue.send({})["shows"] == 0
    seats.hub.show(Side.RED, b'"two"')
    assert (seats.hub.next_for(page, 1) or (0,))[0] == 2
    assert seats.hub.next_for(seats.hub.listen(blue.seal({})), 0) is None


def test_rejected_page_gets_no_contents() -> None:
    seats = TwoSeats()
    seats.hub.show(Side.RED, b'"secret"')
    seats.phone().join()
    late = seats.phone()
    late.begin(by_code=True)
    with pytest.raises(RefusedError):
        seats.hub.next_for(PageListener(Side.RED, late.name), 0)
    assert late.send({"token": late.token}) == {"seat": "taken"}
    with pytest.raises(RefusedError):
        seats.hub.listen(late.seal({"token": late.token}))
    with pytest.raises(RefusedError):
        seats.hub.next_for(PageListener(Side.RED, late.name), 0)


def test_page_gets_no_contents_of_the_other_seat() -> None:
    seats = TwoSeats()
    seats.hub.show(Side.BLUE, b'"secret"')
    red = seats.phone()
    red.join()
    with pytest.raises(RefusedError):
        seats.hub.next_for(PageListener(Side.BLUE, red.name), 0)


def test_spectators_view_is_delayed() -> None:
    seats = TwoSeats()
    assert seats.hub.next_for_everybody(b"") is None
    assert not seats.hub.sheets
    assert not seats.hub.stories
    assert seats.hub.show_everybody(b'"board"', 2.0)
    assert not seats.hub.show_everybody(b'"board"', 3.0)
    text = b'"board"'
    assert seats.hub.next_for_everybody(b"") == (text, b'{"now":9.346,"state":"board"}')
    assert seats.hub.next_for_everybody(text) is None


def test_new_code_keeps_the_contents() -> None:
    seats = TwoSeats()
    red = seats.phone()
    red.join()
    seats.hub.show(Side.RED, b'"one"')
    token = seats.hub.token(Side.RED)
    assert token == read_token(red.token)
    seats.hub.renew(Side.RED, seats.secrets[Side.RED], token)
    red.begin(by_code=False)
    assert red.send({"token": red.token}) == {"seat": "yours", "shows": 1}
    other = HubPhone(seats.hub, Side.RED, b"another secret..", "10.0.0.2")
    seats.hub.renew(Side.RED, other.secret)
    assert seats.hub.token(Side.RED) == b""
    assert other.join() == {"seat": "yours", "shows": 1}
    _, contents = seats.hub.next_for(seats.hub.listen(other.seal({})), 0) or (0, b"")
    assert seats.open(other, contents) == {"now": 12.346, "shows": 1, "state": "one"}


def test_phone_is_heard_once() -> None:
    seats = TwoSeats()
    red = seats.phone()
    assert not seats.hub.was_heard(Side.RED)
    red.join()
    assert seats.hub.was_heard(Side.RED)
    assert not seats.hub.was_heard(Side.RED)
    assert not seats.hub.was_heard(Side.BLUE)


def test_messages_are_read_in_order() -> None:
    seats = TwoSeats()
    red = seats.phone()
    red.join()
    for number in range(WAITING):
        assert red.choose({"say": {"do": number}})["taken"]
    assert not red.choose({"say": {"do": "too many"}})["taken"]
    assert seats.hub.unsent() == [(Side.RED, {"do": number}) for number in range(WAITING)]
    assert seats.hub.unsent() == []
    assert not red.choose({"say": {"do": "too many"}})["taken"]
    seats.hub.mark_read(Side.RED, 1)
    assert [red.choose({"say": {}})["taken"] for _ in range(2)] == [True, False]
    seats.hub.mark_read(Side.RED, WAITING + 5)
    assert [red.choose({"say": {}})["taken"] for _ in range(WAITING + 1)].count(True) == WAITING


def test_repeated_message_gets_the_same_answer() -> None:
    seats = TwoSeats()
    red = seats.phone()
    red.join()
    body = red.seal({})
    answer = seats.hub.hear(body)
    assert answer
    assert seats.hub.hear(body) == answer
    red.send({})
    with pytest.raises(RefusedError):
        seats.hub.hear(body)


def test_repeated_message_opens_no_stream() -> None:
    seats = TwoSeats()
    red = seats.phone()
    red.join()
    body = red.seal({})
    seats.hub.listen(body)
    with pytest.raises(RefusedError):
        seats.hub.listen(body)


def test_message_is_taken_once() -> None:
    seats = TwoSeats()
    red = seats.phone()
    red.join()

    def taken(number: int) -> int:
        assert red.send({"id": f"{number:022}", "say": {}})["taken"]
        count = len(seats.hub.unsent())
        seats.hub.mark_read(Side.RED, count)
        return count

    assert [taken(number) for number in range(REMEMBERED)] == [1] * REMEMBERED
    assert [taken(number) for number in range(REMEMBERED)] == [0] * REMEMBERED
    assert [taken(number) for number in (REMEMBERED, REMEMBERED, 1, 0)] == [1, 0, 0, 1]


@pytest.mark.parametrize(
    "message",
    [{"id": 3, "say": {}}, {"id": "a" * 22, "say": "x"}, {"id": "a", "say": {}}, {"say": {}}],
)
def test_malformed_message_is_refused(message: dict[str, object]) -> None:
    seats = TwoSeats()
    red = seats.phone()
    red.join()
    with pytest.raises(MalformedMessageError):
        red.send(message)
    assert not seats.hub.unsent()


def test_oldest_page_is_closed() -> None:
    seats = TwoSeats()
    red = seats.phone()
    red.join()
    pages = [copy.copy(red) for _ in range(OPEN)]
    for page in pages[:-1]:
        page.begin(by_code=False)
        page.send({"token": page.token})
    red.send({})  # a page that sends a message counts as the newest
    pages[-1].begin(by_code=False)
    pages[-1].send({"token": red.token})
    with pytest.raises(RefusedError):
        pages[0].send({})
    assert all(page.send({})["seat"] == "yours" for page in (red, *pages[1:]))


def test_unfinished_sessions_of_an_address_are_replaced() -> None:
    seats = TwoSeats()
    first, *others = (seats.phone(address="10.0.0.2") for _ in range(ASKED_PER_ADDRESS + 1))
    other = seats.phone(address="10.0.0.3")
    for phone in (first, other, *others):
        phone.begin(by_code=True)
    with pytest.raises(RefusedError):
        first.send({"token": first.token})
    assert other.send({"token": other.token})["seat"] == "yours"
    assert [each.send({"token": each.token})["seat"] for each in others] == ["taken"] * 2


def test_flood_of_joins_keeps_phones() -> None:
    """A phone that is joining keeps its place, even if phones with all other Wi-Fi addresses try to
    join."""
    seats = TwoSeats()
    phone = seats.phone(address="10.0.0.1")
    phone.begin(by_code=True)
    for number in range(2, 255):
        for _ in range(5):
            seats.hub.join(b"rc" + public_key(bytes([number]) * KEY), f"10.0.0.{number}")
    assert phone.send({"token": phone.token})["seat"] == "yours"


def test_unfinished_sessions_of_all_addresses_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pad_hub, "ASKED", 3)
    seats = TwoSeats()
    phones = [seats.phone(address=f"10.0.0.{number}") for number in range(4)]
    for phone in phones:
        phone.begin(by_code=True)
    with pytest.raises(RefusedError):
        phones[0].send({"token": phones[0].token})
    assert phones[1].send({"token": phones[1].token})["seat"] == "yours"


@pytest.mark.parametrize(
    "body", [b"", b"rc", b"gc" + bytes(KEY), b"rx" + bytes(KEY), b"rc" + bytes(KEY + 1)]
)
def test_malformed_join_is_refused(body: bytes) -> None:
    with pytest.raises(RefusedError):
        TwoSeats().hub.join(body, "10.0.0.2")


@pytest.mark.parametrize("by_code", [True, False])
def test_join_with_an_invalid_key_is_refused(*, by_code: bool) -> None:
    with pytest.raises(RefusedError):
        TwoSeats().hub.join((b"rc" if by_code else b"rt") + bytes(KEY), "10.0.0.2")


def test_message_of_another_length_is_refused() -> None:
    seats = TwoSeats()
    red = seats.phone()
    red.join()
    for body in (red.seal({})[:-1], red.seal({}) + b"?"):
        with pytest.raises(RefusedError):
            seats.hub.hear(body)


def test_stream_counts_for_presence() -> None:
    seats = TwoSeats()
    red = seats.phone()
    red.join()
    one, other = seats.hub.listen(red.seal({})), seats.hub.listen(red.seal({}))
    seats.hub.begin_stream(one)
    seats.hub.begin_stream(other)
    seats.hub.end_stream(one)
    assert seats.hub.presence(Side.RED) is Presence.HERE
    assert seats.hub.presence(Side.BLUE) is Presence.ABSENT
    seats.hub.end_stream(other)
    assert seats.hub.presence(Side.RED) is Presence.AWAY
