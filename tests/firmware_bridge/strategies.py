"""Hypothesis strategies that several tests share."""

from hypothesis import strategies as st

from engine.squares import ALL
from firmware_bridge.image import Image

_sets = st.integers(0, ALL)
images = st.builds(
    lambda low, high: Image(red=low & ~high, blue=high & ~low, unknown=low & high), _sets, _sets
)
