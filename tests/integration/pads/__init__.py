"""Pads in real browsers, and type checks of all scripts: `make browsers`, part of `make heavy`."""
