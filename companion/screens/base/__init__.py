"""What all screens share: the host of an evening at a board, the stage, and what a screen is.

All may be used from the rooms above. From outside the screens, only `board_host` and the `mouse`.
"""
