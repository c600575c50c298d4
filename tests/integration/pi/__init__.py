"""Tests run by “make appliance”, a part of “make heavy”."""
