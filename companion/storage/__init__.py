"""Storage: the game in progress, finished games, and games in files.

A `session` passes inputs to the table, writes accepted actions to the `journal`, and only then
reports them to listeners. Public: `session` and `journal` to play; the `archive` of finished games;
`records` for games in files; and `standard_input`, where `-` may be named instead of a file.
"""
