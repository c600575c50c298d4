"""Tests with KiCad, run by ``make heavy``."""
