"""Deductions about the rank of every piece, from public facts alone, and their proofs."""
