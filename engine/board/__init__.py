"""Squares, ranks, sides, and the placement of the pieces.

All engine errors derive from one base class, which this package defines::

    EngineError (a ValueError)
    ├── NotationError       a text or a square cannot be parsed
    ├── OutOfPhaseError     the action is not allowed in this phase of the game
    ├── IllegalActionError  the action breaks a rule (`engine.game.referee`)
    └── RecordError, TranscriptError  a recorded game cannot be read (`engine.records`)

Each error has `expected` and `found`, and can be pickled.
"""


class EngineError(ValueError):
    """The engine rejected an input and changed nothing."""

    expected: str = "a readable game"
    """Description of a valid input, as in ``"a square such as e4"``."""

    @property
    def found(self) -> object:
        """The rejected part of the input, or a description of the error. Never secret."""
        return self.args[0]


class _ExpectedError(EngineError):
    """An error about a single value.

    Its `args` are the constructor's arguments, so the error can be pickled.
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
    """Text, or a value passed in place of text, cannot be parsed."""

    def __init__(self, expected: str, found: object, place: str = "", position: int = 0) -> None:
        """Create an error about one part of an input.

        Args:
            expected: A valid form, as in ``"a square such as e4"``.
            found: The invalid part. Never a secret.
            place: Where the invalid part is, as in ``"the action"``; empty if that is obvious.
            position: Column of the invalid part in its line, counted from 1; 0 if unknown.
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
    """The action is not allowed in this phase of the game.

    The cause is a bug in the calling program, not a player's mistake. If a player's action is
    illegal, the referee returns rulings and does not raise this error.
    """
