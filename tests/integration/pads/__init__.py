"""Tests for pads in real browsers, and type checks of scripts. Run by `make browsers`, a part of
`make heavy`.
"""
