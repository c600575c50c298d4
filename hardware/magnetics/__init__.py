"""What a magnet in a piece's foot does, by calculation: fields, readings, forces, and the choice.

Nothing in here was measured on a physical board.
"""
