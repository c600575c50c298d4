"""The window and its contents, with a .py and a .kv file for each screen. Screens contain no rules.

`program` puts `root` with the current screen into the window. If the board is simulated, `program`
adds a drag layer on top. Each package imports only from those below it in this list:

- `navigation`: the actions of buttons that open a screen or dialog.
- `maintenance`: the sensor check, the calibration, and simulated board faults.
- `screens`: the screens of a game. `base.screen_selection` selects the one to show.
- `dialogs`: modal layers over a screen, such as the menu or a question.
- `effects`: animations over the screen.
- `base`: code that the packages above share, such as the presenter and the base classes.
- `widgets`: the widgets from which screens and dialogs are built.
- `drawing`: colours, texts, pictures and symbols.
"""
