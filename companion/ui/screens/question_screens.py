"""Screens that ask which explanation is right, which side attacks, or how to settle a claim."""

from kivy.properties import ObjectProperty, StringProperty

from companion.core.inputs import AttackerNamed, NoAttack
from companion.ui.base.base_screen import GameScreen
from companion.ui.drawing.translator import _
from companion.ui.widgets.buttons import load_kv
from companion.ui.widgets.side_panel import Answers  # noqa: F401 (used in the kv file)
from engine.board.geometry import Side, name, set_of
from engine.game.game_state import Phase


class ChooseMoveScreen(GameScreen):
    """Shows the board, with a button for each possible explanation of the observed changes.

    The screen closes automatically when the pieces are put back.
    """

    why = StringProperty()
    """Introductory text; empty if there is only one explanation to choose from."""

    def on_marked(self, *_args: object) -> None:
        self.change_touch()

    def refresh(self) -> None:
        self.show_game()
        table = self.presenter.table
        self.image = table.observed or table.expected
        candidates = table.state.asked.answers
        self.marked = set_of(square for each in candidates for square in each.squares)
        several = len(candidates) > 1
        self.why = _("Each of these is possible. Choose one.") if several else ""
        self.ids.candidates.show(
            {each: _.announcer.board.turns_in_words(each.text) for each in candidates}
        )

    def none_of_them(self) -> None:
        self.presenter.submit(NoAttack(self.presenter.now()))


class WhoAttacksScreen(GameScreen):
    """Shows two lifted pieces, with a button for each side that may be attacking.

    Declaring a rank confirms an attack. The question therefore appears only if each piece may
    attack the other, or if no rank has to be declared. Without colour sensors, it also appears if
    one piece may have pushed the other aside. The screen closes automatically when a piece is put
    back.
    """

    question = StringProperty()
    why = StringProperty()
    red_attacks = StringProperty()
    blue_attacks = StringProperty()

    def on_marked(self, *_args: object) -> None:
        self.change_touch()

    def refresh(self) -> None:
        self.show_game()
        attackers = self.presenter.table.state.asked.attackers
        self.marked = set_of(
            square for attack in attackers.values() for square in (attack.source, attack.target)
        )
        self.red_attacks, self.blue_attacks = (
            _("{side} attacks", side=_.language.side(side)) if side in attackers else ""
            for side in Side
        )
        if len(attackers) == len(Side):
            self.question, self.why = _("Who attacks?"), _("Both pieces were picked up.")
        else:
            self.question, self.why = _("An attack?"), _("Both ranks are already known.")
        if self.presenter.table.state.difference.surplus:  # one of the two pieces is not lifted
            self.why = _("The board cannot tell.")

    def answer(self, side: Side) -> None:
        self.presenter.submit(AttackerNamed(self.presenter.now(), side))

    def no_attack(self) -> None:
        self.presenter.submit(NoAttack(self.presenter.now()))


class StalemateScreen(GameScreen):
    """Reports that one side claims to be unable to move, and asks the other whether it can.

    The game is drawn if the other side cannot move either.
    """

    stuck = StringProperty()
    """Sentence stating which side claims to be unable to move."""
    disturbed = StringProperty()

    def refresh(self) -> None:
        view = self.presenter.table.view
        if view.phase is not Phase.STALEMATE or view.stuck is None:
            return
        self.show_game()
        self.show_side(view.stuck.other)
        self.stuck = _("{side} cannot move.", side=_.language.side(view.stuck))
        self.disturbed = " ".join(self.show_difference(2))

    def answer(self, *, able: bool) -> None:
        if able:
            self.ask.can_move()
        else:
            self.ask.can_neither_move()


class DisputeScreen(GameScreen):
    """Shows which side's declaration is disputed, and the two possible decisions.

    The decision is up to the players or the arbiter. Only the player who made the declaration knows
    the rank of the piece.
    """

    attack = ObjectProperty(None, allownone=True)
    what = StringProperty()
    seal = StringProperty()
    """Sentence stating whether the seal confirms the declaration; empty without sealed armies."""
    disturbed = StringProperty()

    def refresh(self) -> None:
        table = self.presenter.table
        view = table.view
        if view.phase is not Phase.DISPUTE or view.opened is None:
            return
        # The declaration in dispute is the last one requested.
        owner = view.awaited[0]
        square = view.opened[0 if owner is view.to_move else 1]
        self.show_game()
        self.attack = view.opened
        self.what = _(
            "{side} stands by a declaration for {square} that cannot be true.",
            side=_.language.side(owner),
            square=name(square),
        )
        is_as_sealed = view.is_as_sealed
        self.seal = "" if is_as_sealed is None else _.announcer.seal(is_as_sealed=is_as_sealed)
        self.disturbed = " ".join(self.show_difference(2))
        self.image = table.expected

    def settle(self, *, accepted: bool) -> None:
        self.ask.settle(accepted=accepted)


load_kv(__file__)
