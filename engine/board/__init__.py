"""Squares, ranks and sides of the board, and the positions of the pieces.

All errors of the engine derive from one base class, which this package defines::

    EngineError (a ValueError)
    ├── NotationError       a text or a square cannot be read
    ├── OutOfPhaseError     the action does not fit the phase of the game
    ├── IllegalActionError  a rule forbids the action (`engine.game.referee`)
    └── RecordError, TranscriptError  a recorded game cannot be read (`engine.records`)

Each has `expected` and `found`, and can be pickled.
"""


class EngineError(ValueError):
    """The engine rejects an input; nothing has changed."""

    expected: str = "a readable game"
    """A valid input, as in ``"a square such as e4"``."""

    @property
    def found(self) -> object:
        """The rejected part of the input, or a description of the error. Never secret."""
        return self.args[0]


class _ExpectedError(EngineError):
    """An error about one value.

    Its `args` are the constructor's arguments, which makes it picklable.
    """

    def __init__(self, expected: str, found: object, *place: object) -> None:
        super().__init__(expected, found, *place)
        self.expected = expected

    @property
    def found(self) -> object:
        return self.args[1]

    def __str__(self) -> str:
        return f"expected {self.expected}, found {self.found}"


class NotationError(_ExpectedError):
    """Text, or a value given instead of text, cannot be parsed."""

    def __init__(self, expected: str, found: object, place: str = "", position: int = 0) -> None:
        """Create an error about one part of an input.

        Args:
            expected: A valid form, as in ``"a square such as e4"``.
            found: The part that is not valid. Never a secret.
            place: Where it is, as in ``"the action"``; empty if that is obvious.
            position: Column of the part in its line, from 1; 0 if it is not known.
        """
        super().__init__(expected, found, place, position)
        self.place = place
        self.position = position

    def __str__(self) -> str:
        place = f"column {self.position}" if self.position else self.place
        where = f"{place}: " if place else ""
        shown = "the end of the text" if self.position and not self.found else repr(self.found)
        return f"{where}expected {self.expected}, found {shown}"


class OutOfPhaseError(_ExpectedError):
    """The action does not fit the phase of the game: a bug of the program, not a player's error.

    A player's action that a rule forbids is answered by rulings instead.
    """
