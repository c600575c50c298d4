"""The engine, tried in the language of the game: boards as pictures, games as lists of moves."""
