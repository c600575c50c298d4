"""Squares, ranks and sides of the board, and the positions of the pieces.

All errors of the engine derive from one base class, which this package defines::

    EngineError (a ValueError)
    ├── NotationError       a text or a square cannot be read
    ├── OutOfPhaseError     the action does not fit the phase of the game
    ├── IllegalActionError  a rule forbids the action (`engine.game.referee`)
    └── RecordError, TranscriptError  a recorded game cannot be read (`engine.records`)
"""


class EngineError(ValueError):
    """The engine rejects an input; nothing has changed."""


class NotationError(EngineError):
    """A text, or a value given instead of a text, cannot be parsed."""

    def __init__(self, expected: str, found: object, place: str = "", position: int = 0) -> None:
        """Create an error about one part of an input.

        Args:
            expected: A valid form, as in ``"a square such as e4"``.
            found: The part that is not valid. Never a secret.
            place: Where it is, as in ``"the action"``; empty if that is obvious.
            position: Column of the part in its line, from 1; 0 if it is not known.
        """
        where = f"column {position}: " if position else f"{place}: " if place else ""
        shown = "the end of the text" if position and not found else repr(found)
        super().__init__(f"{where}expected {expected}, found {shown}")
        self.expected = expected
        self.found = found
        self.place = place
        self.position = position


class OutOfPhaseError(EngineError):
    """The action does not fit the phase of the game: a bug of the program, not a player's error.

    A player's action that a rule forbids is answered by rulings instead.
    """
