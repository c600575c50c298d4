"""Sentences about results: combats, guesses, corrections, the end."""

from typing import Final

from companion.speech.board_words import some
from companion.speech.language import N_, Language
from companion.speech.rule_words import RuleWords
from engine.board.geometry import name, set_of, squares_in
from engine.board.ranks import Rank
from engine.game.actions import Exchanged, NoLongMove, WrongRank
from engine.game.rulings import Combat, Corrected, GameOver, Infiltrated, Reason
from engine.rules.rules import Reading

_REASONS: Final = {
    Reason.FLAG_CAPTURED: N_("the flag is captured"),
    Reason.NO_MOVABLE_PIECE: N_("the other side has no movable piece left"),
    Reason.NO_LEGAL_MOVE: N_("the other side cannot move"),
    Reason.MOVED_BOMB: N_("the other side has moved a bomb or the flag"),
    Reason.RESIGNATION: N_("the other side has resigned"),
    Reason.AGREED_DRAW: N_("both sides have agreed"),
    Reason.BOTH_IMMOBILE: N_("neither side can move"),
    Reason.TIME: N_("the time is up"),
    Reason.FORFEIT: N_("the arbiter has decided"),
}
_REASONS_AS_WE_READ: Final = {
    Reading.BOTH_SPENT: N_("both sides have lost their last movable pieces together"),
}
"""Interpretations of ours that end the game, where the reason alone would not explain it."""


class ResultWords:
    """Words them in one language."""

    def __init__(self, language: Language, rules: RuleWords) -> None:
        self.language = language
        self._text = language.text
        self._rules = rules

    def combat(self, combat: Combat) -> str:
        """Return both ranks, as far as they are revealed, and the winner."""
        ends = [(combat.side, combat.attacker), (combat.side.other, combat.defender)]
        ranks = [
            self._text(
                N_("{side}: {rank}."), side=self.language.side(side), rank=self.language.rank(rank)
            )
            for side, rank in ends
            if rank is not None
        ]
        told = " ".join([*ranks, self._result(combat)])
        if combat.reading is None:
            return told
        reading = self._rules.reading(combat.reading)
        silent = N_("the rulebook is silent, and our reading is: {reading}")
        return f"{told} ({self._text(silent, reading=reading)})"

    def infiltrated(self, event: Infiltrated) -> str:
        """Return whether a guess was right."""
        if not event.right:
            return self._text(N_("Wrong."))
        if event.guess is Rank.FLAG:
            return self._text(N_("Right: the flag is captured!"))
        rank = self.language.rank(event.guess)
        return self._text(
            N_("Right: the {rank} on {square} falls."), rank=rank, square=name(event.target)
        )

    def correction(self, corrected: Corrected) -> str:
        """Return the correction, and the other pieces of which more or less is known by it."""
        places = list(map(name, corrected.squares))
        match corrected.mistake:
            case WrongRank(_, rank):
                said = self._text(
                    N_("The arbiter sets it right: the piece on {square} is: {rank}."),
                    square=places[0],
                    rank=self.language.rank(rank),
                )
            case Exchanged():
                said = self._text(
                    N_("The arbiter sets it right: the pieces on {one} and {other} are exchanged."),
                    one=places[0],
                    other=places[1],
                )
            case NoLongMove():
                said = self._text(
                    N_(
                        "The arbiter sets it right: the piece on {square} has never gone further "
                        "than one square."
                    ),
                    square=places[0],
                )
        others = list(squares_in(corrected.changed & ~set_of(corrected.squares)))
        if not others:
            return said
        follows = N_("Something else is known now of the pieces on these squares: {squares}.")
        return f"{said} {self._text(follows, squares=some(others))}"

    def end(self, end: GameOver) -> str:
        """Return the winner, and the reason."""
        reading = end.citation.reading if end.citation else None
        words = _REASONS_AS_WE_READ.get(reading) if reading else None
        reason = self._text(words or _REASONS[end.reason])
        if end.winner:
            winner = self.language.side(end.winner)
            said = self._text(N_("{winner} wins: {reason}."), winner=winner, reason=reason)
        elif end.reason is Reason.FORFEIT:
            said = self._text(N_("Both sides have lost: {reason}."), reason=reason)
        else:
            said = self._text(N_("The game is a draw: {reason}."), reason=reason)
        return f"{said} ({self._rules.cite(end.citation)})" if end.citation else said

    def _result(self, combat: Combat) -> str:
        if combat.boom:
            return self.language.cry
        if combat.defender is Rank.FLAG:
            return self._text(N_("The flag is captured!"))
        if combat.winner is None:
            return self._text(N_("Both fall."))
        if combat.defender is Rank.BOMB:
            return self._text(N_("The bomb is defused."))
        return self._text(N_("{side} wins the combat."), side=self.language.side(combat.winner))
