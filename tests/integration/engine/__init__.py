"""Type check of the engine wheel with pyright, run by ``make heavy``."""
