"""Tests that need additional packages: run by “make appliance”, a part of “make heavy”."""
