"""Derives possible hand actions from frames, without using the rules of the game.

`change_detector` turns frames into changes, each with the time interval in which it happened.
`hypotheses` derives every hypothesis that fits these changes: which pieces were lifted, carried,
pushed or put back, and which are still lifted. The caller decides which hypothesis is a turn.
"""
