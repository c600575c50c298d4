"""Sentences about the board: its pieces, instructions for them, and the moves made."""

from collections.abc import Sequence
from typing import Final

from companion.core.events import SetupSeen
from companion.core.state import TAKEN_BACK
from companion.speech.i18n import N_, Language
from engine.board.geometry import Square, SquareSet, name, squares_in
from engine.game.actions import Relocation
from engine.game.rulings import AdoptionError, AdoptionRejected
from firmware_bridge.image import Image, ImageDifference

_NAMED: Final = 8
"""Maximum number of squares that a sentence names."""
_OBSTACLES: Final = {
    AdoptionError.TOO_MANY: N_(
        "There is one piece too many on {squares}. Remove it, or take back the capture."
    ),
    AdoptionError.BOMB_OR_FLAG: N_(
        "Only a bomb or the flag can be missing on {squares}. They never move: put it back."
    ),
    AdoptionError.FLAG: N_(
        "Only the flag can be missing on {squares}. Put it back. A player whose flag is lost "
        "must resign."
    ),
}
"""Reasons why a board cannot be adopted, each with a remedy."""


class BoardWords:
    """The sentences in one language."""

    def __init__(self, language: Language) -> None:
        self.language = language
        self._text = language.text

    def turns_in_words(self, written: str) -> str:
        """Return the text of turns in game notation, such as ``e4-e5 f7xf5``."""
        if written == TAKEN_BACK:
            return self._text(N_("the last move is taken back"))
        text, *others = map(self._turn, written.split())
        for each in others:
            text = self._text(N_("{turn}, then {next}"), turn=text, next=each)
        return text

    def guide(self, difference: ImageDifference, expected: Image) -> list[str]:
        """Return the instructions for the board, one per piece: removals, then placements."""
        take = [
            self._text(N_("Remove the piece from {square}."), square=name(square))
            for square in squares_in(difference.surplus)
        ]
        put = [
            self._text(N_("Put the red piece on {square}."), square=name(square))
            if expected.red >> square & 1
            else self._text(N_("Put the blue piece on {square}."), square=name(square))
            for square in squares_in(difference.missing)
        ]
        return take + put

    def claim(self, shifted: Sequence[Relocation], removed: SquareSet) -> list[str]:
        """Return the positions of the pieces if the board is right, one sentence per piece."""
        elsewhere = [
            self._text(
                N_("The piece from {source} is on {target}."),
                source=name(shift.source),
                target=name(shift.target),
            )
            for shift in shifted
        ]
        missing = [
            self._text(N_("The piece from {square} is off the board."), square=name(square))
            for square in squares_in(removed)
        ]
        return elsewhere + missing

    def refusal(self, refused: AdoptionRejected) -> str:
        """Return why a board cannot be adopted, and the remedy."""
        squares = some(list(squares_in(refused.squares)))
        return self._text(_OBSTACLES[refused.obstacle], squares=squares)

    def setup(self, setup: SetupSeen) -> str:
        count = self._text(
            N_("Pieces set up: Red {red}, Blue {blue}."), red=setup.red, blue=setup.blue
        )
        return " ".join([count, *self.astray(setup)])

    def astray(self, setup: SetupSeen) -> list[str]:
        """Return the problems during setup, and the remedies."""
        if setup.are_exchanged:
            wrong = N_("The armies are on the wrong sides: Red belongs on rows 1 to 4.")
            way_out = N_("Turn the board round, or swap the armies.")
            return [self._text(wrong), self._text(way_out)]
        colour = setup.wrong_colour
        elsewhere = [square for square in setup.astray if square not in colour]
        return [
            self._text(sentence, squares=some(squares))
            for sentence, squares in (
                (
                    N_(
                        "{squares}: this piece belongs to the other side, or its magnet is "
                        "upside down."
                    ),
                    colour,
                ),
                (N_("No piece belongs on {squares}."), elsewhere),
            )
            if squares
        ]

    def stands_badly(self, squares: Sequence[Square]) -> str:
        """Return the place of a piece that no square detects: beside or between squares."""
        names = list(map(name, squares))
        if len(names) == 1:
            message = N_("A piece is not centred on {square}: move it to the centre.")
            return self._text(message, square=names[0])
        if len(names) == 2:
            message = N_(
                "A piece is between {one} and {other}: move it to the centre of its square."
            )
            return self._text(message, one=names[0], other=names[1])
        message = N_("A piece is at the corner of {squares}: move it to the centre of its square.")
        return self._text(message, squares=", ".join(names))

    def _turn(self, written: str) -> str:
        is_attack = "x" in written
        source, target = written.split("x" if is_attack else "-")
        words = N_("{source} attacks {target}") if is_attack else N_("{source} to {target}")
        return self._text(words, source=source, target=target)


def some(squares: Sequence[Square]) -> str:
    """Name the first of some squares; all squares of a knocked-over army would fill the screen."""
    named = ", ".join(map(name, squares[:_NAMED]))
    return named if len(squares) <= _NAMED else f"{named} …"
