"""The questions before what is not easily taken back."""

from collections.abc import Callable

from companion.inputs import (
    CannotMove,
    DisputeSettled,
    DrawOffered,
    Forfeited,
    GuessAnswered,
    Infiltrating,
    Input,
    LetStand,
    RankCorrection,
    Resigned,
    SquareDoubted,
    TakeBackOffered,
)
from companion.screens.cover import Question
from companion.screens.stage import Stage
from companion.screens.widgets.rank_symbol import full_name
from companion.screens.words import _
from engine.ranks import Rank
from engine.sides import Side
from engine.squares import Square, name


class Asking:
    """Shows a question that names what follows, and gives the table what was confirmed."""

    def __init__(
        self, stage: Stage, show: Callable[[Question], None], done: Callable[[], None]
    ) -> None:
        self._stage, self._show, self._done = stage, show, done

    def resign(self, side: Side) -> None:
        """Ask whether a side gives up."""
        text = _("{side} resigns?", side=_.language.side(side))
        detail = _("{side} wins then.", side=_.language.side(side.other))
        self._ask(text, detail, lambda: Resigned(self._stage.now(), side))

    def offer_draw(self, side: Side) -> None:
        """Ask whether a side offers a draw."""
        text = _("{side} offers a draw?", side=_.language.side(side))
        detail = _("The offer stands until the next move.")
        self._ask(text, detail, lambda: DrawOffered(self._stage.now(), side))

    def accept_draw(self, side: Side) -> None:
        """Ask whether a side accepts the draw that the other one has offered."""
        text = _("{side} accepts the draw?", side=_.language.side(side))
        self._ask(text, _("Nobody wins then."), lambda: DrawOffered(self._stage.now(), side))

    def cannot_move(self) -> None:
        """Ask whether the side to move is stuck."""
        mover = self._stage.table.referee.to_move
        text = _("{side} cannot move?", side=_.language.side(mover))
        detail = _("{side} wins then.", side=_.language.side(mover.other))
        self._ask(text, detail, lambda: CannotMove(self._stage.now()))

    def offer_take_back(self, side: Side) -> None:
        """Ask whether a side wants to take the latest move back."""
        text = _("{side} asks to take back?", side=_.language.side(side))
        detail = _("The latest move, or the attack that is open. The other side has to agree.")
        self._ask(text, detail, lambda: TakeBackOffered(self._stage.now(), side))

    def accept_take_back(self, side: Side) -> None:
        """Ask whether a side agrees to take the latest move back."""
        text = _("{side} agrees to take back?", side=_.language.side(side))
        detail = _("Then the board has to show what stood before. No time is given back.")
        self._ask(text, detail, lambda: TakeBackOffered(self._stage.now(), side))

    def take_end_back(self) -> None:
        """Ask whether both sides agree that the game goes on as if it had not ended."""
        text = _("Both take the end back?")
        detail = _("The game goes on from where it stood before. Both sides have to agree.")
        self._show(Question(text, detail, self._take_end_back, self._done))

    def look_back(self, look: Callable[[], None]) -> None:
        """Ask whether the game is over for good, so that its ranks may be seen."""
        text = _("Look at the game?")
        detail = _("All ranks that are known are shown. The end cannot be taken back then.")
        self._show(Question(text, detail, look, self._done))

    def _take_end_back(self) -> None:
        for side in Side:
            self._stage.give(TakeBackOffered(self._stage.now(), side))

    def forfeit(self, side: Side) -> None:
        """Ask whether the arbiter declares a side the loser."""
        text = _("Arbiter: {side} has lost?", side=_.language.side(side))
        detail = _("{side} wins then.", side=_.language.side(side.other))
        self._ask(text, detail, lambda: Forfeited(self._stage.now(), side))

    def let_stand(self) -> None:
        """Ask whether the arbiter lets stand what a rule forbids."""
        text = _("Arbiter: let it stand?")
        detail = _("The move counts as it stands on the board, against the rule.")
        self._ask(text, detail, lambda: LetStand(self._stage.now()))

    def doubt(self, square: Square) -> None:
        """Ask whether the board is not to be believed about a square any more, or again."""
        doubted = bool(self._stage.table.doubted >> square & 1)
        if doubted:
            text = _("Believe the board about {square}?", square=name(square))
            detail = _("What the board shows there counts again.")
        else:
            text = _("{square} is seen wrongly?", square=name(square))
            detail = _(
                "It counts as it should be then. A move to it is made by touching both squares."
            )
        now = self._stage.now
        self._ask(text, detail, lambda: SquareDoubted(now(), square, not doubted))

    def correct(self, square: Square, rank: Rank) -> None:
        """Ask whether an arbiter sets a rank right that was shown wrongly."""
        named = full_name(rank)
        text = _("{square}: {rank}?", square=name(square), rank=named)
        detail = _("From now on. What the piece has fought stays as it is.")
        self._ask(text, detail, lambda: RankCorrection(self._stage.now(), square, rank))

    def settle(self, *, accepted: bool) -> None:
        """Ask whether a disputed declaration counts, or not."""
        text = _("The declaration counts?") if accepted else _("Declare again?")
        detail = (
            _("It counts then, whatever was proved before.")
            if accepted
            else _("The same player declares once more.")
        )
        self._ask(text, detail, lambda: DisputeSettled(self._stage.now(), accepted))

    def infiltrate(self, source: Square, target: Square, guess: Rank) -> None:
        """Ask whether this guess is meant."""
        rank = full_name(guess)
        text = _("{square}: {rank}?", square=name(target), rank=rank)
        detail = _("The guess is said aloud. It is the whole turn.")
        self._ask(text, detail, lambda: Infiltrating(self._stage.now(), source, target, guess))

    def answer_guess(self, *, right: bool) -> None:
        """Ask whether the answer to the guess is meant."""
        text = _("The guess is right?") if right else _("The guess is wrong?")
        detail = _("Then the piece falls.") if right else _("Then the piece stays.")
        self._ask(text, detail, lambda: GuessAnswered(self._stage.now(), right))

    def _ask(self, text: str, detail: str, given: Callable[[], Input]) -> None:
        self._show(Question(text, detail, lambda: self._stage.give(given()), self._done))
