"""Pads in real browsers: `make browsers`, a part of `make heavy`."""
