"""The screens of a game, from the start to the end.

Only the root creates them; `base.screen_selection` selects the one to show. Other modules may use
the texts of the start screen about the board.
"""
