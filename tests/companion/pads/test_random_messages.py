"""Random input, whether from strangers or from players' phones, is either processed or refused."""

import json
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.pads.encryption import COUNTER, KEY, UP, UP_SIZE, SessionKeys, pad, public_key
from companion.pads.listen_address import TOKEN, read_token, write_token
from companion.pads.pad_feed import parse_command
from companion.pads.pad_hub import COMMAND_SIZE, JOIN_SIZE, PadHub, RefusedError
from companion.pads.player_view import mark
from engine.board.geometry import Side
from tests.companion.pads.pad_driver import PadDriver, drawing
from tests.companion.pads.sealed_pad_driver import SEALED, Seals

OWN: Final = b"p" * KEY
CODES: Final = {side: bytes([number]) * 16 for number, side in enumerate(Side)}
TOKENS: Final = write_token(b"t" * 16)
JSON: Final = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inside: (
        st.lists(inside, max_size=3) | st.dictionaries(st.text(max_size=5), inside, max_size=3)
    ),
    max_leaves=6,
)
MESSAGES: Final = st.one_of(
    JSON,
    st.fixed_dictionaries(
        {},
        optional={
            "token": JSON | st.just(TOKENS),
            "id": JSON | st.text("ab", min_size=TOKEN, max_size=TOKEN),
            "say": JSON,
        },
    ),
)
WORDS: Final = st.fixed_dictionaries(
    {
        "do": JSON
        | st.sampled_from(["declare", "insist", "ready", "draw", "take-back", "cannot-move"])
        | st.just("touched-cannot-move")
        | st.sampled_from(["guess", "can-move", "no-attack", "seal", "prove"])
    },
    optional={
        "rank": JSON | st.sampled_from(["captain", "bomb"]),
        "right": JSON,
        "able": JSON,
        "salt": JSON | st.just("0" * 32),
        "commitments": JSON | st.sampled_from([Seals(side).hashes for side in Side]),
        "army": JSON | st.sampled_from([Seals(side).army for side in Side]),
    },
)


@settings(max_examples=50)
@given(st.binary(max_size=40) | st.binary(min_size=JOIN_SIZE, max_size=JOIN_SIZE))
def test_random_join_messages(body: bytes) -> None:
    hub = PadHub(CODES, drawing(), lambda: 0.0)
    for each in (body, b"rc" + body[2:], b"bt" + body[2:]):
        try:
            assert len(hub.join(each, "")) == KEY
        except RefusedError:
            continue


@settings(max_examples=50)
@given(st.binary(max_size=100) | st.binary(min_size=COMMAND_SIZE, max_size=COMMAND_SIZE))
def test_random_unsealed_messages(body: bytes) -> None:
    hub = PadHub(CODES, drawing(), lambda: 0.0)
    name = hub.join(b"rc" + public_key(OWN), "")
    for each in (body, name + body[KEY:]):
        with pytest.raises(RefusedError):
            hub.hear(each)


@settings(max_examples=25)
@given(st.lists(MESSAGES | st.binary(max_size=60), max_size=4))
def test_random_sealed_messages(messages: list[Any]) -> None:
    hub = PadHub(CODES, drawing(), lambda: 0.0)
    pads_key = public_key(OWN)
    name = hub.join(b"rc" + pads_key, "")
    keys = SessionKeys(CODES[Side.RED], Side.RED, OWN, pads_key=pads_key, tables_key=name)
    for counter, message in enumerate([{"token": TOKENS}, *messages]):
        text = message if isinstance(message, bytes) else json.dumps(message).encode()[:UP_SIZE]
        sealed = keys.seal(UP, counter, pad(text, UP_SIZE))
        try:
            hub.hear(name + counter.to_bytes(COUNTER, "big") + sealed)
        except RefusedError:
            continue
    assert all(isinstance(sent, dict) for _, sent in hub.unsent())


DRIVERS: Final = (PadDriver.begun(), PadDriver(SEALED))


@settings(max_examples=100)
@given(WORDS, st.sampled_from(Side), st.sampled_from(DRIVERS))
def test_random_commands(word: dict[str, Any], side: Side, driver: PadDriver) -> None:
    word = {**word, "mark": mark(1, driver.table)}
    given_ = parse_command(word, side, 1, driver.table, driver.now)
    command = getattr(given_, "what", given_)
    rank = getattr(command, "rank", None)
    assert rank is None or rank.owner is side
    assert getattr(command, "side", side) is side


@given(st.text(max_size=30) | JSON)
def test_random_tokens(text: object) -> None:
    try:
        assert write_token(read_token(text)) == str(text)[:-1] + write_token(read_token(text))[-1]
    except ValueError:
        return
