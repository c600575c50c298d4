"""Dialogs that ask for confirmation, for example before a resignation or an offer.

Reversible actions are confirmed by a tap, and irreversible ones, such as resigning or guessing a
rank, by holding a button. The arbiter's actions are confirmed by entering a code or holding a
button.
"""

from collections.abc import Callable, Sequence

from kivy.properties import AliasProperty, BooleanProperty, StringProperty

from companion.core import inputs
from companion.ui.base.modal import Confirmation, Modal
from companion.ui.base.presenter import GamePresenter
from companion.ui.drawing.rank_symbol import full_name
from companion.ui.drawing.translator import _
from companion.ui.widgets.buttons import load_kv
from engine.board.geometry import Side, Square, name
from engine.board.ranks import Rank
from engine.game import actions
from engine.game.game_state import Phase


class HoldToConfirm(Modal):
    """Asks a question that is confirmed by holding a button or by entering the arbiter's code."""

    text = StringProperty()
    detail = StringProperty()
    has_code = BooleanProperty(False)
    wrong = StringProperty()
    """An error message if the code is wrong, otherwise an empty string."""
    answer_height = AliasProperty(lambda self: 64 if self.has_code else 96, bind=["has_code"])

    def __init__(
        self,
        text: str,
        detail: str,
        on_yes: Callable[[], None],
        on_done: Callable[[], None],
        *,
        code: str = "",
    ) -> None:
        """Ask the question. If `code` is empty, the yes button must be held down."""
        super().__init__(text=text, detail=detail, has_code=bool(code))
        self._code, self._on_yes, self._on_done = code, on_yes, on_done

    def tick(self, now: float) -> None:
        self.ids.yes.tick(now)

    def enter(self, code: str) -> None:
        """Check the four digits entered."""
        if code == self._code:
            self.answer(yes=True)
        else:
            self.wrong = _("That is not the arbiter's code.")

    def answer(self, *, yes: bool) -> None:
        self._on_done()
        if yes:
            self._on_yes()


class Confirmations:
    """Asks questions that state the consequences of an action.

    Confirmed actions are passed to the table.

    Questions to one player are in that player's language; all others are in the table's language.
    """

    def __init__(
        self, presenter: GamePresenter, show: Callable[[Modal], None], done: Callable[[], None]
    ) -> None:
        self._presenter, self._show, self._done = presenter, show, done

    def leave(self) -> None:
        """Leave the game. If it is not saved, ask for confirmation first."""
        with self._presenter.speaking_to(None):
            if self._presenter.host.keeps:
                self._presenter.leave()
                return
            text = _("Back to the start screen?")
            detail = _("This game is not being saved. If you leave, it is lost.")
            self._show(HoldToConfirm(text, detail, self._presenter.leave, self._done))

    def begin(self, begin: Callable[[], None]) -> None:
        """Begin a game. If another game is unfinished, ask for confirmation first."""
        if self._presenter.host.kept is None:
            begin()
            return
        text = _("Start another game?")
        detail = _("The unfinished game is not lost: you can continue it from “Games …”.")
        self._show(Confirmation(text, detail, begin, self._done))

    def leave_setup(self) -> None:
        """Ask whether to return to the start screen, which discards the setup."""
        text, detail = _("Back to the start screen?"), _("The setup is lost then.")
        self._show(Confirmation(text, detail, self._presenter.leave, self._done))

    def resign(self, side: Side) -> None:
        with self._presenter.speaking_to(side):
            text = _("Does {side} resign?", side=_.language.side(side))
            detail = _("{side} wins then.", side=_.language.side(side.other))
            self._end(text, detail, actions.Resign(side))

    def offer_draw(self, side: Side) -> None:
        with self._presenter.speaking_to(side):
            text = _("Does {side} offer a draw?", side=_.language.side(side))
            detail = _("The offer is open until the next move.")
            self._ask(text, detail, inputs.OfferDraw(side))

    def accept_draw(self, side: Side) -> None:
        with self._presenter.speaking_to(side):
            text = _("Does {side} accept the draw?", side=_.language.side(side))
            self._end(text, _("Then nobody wins."), inputs.OfferDraw(side))

    def cannot_move(self) -> None:
        """Ask whether the side to move has no legal move."""
        view = self._presenter.table.view
        with self._presenter.speaking_to(view.to_move):
            text = _("{side} cannot move?", side=_.language.side(view.to_move))
            other = _.language.side(view.to_move.other)
            detail = _(
                "{side} wins with a legal move. If neither side can move, it is a draw.", side=other
            )
            self._end(text, detail, actions.ClaimStalemate())

    def can_move(self) -> None:
        """Ask a side whether it can move, after its opponent has claimed to be unable to."""
        asked = self._presenter.address_of or self._presenter.table.view.to_move.other
        with self._presenter.speaking_to(asked):
            side = _.language.side(asked)
            text = _("Can {side} move?", side=side)
            detail = _(
                "{side} must show it with a legal move on the board, and then wins.", side=side
            )
            self._ask(text, detail, actions.AnswerStalemate(able=True))

    def can_neither_move(self) -> None:
        """Ask the other side to confirm that it cannot move either.

        The side may have claimed before that it can move.
        """
        view = self._presenter.table.view
        stuck = view.stuck or view.to_move
        with self._presenter.speaking_to(stuck.other):
            side = _.language.side(stuck.other)
            if view.phase is Phase.SHOWING:
                text = _("{side} cannot move after all?", side=side)
            else:
                text = _("{side} cannot move either?", side=side)
            self._end(text, _("The game is then a draw."), actions.AnswerStalemate(able=False))

    def offer_take_back(self, side: Side) -> None:
        """Ask whether a side wants to take back the last move."""
        with self._presenter.speaking_to(side):
            if self._presenter.table.conversation.needs_no_agreement(side):
                text = _("Does {side} take back a move?", side=_.language.side(side))
                detail = _("If the other side has answered, its move is taken back as well.")
            else:
                text = _("Does {side} ask for a take-back?", side=_.language.side(side))
                detail = _("The last move, or the attack in progress. The other side has to agree.")
            self._ask(text, detail, inputs.OfferUndo(side))

    def accept_take_back(self, side: Side) -> None:
        """Ask whether a side agrees to take back the last move."""
        with self._presenter.speaking_to(side):
            text = _("Does {side} allow the take-back?", side=_.language.side(side))
            detail = _("The pieces must then go back to where they were. No time is given back.")
            self._ask(text, detail, inputs.OfferUndo(side))

    def take_end_back(self) -> None:
        """Ask whether both sides agree to undo the end of the game and play on."""
        text = _("Take back the end of the game?")
        detail = _("The game continues from where it was. Both players have to agree.")
        self._end(text, detail, *map(inputs.OfferUndo, Side))

    def look_back(self, look: Callable[[], None]) -> None:
        """Ask whether to reveal all ranks, after which the end of the game cannot be undone."""
        text = _("Show all ranks?")
        detail = _(
            "All known ranks are shown. After that, the end of the game cannot be taken back."
        )
        self._show(HoldToConfirm(text, detail, look, self._done))

    def switch_off(self, switch: Callable[[], None]) -> None:
        text = _("Switch off?")
        detail = _("Your game is saved. Pull the plug only when the screen has gone dark.")
        self._show(HoldToConfirm(text, detail, switch, self._done))

    def forfeit(self, side: Side | None) -> None:
        """Ask the arbiter whether `side` forfeits the game. None stands for both sides."""
        with self._presenter.speaking_to(None):
            if side:
                text = _("Arbiter: {side} loses?", side=_.language.side(side))
                detail = _("{side} wins then.", side=_.language.side(side.other))
            else:
                text, detail = _("Arbiter: both lose?"), _("Then nobody wins.")
            self._decide(text, detail, actions.Forfeit(side))

    def give_time(self, given: Sequence[inputs.AdjustClock]) -> None:
        """Ask the arbiter to confirm the clock adjustments."""
        detail = " ".join(_.announcer.sentence(each) for each in given)
        self._decide(_("Arbiter: adjust the clocks?"), detail, *given)

    def allow_move(self) -> None:
        """Ask the arbiter whether to allow a move that a rule forbids."""
        with self._presenter.speaking_to(None):
            refused = self._presenter.table.state.refused
            assert refused
            text = _("Arbiter: allow it?")
            detail = _("The move counts as it is on the board, even though it breaks a rule.")
            self._decide(text, detail, actions.Override(refused.source, refused.target))

    def doubt(self, square: Square) -> None:
        """Ask whether to ignore a square's sensor from now on, or to use it again."""
        doubted = bool(self._presenter.table.doubted >> square & 1)
        if doubted:
            text = _("Use the sensor of {square} again?", square=name(square))
            detail = _("The sensor counts again.")
        else:
            text = _("Ignore the sensor of {square}?", square=name(square))
            detail = _("Its sensor is ignored. To move there, tap both squares.")
        self._ask(text, detail, inputs.IgnoreSquare(square, not doubted))

    def set_rank_right(self, square: Square, rank: Rank) -> None:
        """Ask the arbiter to confirm the correction of a wrong rank."""
        text = _("{square}: {rank}?", square=name(square), rank=full_name(rank))
        detail = _("This applies from now on. Earlier fights stand.")
        piece = self._presenter.table.view.board.piece_at(square)
        self._decide(text, detail, actions.Correct(actions.RankCorrection(piece, rank)))

    def exchange(self, square: Square, other: Square) -> None:
        """Ask the arbiter to confirm that two pieces have been mistaken for each other."""
        text = _("{square} and {other} swapped?", square=name(square), other=name(other))
        detail = _(
            "What is known about each applies to the other from now on. The pieces on the board "
            "stay where they are."
        )
        board = self._presenter.table.view.board
        pieces = board.piece_at(square), board.piece_at(other)
        self._decide(text, detail, actions.Correct(actions.SwapCorrection(*pieces)))

    def deny_long_move(self, square: Square) -> None:
        """Ask the arbiter to confirm that this piece did not make the recorded long move."""
        text = _("{square}: never further than one square?", square=name(square))
        detail = _("The piece need not be a scout any more. It stays where it is.")
        piece = self._presenter.table.view.board.piece_at(square)
        self._decide(text, detail, actions.Correct(actions.NotAScout(piece)))

    def settle(self, *, accepted: bool) -> None:
        """Ask whether to accept a disputed declaration or to require a new one."""
        text = _("Does the declaration count?") if accepted else _("Declare again?")
        detail = (
            _("It will count, even against the proof.")
            if accepted
            else _("The same player declares again.")
        )
        self._decide(text, detail, actions.SettleDispute(accepted))

    def break_seals(self, side: Side) -> None:
        """Ask whether to cancel a side's commitments, for example because they cannot be opened."""
        with self._presenter.speaking_to(None):
            text = _("Break the seals of {side}?", side=_.language.side(side))
            detail = _(
                "From then on, {side}'s declarations are simply believed.",
                side=_.language.side(side),
            )
            self._decide(text, detail, actions.BreakSeals(side))

    def prove_army(self, side: Side, prove: Callable[[], None]) -> None:
        """Ask whether a side wants to open all its commitments, which proves its setup."""
        with self._presenter.speaking_to(side):
            text = _("Show {side}'s setup?", side=_.language.side(side))
            detail = _(
                "Everyone sees the whole setup. After that, the end of the game cannot "
                "be taken back."
            )
            self._show(HoldToConfirm(text, detail, prove, self._done))

    def infiltrate(self, source: Square, target: Square, guess: Rank) -> None:
        """Ask whether the side to move wants to make this guess."""
        with self._presenter.speaking_to(self._presenter.table.view.to_move):
            rank = full_name(guess)
            text = _("{square}: {rank}?", square=name(target), rank=rank)
            detail = _("The guess is announced. It takes the whole turn.")
            self._end(text, detail, actions.Infiltrate(source, target, guess))

    def answer_guess(self, *, right: bool) -> None:
        """Ask the owner of the piece whether to give this answer to a guess."""
        with self._presenter.speaking_to(self._presenter.address_of):
            text = _("Is the guess right?") if right else _("Is the guess wrong?")
            detail = _("The piece then falls.") if right else _("Then the piece stays.")
            if self._contradicts_print(right=right):
                detail = _("That does not match the rank printed on the piece.") + " " + detail
            owner = self._presenter.table.view.to_move.other
            self._end(text, detail, self._presenter.seals.answer_guess(owner, right=right))

    def _contradicts_print(self, *, right: bool) -> bool:
        """Whether an answer to the guess contradicts the rank printed on the simulated piece."""
        view = self._presenter.table.view
        if view.opened is None:
            return False
        printed = self._presenter.host.printed_on(view.board.piece_at(view.opened[1]))
        return printed is not None and (printed is view.guess) is not right

    def _decide(self, text: str, detail: str, *acts: actions.Action | inputs.Command) -> None:
        """Ask the arbiter to enter the code or, if no code is set, to hold a button."""
        self._show(
            HoldToConfirm(
                text,
                detail,
                self._submission(*acts),
                self._done,
                code=self._presenter.settings.code,
            )
        )

    def _end(self, text: str, detail: str, *what: actions.Action | inputs.Command) -> None:
        """Ask for confirmation of an irreversible action."""
        self._show(HoldToConfirm(text, detail, self._submission(*what), self._done))

    def _ask(self, text: str, detail: str, *what: actions.Action | inputs.Command) -> None:
        """Ask for confirmation of a reversible action."""
        self._show(Confirmation(text, detail, self._submission(*what), self._done))

    def _submission(self, *what: actions.Action | inputs.Command) -> Callable[[], None]:
        def submit() -> None:
            for each in what:
                self._presenter.submit(inputs.CommandInput(self._presenter.now(), each))

        return submit


load_kv(__file__)
