"""Calculation of the magnets in the pieces' feet: fields, readings, forces and their choice.

Nothing in here was measured on a physical board.
"""
