"""Tests run by “make appliance”, in “make heavy”."""
