"""An order is accepted exactly once, and only if the hall has signed it for this table."""

import json
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nacl.signing import SigningKey

from companion.hall.protocol.messages import ForgedOrderError, Order, read_order, sign_order
from companion.hall.publisher.uplink import Remembered

KEY, OTHER = SigningKey(bytes(32)), SigningKey(bytes([1] * 32))
ORDER = Order("table-1", "2026-01-02 18:30:00/7", 5, "Anna", {"what": "let-stand"})
SIGNED = sign_order(ORDER, KEY)


def test_order_round_trip() -> None:
    assert read_order(SIGNED, KEY.verify_key, "table-1") == ORDER


def test_foreign_signature_is_refused() -> None:
    with pytest.raises(ForgedOrderError):
        read_order(sign_order(ORDER, OTHER), KEY.verify_key, "table-1")


def test_order_for_another_table_is_refused() -> None:
    with pytest.raises(ForgedOrderError, match="table-2 has received an order for table-1"):
        read_order(SIGNED, KEY.verify_key, "table-2")


@pytest.mark.parametrize("what", ["declare", "insist", "move", "resign", "", None, ["pause"]])
def test_signed_non_arbiter_act_is_refused(what: object) -> None:
    order = replace(ORDER, act={"what": what, "side": "red", "rank": "spy"})
    with pytest.raises(ForgedOrderError, match="of the order must be an arbiter's act; found"):
        read_order(sign_order(order, KEY), KEY.verify_key, "table-1")


@given(st.integers(0, len(SIGNED) - 1), st.integers(0, 255))
def test_altered_order_is_refused(place: int, byte: int) -> None:
    changed = SIGNED[:place] + bytes([byte]) + SIGNED[place + 1 :]
    with suppress(ForgedOrderError):
        assert read_order(changed, KEY.verify_key, "table-1") == ORDER


@pytest.mark.parametrize(
    "junk", [b"", b"1", b"[]", b"{}", b'{"body": 1, "signature": "?"}', b"x" * 9999]
)
def test_random_input_is_refused(junk: bytes) -> None:
    with pytest.raises(ForgedOrderError):
        read_order(junk, KEY.verify_key, "table-1")


def test_replayed_order_is_ignored_after_a_restart(tmp_path: Path) -> None:
    remembered = Remembered(tmp_path / "hall.json", 1)
    assert remembered.take_order(1)
    assert remembered.take_order(5)
    assert not remembered.take_order(5)
    assert not Remembered(tmp_path / "hall.json", 1).take_order(4)
    assert Remembered(tmp_path / "hall.json", 1).take_order(6)
    assert json.loads((tmp_path / "hall.json").read_text())["order"] == 6
