"""The engine's wheel, type-checked by pyright from npm: part of `make heavy`."""
