"""Pads in real browsers, and the types of all pages: `make browsers`, a part of `make heavy`."""
