"""Selection of magnets for the pieces' feet, based on calculated fields, readings and forces.

No result has been confirmed by measurement on a physical board.
"""
