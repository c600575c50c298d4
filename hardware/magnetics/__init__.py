"""Selection of magnets for the pieces' feet, based on calculated fields, readings and forces.

No result has been measured on a physical board.
"""
