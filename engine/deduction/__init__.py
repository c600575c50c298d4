"""Deduces the possible ranks of every piece from public facts, with proofs."""
