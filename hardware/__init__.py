"""Hardware of the board (parts, circuit boards, firmware) and the emulator of its firmware."""
