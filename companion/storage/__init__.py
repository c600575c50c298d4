"""Storage of the game in progress, of finished games, and of games in files.

`companion.session` passes inputs to the table, writes the accepted actions to the journal, and only
then reports them to listeners. The public modules are `journal`, for all games on the board, and
`records`, for games in files or from standard input.
"""
