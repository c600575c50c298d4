"""Board hardware (parts, circuit boards, firmware) and an emulator that runs the firmware."""
