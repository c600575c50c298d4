"""Type check of the engine's wheel with pyright, run by `make heavy`."""
