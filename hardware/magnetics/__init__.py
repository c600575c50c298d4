"""Selection of the magnets for the pieces' feet, based on calculated fields, readings and forces.

None of the results was measured on a physical board.
"""
