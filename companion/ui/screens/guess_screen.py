"""An infiltrator's guess: it is public, and the owner of the piece answers it.

An answer that cannot be true is refused, and the reason is shown to the owner alone behind a
curtain.
"""

from kivy.properties import AliasProperty, BooleanProperty, ObjectProperty, StringProperty

from companion.ui.base.base_screen import seal_text
from companion.ui.base.curtain_screen import CurtainScreen
from companion.ui.base.presenter import GamePresenter
from companion.ui.drawing.rank_symbol import full_name
from companion.ui.drawing.translator import _
from companion.ui.widgets.buttons import load_kv
from companion.ui.widgets.private_pane import PrivateWord
from engine.board.geometry import name
from engine.game.rulings import Contradiction


class GuessScreen(CurtainScreen):
    """The guess with two answers, or a curtain while the owner has to read a refusal."""

    attack = ObjectProperty(None, allownone=True)
    what = StringProperty()
    rank = ObjectProperty(None, allownone=True)
    guess = StringProperty()
    """The guessed rank as a question."""
    is_refused = BooleanProperty(False)
    """Whether the owner has not yet read why the answer was refused."""
    seal = StringProperty()
    """A note that the seal cannot be opened here, with the reason."""
    disturbed = StringProperty()
    ask = ObjectProperty(None)
    heading = AliasProperty(
        lambda self: (
            _("Take the screen.") + "\n" + self.look_away if self.is_refused else self.what
        ),
        bind=["look_away", "is_refused", "what"],
    )
    question = AliasProperty(
        lambda self: "" if self.is_refused else self.guess, bind=["guess", "is_refused"]
    )
    right_text = AliasProperty(
        lambda self: _("Break the seals …") if self.seal else _("Right"), bind=["seal"]
    )
    advice = AliasProperty(
        lambda self: (
            self.disturbed
            or (
                _("There is a note about your answer.")
                if self.is_refused
                else self.seal or _("The answer is announced to everyone.")
            )
        ),
        bind=["disturbed", "is_refused", "seal"],
    )

    def __init__(self, presenter: GamePresenter, **kwargs: object) -> None:
        self._read: Contradiction | None = None
        super().__init__(presenter, **kwargs)

    def refresh(self) -> None:
        table, view = self.presenter.table, self.presenter.table.view
        if view.guess is None or view.opened is None:
            self.close()
            return
        found = table.conversation.contradiction
        self.is_refused = found is not None and found is not self._read
        if not self.is_refused:
            self.close()
        self.show_game()
        owner = view.to_move.other
        self.show_side(owner)
        self.attack = view.opened
        self.what = _(
            "{side} infiltrates {square}:",
            side=_.language.side(view.to_move),
            square=name(view.opened[1]),
        )
        self.look_away = _("{name}: look away.", name=self.presenter.player_name(view.to_move))
        self.rank = view.guess
        self.guess = _("{rank}?", rank=full_name(view.guess))
        self.seal = seal_text(self.presenter, owner)
        self.disturbed = " ".join(self.show_difference(2))
        self.image = table.expected

    def on_seal(self, *_args: object) -> None:
        self.change_touch()

    def break_seals(self) -> None:
        self.ask.break_seals(self.side)

    def answer(self, *, right: bool) -> None:
        self.ask.answer_guess(right=right)

    def make_behind(self) -> PrivateWord | None:
        found = self.presenter.table.conversation.contradiction
        if found is None:
            return None
        return PrivateWord(
            title=_("That is impossible"),
            text=_.announcer.rules.proof(found),
            advice=_("Only you see this. Look at your piece again."),
            onward=_("Change the answer"),
            on_read=lambda _word: self.close(),
        )

    def close(self) -> None:
        """Close the curtain.

        The refusal is shown only once: the next reader may be the other player.
        """
        was_open = self.is_open
        super().close()
        table = self.presenter.host.table
        if was_open and table and table.view.guess is not None:
            self._read = table.conversation.contradiction
            self.refresh()


load_kv(__file__)
