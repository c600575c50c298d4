"""Messages between the tables and the hall survive a round trip, and anything else is rejected."""

import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nacl.signing import SigningKey

from companion.hall.protocol import messages
from companion.hall.protocol import messages as words

KEY = messages.game_key("2026-01-02 18:30:00", 7)
PRESENCE = words.TablePresence(is_here=True, clock=1764167400.25)
READERS: list[Callable[[bytes], Any]] = [
    words.read_item_message,
    words.read_received,
    words.read_presence,
    words.read_answer,
]


def test_round_trip() -> None:
    received = messages.Receipt({KEY: 12}, messages.KeyRange("", KEY))
    assert words.read_received(words.write_received(received)) == received
    assert words.read_presence(words.write_presence(PRESENCE)) == PRESENCE
    answer = messages.OrderReply(1_700_000_000_000, taken=False)
    assert words.read_answer(words.write_answer(answer)) == answer
    assert messages.read_topic(messages.topic("table-1", "items")) == ("table-1", "items")


@pytest.mark.parametrize("text", ["table-1/items", "boomboard", "other/tables/table-1/items", ""])
def test_other_topics_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="expected a topic below boomboard/tables"):
        messages.read_topic(text)


def test_message_bytes() -> None:
    """Other versions of tables and halls read these bytes, so the format must not change."""
    assert words.write_item_message(KEY, "{}") == b"2026-01-02 18:30:00/7\n{}"
    assert (
        words.write_received(messages.Receipt({KEY: 12}, messages.KeyRange("", KEY)))
        == b'{"games": {"2026-01-02 18:30:00/7": 12}, "covers": '
        b'{"since": "", "until": "2026-01-02 18:30:00/7"}}'
    )
    assert words.write_presence(words.TablePresence(is_here=False)) == b'{"here": false}'
    assert words.write_presence(PRESENCE) == b'{"here": true, "clock": 1764167400.25}'
    assert (
        words.write_answer(messages.OrderReply(17, taken=False))
        == b'{"number": 17, "taken": false}'
    )
    order = words.Order("table-1", KEY, 5, "Anna", {"what": "forfeit", "side": None})
    signed = json.loads(words.sign_order(order, SigningKey(bytes(32))))
    assert signed["body"] == (
        '{"act": {"side": null, "what": "forfeit"}, "author": "Anna", "game": '
        '"2026-01-02 18:30:00/7", "number": 5, "table": "table-1"}'
    )


@pytest.mark.parametrize("name", ["", "+", "#", "a/b", "Table", "table 1", "x" * 41, "ä", None])
def test_names_are_escaped_in_topics(name: str) -> None:
    with pytest.raises(ValueError, match="is not a valid name"):
        messages.check_name(name)


@pytest.mark.parametrize("read", READERS, ids=lambda read: read.__name__)
@given(
    st.binary(max_size=100)
    | st.dictionaries(
        st.sampled_from(["games", "covers", "since", "until", "here", "number", "taken", KEY]),
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    ).map(lambda plain: json.dumps(plain).encode())
)
def test_random_input_is_refused(read: Callable[[bytes], Any], junk: bytes) -> None:
    with suppress(ValueError):
        read(junk)
