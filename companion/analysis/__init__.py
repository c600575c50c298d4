"""Review of a finished game: what each player could have known, and how well each of them bluffed.

All modules are deterministic and use only `engine`. Every finding follows from deduced ranks; only
the choice of the three moments is a matter of judgement. A review reveals ranks, so it must not be
shown before the end of the game.
"""
