"""Damages files for tests of the readers, and checks the readers' error messages."""

import re
from collections.abc import Callable

import pytest
from hypothesis import strategies as st

from engine.records.record import Record, RecordError
from engine.records.transcript import Transcript

Reader = Callable[[bytes], Record | Transcript]
Damage = tuple[str, float, int, int]

damages: st.SearchStrategy[list[Damage]] = st.lists(
    st.tuples(
        st.sampled_from(["replace", "insert", "delete", "double"]),
        st.floats(0, 1),
        st.integers(0, 255) | st.sampled_from(b'<>"&;=/!?[]:\n'),
        st.integers(1, 40),
    ),
    min_size=1,
    max_size=5,
)


def damaged(whole: bytes, suffered: list[Damage]) -> bytes:
    data = bytearray(whole)
    for how, where, byte, length in suffered:
        at = int(where * max(0, len(data) - 1))
        if how == "replace":
            data[at : at + 1] = bytes([byte])
        elif how == "insert":
            data[at:at] = bytes([byte])
        elif how == "delete":
            del data[at : at + length]
        else:
            data[at:at] = data[at : at + length]
    return bytes(data)


def spoil(whole: str, old: str, new: str) -> str:
    """Replace a part of a text. The part must occur exactly once."""
    assert whole.count(old) == 1, old
    return whole.replace(old, new)


def refusal(reader: Reader, data: str | bytes) -> str:
    """Read invalid data, and return the error message."""
    with pytest.raises(RecordError) as refused:
        reader(data if isinstance(data, bytes) else data.encode())
    return str(refused.value)


def read_or_refuse(reader: Reader, data: bytes) -> Record | Transcript | None:
    """Read damaged data, or return None if the reader rejects it.

    The only error allowed is a `RecordError` that names a line.
    """
    record = message = None
    try:
        record = reader(data)
    except RecordError as refused:
        message = str(refused)
    if record is None:
        assert re.match(r"line \d+: [\w<]", message or "")
        return None
    if isinstance(record, Record):
        assert not record.red & record.blue
        assert len(record.ranks) == (record.red | record.blue).bit_count()
    return record
