"""Tests of the hardware: the firmware on the desktop, and in emulation with simulated magnets."""
