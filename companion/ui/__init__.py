"""The window and its contents: one .py and one .kv file per screen. Screens contain no rules.

`program` puts `root` with the current screen into the window, and a drag layer above it if the
board is simulated. Each package imports only from those below it:

- `navigation`: the actions of the buttons that open a screen or dialog.
- `maintenance`: the sensor check, the calibration, and the faults of a simulated board.
- `screens`: the screens of a game; `base.screen_selection` chooses the one to show.
- `dialogs`: modal layers over a screen, such as the menu or a question.
- `effects`: animations drawn over the screen.
- `base`: code that all of these share, such as the presenter and the base classes.
- `widgets`: the widgets from which screens and dialogs are built.
- `drawing`: colours, texts, pictures and signs.
"""
