"""Tests for pads in real browsers, and type checks of scripts. Run by ``make browsers``, part of
``make heavy``.
"""
