"""Animations over the screen: the bomb, the flag, a seal in wax."""
