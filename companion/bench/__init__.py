"""How fast engine and table are, beside a plain implementation of the same."""
