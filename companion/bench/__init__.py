"""How fast the engine is, beside a plain implementation of the same rules."""
