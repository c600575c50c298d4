"""An attacker learns nothing from recorded network traffic, and cannot replay it."""

import json
from collections.abc import Iterator

import pytest

from companion.pads import Pads, encryption
from companion.pads.listen_address import read_token
from engine.board.geometry import Side
from engine.board.ranks import Rank
from tests.companion.core.table_driver import attack
from tests.companion.pads.conftest import Sit
from tests.companion.pads.pad_driver import PadDriver, pads_of
from tests.companion.pads.phone import GoneError, Phone


@pytest.fixture
def driver() -> PadDriver:
    begun = PadDriver.begun()
    assert isinstance(begun, PadDriver)
    begun.play("e4-e5 e7-e6")
    return begun


@pytest.fixture
def pads(driver: PadDriver) -> Iterator[Pads]:
    with pads_of(driver) as opened:
        yield opened


@pytest.fixture
def recorded(driver: PadDriver, pads: Pads, sit: Sit) -> Phone:
    """Phone on which Red has declared a captain, together with its recorded traffic."""
    red = sit(pads, Side.RED)
    red.join()
    red.listen()
    red.look()
    attack(driver)
    pads.tick()
    tiles = red.look()["asks"][0]["choices"]
    red.choose(next(each for each in tiles if each.get("rank") == "captain"))
    pads.tick()
    red.look()
    assert driver.table.conversation.declared == (Side.RED,)
    return red


def opened(phone: Phone, keys: encryption.SessionKeys) -> list[bytes]:
    """Return the parts of a recording that the given keys decrypt."""
    texts = []
    for kind, messages in (
        (encryption.UP, phone.bodies),
        (encryption.ANSWER, phone.answers),
        (encryption.DOWN, phone.frames),
    ):
        for number, message in enumerate(messages):
            sealed = message[
                {
                    encryption.UP: encryption.KEY + encryption.COUNTER,
                    encryption.ANSWER: 0,
                    encryption.DOWN: encryption.COUNTER,
                }[kind] :
            ]
            for counter in {
                number,
                int.from_bytes(
                    message[-len(sealed) - encryption.COUNTER :][: encryption.COUNTER], "big"
                ),
            }:
                try:
                    texts.append(keys.open(kind, min(counter, 2**53), sealed))
                except encryption.DecryptionError:
                    continue
    return texts


def test_keys_decrypt_the_recording(recorded: Phone) -> None:
    texts = opened(recorded, recorded.keys)
    assert any(b"captain" in text for text in texts)


def test_recording_needs_the_secret(recorded: Phone) -> None:
    sent = b"".join([*recorded.bodies, *recorded.answers, *recorded.frames])
    assert b"captain" not in sent
    assert b"declare" not in sent
    assert len({*recorded.bodies}) == len(recorded.bodies)


def test_recording_needs_the_seat_key(recorded: Phone, pads: Pads, sit: Sit) -> None:
    blue = sit(pads, Side.BLUE)
    blue.join()
    assert opened(recorded, blue.keys) == []


def test_recording_needs_the_session_key(recorded: Phone) -> None:
    for secret in (recorded.secret, read_token(recorded.token)):
        own = b"x" * encryption.KEY
        guessed = encryption.SessionKeys(
            secret, Side.RED, own, pads_key=encryption.public_key(own), tables_key=recorded.name
        )
        assert opened(recorded, guessed) == []


def test_replayed_message_is_ignored(driver: PadDriver, recorded: Phone, pads: Pads) -> None:
    before, declared = list(driver.actions), list(recorded.bodies)
    recorded.send({})
    *_, latest = recorded.bodies
    recorded.resume()
    for body in declared:
        with pytest.raises(GoneError):
            recorded.sent("/say", body)
    # A repeated message gets the same reply, but is not processed again.
    assert recorded.sent("/say", latest) == recorded.answers[-2]
    pads.tick()
    assert driver.actions == before


def test_message_of_another_session_is_ignored(recorded: Phone, pads: Pads, sit: Sit) -> None:
    blue = sit(pads, Side.BLUE)
    blue.join()
    for body in recorded.bodies:
        with pytest.raises(GoneError):
            blue.sent("/say", blue.name + body[encryption.KEY :])


def test_messages_have_equal_lengths(recorded: Phone) -> None:
    assert {*map(len, recorded.bodies)} == {
        encryption.KEY + encryption.COUNTER + encryption.TAG + encryption.UP_SIZE
    }
    assert {*map(len, recorded.answers)} == {encryption.TAG + encryption.ANSWER_SIZE}
    assert {*map(len, recorded.frames)} == {
        encryption.COUNTER + encryption.TAG + encryption.DOWN_SIZE
    }


def test_ranks_are_only_in_sealed_messages(recorded: Phone) -> None:
    messages = [json.loads(text) for text in opened(recorded, recorded.keys) if b'"say"' in text]
    assert [each["say"]["rank"] for each in messages if "id" in each] == [Rank.CAPTAIN.name.lower()]
