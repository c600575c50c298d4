"""Seats, one-time commands and phone presence."""

import copy
import threading
from collections.abc import Iterator
from contextlib import closing

import pytest

from companion.pads import Pads, Presence
from companion.pads.protocols import PATIENCE
from engine.board.geometry import Side
from engine.board.ranks import Rank
from tests.companion.core.table_driver import attack
from tests.companion.pads.conftest import Sit
from tests.companion.pads.pad_driver import PadDriver, pads_of
from tests.companion.pads.phone import GoneError, Phone


@pytest.fixture
def driver() -> PadDriver:
    """Game in which Red attacks e6 from e5."""
    begun = PadDriver.begun()
    assert isinstance(begun, PadDriver)
    begun.play("e4-e5 e7-e6")
    attack(begun)
    begun.forget()
    return begun


@pytest.fixture
def pads(driver: PadDriver) -> Iterator[Pads]:
    with pads_of(driver) as opened:
        yield opened


@pytest.fixture
def red(pads: Pads, sit: Sit) -> Phone:
    phone = sit(pads, Side.RED)
    assert phone.join()["seat"] == "yours"
    return phone


def tile(phone: Phone, rank: Rank) -> dict[str, object]:
    phone.listen()
    (asked,) = phone.look()["asks"]
    choice: dict[str, object] = next(
        each for each in asked["choices"] if each.get("rank") == rank.name.lower()
    )
    return choice


def test_first_phone_gets_the_seat(pads: Pads, red: Phone, sit: Sit) -> None:
    late = sit(pads, Side.RED)
    assert late.join() == {"seat": "taken"}
    with pytest.raises(GoneError):
        late.listen()
    with pytest.raises(GoneError, match="403"):
        late.sent("/listen", late.seal({"token": late.token}))
    assert red.send({})["seat"] == "yours"


def test_repeated_join_gets_the_seat(pads: Pads, sit: Sit) -> None:
    phone = sit(pads, Side.RED)
    phone.begin(by_code=True)
    phone.sent("/say", phone.seal({"token": phone.token}))  # the reply is never read
    assert phone.join()["seat"] == "yours"


def test_reloaded_phone_keeps_its_seat(red: Phone) -> None:
    assert red.resume()["seat"] == "yours"
    red.listen()
    assert red.look()["you"] == "red"


def test_unknown_seat_cannot_be_resumed(pads: Pads, sit: Sit) -> None:
    with pytest.raises(GoneError):
        sit(pads, Side.BLUE).begin(by_code=False)


def test_new_code_revokes_the_old_phone(pads: Pads, red: Phone, sit: Sit) -> None:
    before = pads.address(Side.RED)
    red.listen()
    red.look()
    pads.renew(Side.RED)
    assert pads.address(Side.RED) != before
    assert pads.presence(Side.RED) is Presence.ABSENT
    with pytest.raises(GoneError):
        red.look()
    with pytest.raises(GoneError):
        red.send({})
    with pytest.raises(GoneError):
        red.resume()
    assert sit(pads, Side.RED).join()["seat"] == "yours"


def test_old_code_is_invalid(pads: Pads, red: Phone) -> None:
    pads.renew(Side.RED)
    with pytest.raises(GoneError):
        red.join()


def test_silent_phone_is_away(driver: PadDriver, pads: Pads, red: Phone) -> None:
    red.listen()
    assert pads.presence(Side.RED) is Presence.HERE
    assert pads.presence(Side.BLUE) is Presence.ABSENT
    driver.now += PATIENCE - 0.1
    red.send({})
    driver.now += 0.2
    assert pads.presence(Side.RED) is Presence.HERE
    driver.now += PATIENCE
    assert pads.presence(Side.RED) is Presence.AWAY
    red.send({})
    assert pads.presence(Side.RED) is Presence.HERE


def test_phone_without_a_stream_is_away(pads: Pads, red: Phone) -> None:
    assert red.send({})["seat"] == "yours"
    assert pads.presence(Side.RED) is Presence.AWAY
    red.listen()
    assert pads.presence(Side.RED) is Presence.HERE
    red.leave()
    wait_for(pads, Side.RED, Presence.AWAY)
    assert red.send({})["seat"] == "yours"
    assert pads.presence(Side.RED) is Presence.AWAY


def wait_for(pads: Pads, side: Side, presence: Presence) -> None:
    while pads.presence(side) is not presence:
        threading.Event().wait(0.01)


class TestStreams:
    """Each page has one stream at a time. Each seat has its own streams."""

    def test_streams_are_limited_per_seat(self, pads: Pads, red: Phone, sit: Sit) -> None:
        others = [another_page(red) for _ in range(12)]
        blue = sit(pads, Side.BLUE)
        blue.join()
        blue.listen()
        assert blue.look()["you"] == "blue"
        assert pads.presence(Side.BLUE) is Presence.HERE
        others[-1].look()
        for page in (red, *others):
            page.leave()

    def test_new_stream_ends_the_old_one(self, red: Phone) -> None:
        line, answer = red.post("/listen", red.seal({}))
        red.listen()
        red.look()
        with closing(line):
            assert answer.read() is not None

    def test_replayed_message_opens_no_stream(self, pads: Pads, red: Phone) -> None:
        red.listen()
        red.look()
        for _ in range(20):
            with pytest.raises(GoneError):
                red.sent("/listen", red.bodies[-1])
        assert red.send({})["seat"] == "yours"
        assert pads.presence(Side.RED) is Presence.HERE


def another_page(phone: Phone) -> Phone:
    """Open another page, with its own stream, on a phone that already has a seat."""
    page = copy.copy(phone)
    page._stream = None
    page.begin(by_code=False)
    assert page.send({"token": page.token})["seat"] == "yours"
    page.listen()
    return page


def test_duplicate_message_counts_once(driver: PadDriver, pads: Pads, red: Phone) -> None:
    choice = tile(red, Rank.CAPTAIN)
    for _ in range(3):
        assert red.choose(choice, "a" * 22)["taken"]
        pads.tick()
    assert [type(each).__name__ for each in driver.actions] == ["Declare"]


def test_duplicate_message_after_a_reload_counts_once(
    driver: PadDriver, pads: Pads, red: Phone
) -> None:
    choice = tile(red, Rank.CAPTAIN)
    red.choose(choice, "a" * 22)
    red.resume()
    assert red.choose(choice, "a" * 22)["taken"]
    assert pads._link
    assert len(pads._link.take()) == 1


def test_repeated_message_gets_the_same_answer(red: Phone) -> None:
    first = red.seal({})
    answer = red.sent("/say", first)
    assert red.sent("/say", first) == answer
    red.send({})
    with pytest.raises(GoneError):
        red.sent("/say", first)


@pytest.mark.parametrize(
    "message", [{"id": 3, "say": {}}, {"id": "a" * 22, "say": "x"}, {"id": "a", "say": {}}]
)
def test_senseless_messages_are_refused(red: Phone, message: dict[str, object]) -> None:
    with pytest.raises(GoneError, match="400"):
        red.send(message)


@pytest.mark.parametrize("depth", [60, 1_900])
@pytest.mark.parametrize("path", ["/say", "/listen"])
def test_deeply_nested_messages_are_refused(red: Phone, path: str, depth: int) -> None:
    text = b'{"say":' + b"[" * depth + b"]" * depth + b"}"
    with pytest.raises(GoneError, match="400"):
        red.sent(path, red.seal_text(text))
    assert red.send({})["seat"] == "yours"
