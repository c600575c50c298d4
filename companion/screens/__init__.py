"""The window and all that is shown in it: one .py and one .kv a screen. Screens hold no rules.

The `program` puts a `root` with all screens into the window, and above it the `hands` if the board
is simulated. Of the rooms each imports only from those below it:

- `maintenance`: the sensor check, the calibration, and the faults of a simulated board.
- `game`: the screens of a game; what stands at the table says which of them is due.
- `overlays`: what lies over a screen for a while, such as the menu, or a question.
- `base`: what all of these share, and the host of an evening at a board.
- `widgets`: what they are made of, colours and texts included.

From outside use the `program`, and what there is without a window: `base.board_host`, and the
measures in `widgets.theme`.
"""
