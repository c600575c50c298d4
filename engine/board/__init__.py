"""Squares, ranks and sides of the board, and where the pieces are."""
