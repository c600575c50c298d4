"""What is proved about the rank of every piece, from public facts alone, and the proofs."""
