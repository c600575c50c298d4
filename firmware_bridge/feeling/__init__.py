"""Where a piece stands that no square sees: from what the sensors around it feel.

`field_curve` is how strongly a piece is felt from how far. `feelings` collects what a board tells,
`place` finds the magnet that explains it. It is never certain enough to rule by: people are told.
"""
