"""The rulebooks: rules, our interpretations of them, editions and the outcome of every combat.

Plain data. This package has no notion of a board or a game.
"""
