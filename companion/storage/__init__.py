"""Storage of the game in progress, of finished games, and of games in files.

`companion.session` passes inputs to the table, writes accepted actions to the `journal`, and only
then reports them to listeners. Public: `journal` for all games at the board, and `records` for
games in files, or from standard input if `-` is given instead of a file.
"""
