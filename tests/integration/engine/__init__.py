"""Type check of the engine's wheel by pyright, in `make heavy`."""
