"""Encrypted messages have equal lengths. Each is valid only at its position in the stream."""

from dataclasses import dataclass, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.pads import encryption
from engine.board.geometry import Side

DIRECTIONS = st.sampled_from([encryption.UP, encryption.ANSWER, encryption.DOWN])
COUNTERS = st.integers(0, 2**53 - 1)
OWN = st.binary(min_size=encryption.KEY, max_size=encryption.KEY)


@dataclass(frozen=True)
class Ends:
    secret: bytes
    side: Side
    pads_own: bytes
    tables_own: bytes

    @property
    def pad(self) -> encryption.SessionKeys:
        return self._keys(self.pads_own)

    @property
    def table(self) -> encryption.SessionKeys:
        return self._keys(self.tables_own)

    def _keys(self, own: bytes) -> encryption.SessionKeys:
        pads_key, tables_key = (
            encryption.public_key(self.pads_own),
            encryption.public_key(self.tables_own),
        )
        return encryption.SessionKeys(
            self.secret, self.side, own, pads_key=pads_key, tables_key=tables_key
        )


ENDS = st.builds(
    Ends,
    st.binary(min_size=encryption.SECRET, max_size=encryption.SECRET),
    st.sampled_from(Side),
    OWN,
    OWN,
)


@given(ENDS, DIRECTIONS, COUNTERS, st.binary(max_size=encryption.UP_SIZE))
def test_both_ends_decrypt(ends: Ends, direction: bytes, counter: int, text: bytes) -> None:
    for one, other in ((ends.pad, ends.table), (ends.table, ends.pad)):
        assert other.open(direction, counter, one.seal(direction, counter, text)) == text


ELSEWHERE = st.one_of(
    st.fixed_dictionaries(
        {"secret": st.binary(min_size=encryption.SECRET, max_size=encryption.SECRET)}
    ),
    st.fixed_dictionaries({"side": st.sampled_from(Side)}),
    st.fixed_dictionaries({"pads_own": OWN}),
    st.fixed_dictionaries({"tables_own": OWN}),
    st.fixed_dictionaries({"direction": DIRECTIONS}),
    st.fixed_dictionaries({"counter": COUNTERS}),
)


@given(ENDS, DIRECTIONS, COUNTERS, ELSEWHERE)
def test_decryption_needs_matching_keys_and_context(
    ends: Ends, direction: bytes, counter: int, elsewhere: dict[str, Any]
) -> None:
    sealed = ends.pad.seal(direction, counter, b"marshal")
    changed = dict(elsewhere)
    where = changed.pop("direction", direction), changed.pop("counter", counter)
    other = replace(ends, **changed)
    keys_differ = (
        encryption.public_key(other.pads_own),
        encryption.public_key(other.tables_own),
    ) != (
        encryption.public_key(ends.pads_own),
        encryption.public_key(ends.tables_own),
    )
    fields_differ = (other.secret, other.side) != (ends.secret, ends.side)
    if keys_differ or fields_differ or where != (direction, counter):
        with pytest.raises(encryption.DecryptionError):
            other.table.open(*where, sealed)


@given(ENDS, st.data())
def test_flipped_bit_is_detected(ends: Ends, data: st.DataObject) -> None:
    sealed = bytearray(ends.pad.seal(encryption.UP, 7, b"marshal"))
    bit = data.draw(st.integers(0, 8 * len(sealed) - 1))
    sealed[bit // 8] ^= 1 << bit % 8
    with pytest.raises(encryption.DecryptionError):
        ends.table.open(encryption.UP, 7, bytes(sealed))


def test_forward_secrecy() -> None:
    ends = Ends(b"s" * encryption.SECRET, Side.RED, b"p" * encryption.KEY, b"t" * encryption.KEY)
    sealed = ends.pad.seal(encryption.UP, 0, b"marshal")
    # The attacker knows the secret and both public keys, but no private key.
    guessed = encryption.SessionKeys(
        ends.secret,
        ends.side,
        b"x" * encryption.KEY,
        pads_key=encryption.public_key(ends.pads_own),
        tables_key=encryption.public_key(ends.tables_own),
    )
    with pytest.raises(encryption.DecryptionError):
        guessed.open(encryption.UP, 0, sealed)


def test_invalid_public_key_is_refused() -> None:
    with pytest.raises(encryption.DecryptionError):
        encryption.SessionKeys(
            b"s" * encryption.SECRET,
            Side.RED,
            b"t" * encryption.KEY,
            pads_key=bytes(encryption.KEY),
            tables_key=encryption.public_key(b"t" * encryption.KEY),
        )


@given(ENDS, st.binary(max_size=encryption.DOWN_SIZE))
def test_length_reveals_nothing(ends: Ends, text: bytes) -> None:
    assert (
        len(ends.table.seal(encryption.DOWN, 0, encryption.pad(text, encryption.DOWN_SIZE)))
        == encryption.DOWN_SIZE + encryption.TAG
    )


def test_too_long_message_is_refused() -> None:
    with pytest.raises(ValueError, match=f"at most {encryption.UP_SIZE}"):
        encryption.pad(bytes(encryption.UP_SIZE + 1), encryption.UP_SIZE)
