"""From frames to possible hand actions, without any rule of the game.

`watch` turns frames into changes, each with the interval of time in which it happened. `courses`
derives every hypothesis that fits them: which piece was lifted, carried, pushed or put back, and
which pieces are still lifted. Deciding which hypothesis is a turn is left to the caller.
"""
