"""Calculation of the magnets in the pieces' feet: fields, readings, forces and their choice.

None of the results was measured on a physical board.
"""
