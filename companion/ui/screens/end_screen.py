"""The screen at the end of a game."""

from collections.abc import Callable
from functools import partial

from kivy.properties import (
    AliasProperty,
    BooleanProperty,
    DictProperty,
    ObjectProperty,
    StringProperty,
)

from companion.core.inputs import AdjustClock, GameReviewed
from companion.speech.i18n import capitalized
from companion.speech.small_texts import facts, seal_facts
from companion.ui.base.base_screen import GameScreen
from companion.ui.base.presenter import GamePresenter
from companion.ui.dialogs.confirmations import Confirmations
from companion.ui.drawing import theme
from companion.ui.drawing.translator import _
from companion.ui.widgets.buttons import load_kv
from engine.board.geometry import Side, Square
from engine.board.ranks import Rank
from engine.game.rulings import GameOver, Reason
from engine.records.transcript import sealed_result, transcribe


class EndScreen(GameScreen):
    """Shows the winner, the reason, three facts, the captured pieces, and buttons to continue."""

    reason = StringProperty()
    facts = StringProperty()
    kept = BooleanProperty(True)
    """Whether the game is saved and can be replayed."""
    unsaved = StringProperty()
    """Warning that the game is not being saved, and the consequences."""
    can_take_back = BooleanProperty(False)
    open_replay = ObjectProperty(None)
    """Called with the game's number to open its replay."""
    open_story = ObjectProperty(None)
    """Called with the game's number to open its story."""

    open_time = ObjectProperty(None)
    """Called when the arbiter wants to add time after a loss on time."""
    is_by_time = BooleanProperty(False)
    """Whether a side has lost on time. If so, the arbiter can add time to its clock."""
    ranks = DictProperty()
    """Ranks to show on the pieces, keyed by square."""
    open_setup = ObjectProperty(None)
    """Called with a side to show its proved setup."""
    red_setup = StringProperty()
    blue_setup = StringProperty()
    """Label of the button that shows Blue's setup, or an empty string if it cannot be shown."""
    take_back_text = AliasProperty(
        lambda self: _("Arbiter: add time …") if self.is_by_time else _("Not over? Take it back …"),
        bind=["is_by_time"],
    )

    def __init__(self, presenter: GamePresenter, ask: Confirmations, **kwargs: object) -> None:
        self._ask = ask
        super().__init__(presenter, **kwargs)
        if theme.LARGE:
            self._put_again_first()

    def _put_again_first(self) -> None:
        """Swap the buttons for another game and for leaving.

        With large text, only the row at the bottom is certain to be on the first page, and no other
        place there is safe from a second tap on a confirmation.
        """
        ids = self.ids
        for button, row, other in (
            (ids.again, ids.looks, ids.foot),
            (ids.leave, ids.foot, ids.looks),
        ):
            row.remove_widget(button)
            other.add_widget(button, index=len(other.children))

    def refresh(self) -> None:
        self.show_game()
        view = self.presenter.table.view
        assert view.outcome
        self.side = view.outcome.winner
        named = self.presenter.host.players.of(self.side) if self.side else ""
        self.title = _verdict(view.outcome, named)
        self.reason = capitalized(_.announcer.sentence(view.outcome))
        actions = self.presenter.table.referee.in_force
        lines = facts(view, actions, _.language)
        if self.presenter.table.commitments:
            played = transcribe(view.edition, ((0.0, action) for action in actions))
            if result := sealed_result(played):
                lines += seal_facts(result, _.language)
        self.facts = " · ".join(lines)
        self.kept = self.presenter.host.keeps
        self.unsaved = _("This game is not being saved.")
        if self.presenter.host.hidden_army is not None:
            self.unsaved += " " + _(
                "You can continue it from its last saved move, so the computer's army stays hidden."
            )
        self.can_take_back = self.presenter.table.conversation.can_take_back
        minute = (AdjustClock(side, 60) for side in Side)
        self.is_by_time = any(map(self.presenter.table.can_give_time, minute))
        is_final = not self.can_take_back and not self.is_by_time
        self.ranks = self._open_ranks(is_final=is_final)
        if self.presenter.host.tabletop and self.presenter.host.hidden_army is None:
            self.presenter.host.tabletop.turn_up(on=is_final)
        self.red_setup, self.blue_setup = map(self._setup_text, Side)

    def close(self) -> None:
        if self.presenter.host.tabletop:
            self.presenter.host.tabletop.turn_up(on=False)

    def _setup_text(self, side: Side) -> str:
        seals = self.presenter.seals
        if side in seals.proofs or seals.can_prove(side):
            return _("Show {side}'s setup …", side=_.language.side(side))
        return ""

    def show_setup(self, side: Side) -> None:
        """Show a side's setup.

        If the setup has not been proved yet, ask the side to open its seals first.
        """
        if side in self.presenter.seals.proofs:
            self.open_setup(side)
        else:
            self._ask.prove_army(side, partial(self._prove, side))

    def _prove(self, side: Side) -> None:
        self.presenter.seals.prove(side)
        if side in self.presenter.seals.proofs:
            self.open_setup(side)

    def _open_ranks(self, *, is_final: bool) -> dict[Square, Rank]:
        """Return the proved ranks of the remaining pieces, keyed by square.

        If the end is final, also return the printed ranks. Leave out an army that has to stay
        hidden.
        """
        view, host, ranks = self.presenter.table.view, self.presenter.host, {}
        for side in set(Side) - {host.hidden_army}:
            proved = view.proved.get(side, {})
            for piece, square in view.board.standing(side).items():
                rank = proved.get(piece, host.printed_on(piece) if is_final else None)
                if rank is not None:
                    ranks[square] = rank
        return ranks

    def take_back(self) -> None:
        if self.is_by_time:
            self.open_time()
        else:
            self._ask.take_end_back()

    def look(self) -> None:
        """Open the replay, which shows all ranks. The end can then no longer be undone."""
        self._look_back(self.open_replay)

    def review_story(self) -> None:
        """Open the story, which names the ranks. The end can then no longer be undone."""
        self._look_back(self.open_story)

    def _look_back(self, open_game: Callable[[int | None], None]) -> None:
        if self.can_take_back:
            self._ask.look_back(partial(self._review, open_game))
        else:
            self._review(open_game)

    def _review(self, open_game: Callable[[int | None], None]) -> None:
        """Open the replay or the story above this screen."""
        self.presenter.submit(GameReviewed(self.presenter.now()))
        open_game(self.presenter.host.number)

    def again(self) -> None:
        """Start another game with the same rules, clock and players."""
        table, players = self.presenter.table, self.presenter.host.players
        self.presenter.leave()
        self.presenter.host.begin(table.view.edition, table.clock.control, players)

    def leave(self) -> None:
        self.presenter.leave()


def _verdict(over: GameOver, winner: str) -> str:
    """Return the headline. `winner` is the winner's name, or an empty string if unknown."""
    if over.winner and winner:
        return _("{name} wins", name=winner)
    if over.winner:
        return _("{side} wins", side=_.language.side(over.winner))
    return _("Both lose") if over.reason is Reason.FORFEIT else _("Draw")


load_kv(__file__)
