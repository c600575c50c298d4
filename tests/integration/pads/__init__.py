"""Pads in real browsers, and type checks of scripts: `make browsers`, in `make heavy`."""
