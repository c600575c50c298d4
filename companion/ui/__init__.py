"""The window and its contents: one .py and one .kv file a screen. Screens contain no rules.

The `program` puts a `root` with all screens into the window, and above it the `hands` if the board
is simulated. Each package imports only from those below it:

- `maintenance`: the sensor check, the calibration, and the faults of a simulated board.
- `game`: the screens of a game; the state of the table selects the one to show.
- `overlays`: modal layers over a screen, such as the menu or a question.
- `base`: code that all of these share, and the host of the games at a board.
- `widgets`: the widgets that they consist of, with colours and texts.

Other packages use the `program` and the modules that need no window: `base.board_host`, and the
dimensions in `widgets.theme`.
"""
