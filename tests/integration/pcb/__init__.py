"""Tests that need an installed KiCad: run by “make heavy”."""
