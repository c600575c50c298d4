"""What KiCad has to be installed for: run by “make heavy”."""
