"""Turn screen, with the side to move, the board, the captured pieces, and the available actions."""

from kivy.properties import BooleanProperty, NumericProperty, ObjectProperty, StringProperty

from companion.core.events import MoveDue
from companion.core.inputs import CommandInput, NoAttack
from companion.core.state import MovePending
from companion.ui.base.base_screen import GameScreen, away_text, board_warnings
from companion.ui.base.presenter import GamePresenter
from companion.ui.drawing.translator import _
from companion.ui.widgets.buttons import load_kv
from companion.ui.widgets.side_panel import (
    Answers,  # noqa: F401 (used in the kv file)
    PhoneLine,  # noqa: F401 (used in the kv file)
)
from engine.board.geometry import Side, Square, name
from engine.game.actions import Amend, Attack, Move
from engine.game.game_state import Phase
from engine.rules.rules import Violation

MOST_OFFERED = 4
"""Maximum number of attacks to offer, limited by the available space."""


class TurnScreen(GameScreen):
    """Shown during a turn. Moves are made on the board.

    An attack can also be made on the screen by touching the attacker, the target and then the
    button.
    """

    lifted = ObjectProperty(None, allownone=True)
    set_down = ObjectProperty(None, allownone=True)
    chosen = ObjectProperty(None, allownone=True)
    target = ObjectProperty(None, allownone=True)
    ways = NumericProperty(0)
    """Legal targets of the lifted or chosen piece, if the players have chosen to see legal
    moves."""
    carried = ObjectProperty(None, allownone=True)
    """Source and target of the computer's move, which the human player has to make on the board."""
    to_move = StringProperty()
    """Text below the name of the side."""
    news = StringProperty()
    notice = StringProperty()
    """The rule that forbids the last action, or the location of a misplaced piece."""
    attack_text = StringProperty()
    infiltrate_text = StringProperty()
    """Label of the infiltrate button; empty unless the chosen piece may infiltrate the target."""
    infiltrations = ObjectProperty(())
    """Source and target of every legal infiltration."""
    help_text = StringProperty()
    """Label of the hint button, or an empty string if the side to move plays without hints."""
    can_help = BooleanProperty(False)
    """Whether the hint button can be touched."""
    open_hints = ObjectProperty(None)
    """Called to ask the players whether to allow hints."""
    hint = StringProperty()
    """Temporary question asking whether the players meant an attack."""
    seats = ObjectProperty({})
    """For each side with a phone, whether the phone is connected."""
    is_showing = BooleanProperty(False)
    """Whether the side to move has claimed that it can move, and now has to make a move."""
    can_give_up = BooleanProperty(False)
    """Whether the side to move can retract its claim on the screen. It cannot do so while the
    screen offers an attack."""
    army = ObjectProperty({})
    """Contents of the rank card: for each side, the number of pieces of each rank. Empty if the
    card is not shown."""
    open_ranks = ObjectProperty({})
    """The ranks of an open army, keyed by square."""
    open_rank_card = ObjectProperty(None)
    open_guess = ObjectProperty(None)
    """Called with source and target to ask for the guessed rank."""

    _plies = -1
    _read: Violation | None = None
    _answer = ("", 0)
    """The last hint, and the squares that it names."""
    _answered_at: object = None
    """Moment at which the last hint was given (`HintController.moment`)."""

    def __init__(self, presenter: GamePresenter, **kwargs: object) -> None:
        super().__init__(presenter, **kwargs)
        for shown in ("attack_text", "infiltrate_text", "hint", "can_give_up"):
            self.fbind(shown, self.change_touch)

    def refresh(self) -> None:
        table, view = self.presenter.table, self.presenter.table.view
        self.show_game()
        pending = table.state if isinstance(table.state, MovePending) else None
        self.carried = (pending.move.source, pending.move.target) if pending else None
        self.show_side(view.to_move.other if pending else view.to_move)
        if pending and table.observed:
            self.image = table.observed
        self.is_showing = view.phase is Phase.SHOWING
        self.open_ranks = dict(view.open_ranks)
        has_card = self.presenter.settings.rank_card
        self.army = {s: view.edition.army_of(s).counts for s in Side} if has_card else {}
        self.infiltrations = frozenset(view.infiltrations)
        # A board without colour sensors cannot detect that a piece is put down on another.
        hint = (
            "" if table.sees_colours else _("To attack, tap your piece here, then the other one.")
        )
        self.seats = self.presenter.phones.seats
        news = "" if pending else self.presenter.news
        texts = (news, hint, board_warnings(self.presenter), away_text(self.presenter, *Side))
        self.news = "\n".join(filter(None, texts))
        if self._plies != view.plies:
            self._plies = view.plies
            self._choose(None)
        self.lifted, self.set_down = table.state.lifted, self.presenter.set_down
        if table.misplaced and table.observed:  # the piece is not lifted
            self.image, self.lifted = table.observed, None
        violation = table.state.violation if table.state.violation is not self._read else None
        self.notice = _.announcer.sentence(violation) if violation else self._misplaced_text()
        self.marked = violation.squares if violation else 0
        self.show_clocks(self.presenter.now())
        self._show_help(is_quiet=not violation and not table.state.asked.answers)
        self.to_move = _("Not allowed") if violation else self._turn_text()
        self._show_legal_moves()
        self._show_attack()
        self._show_attacks_offered()
        self.show_offer(hidden=bool(self.attack_text) or bool(self.hint))

    def _show_help(self, *, is_quiet: bool) -> None:
        """Show the last hint until the next turn, and update the hint button."""
        hints = self.presenter.hints
        text, squares = self._answer
        if text and is_quiet and self._answered_at == hints.moment:
            texts = (self.notice, text, board_warnings(self.presenter))
            self.notice, self.marked = "\n".join(filter(None, texts)), squares
        self.can_help = hints.can_ask or hints.can_agree
        if hints.has_hints:  # the button stays where it is when no hint is left
            left = hints.left
            self.help_text = _("Hint") if left is None else _("Hint ({count})", count=left)
        else:
            self.help_text = _("Hints …") if hints.can_agree else ""

    def ask_hint(self) -> None:
        """Ask for a hint about which of the player's pieces can be attacked.

        If hints are not allowed yet, ask the players to allow them first.
        """
        if self.presenter.hints.can_ask:
            self._show_answer(*self.presenter.hints.ask_danger())
        else:
            self.open_hints()

    def _show_answer(self, text: str, squares: int) -> None:
        self._answer, self._answered_at = (text, squares), self.presenter.hints.moment
        self.refresh()

    def _show_legal_moves(self) -> None:
        source = self._source if self.presenter.settings.show_legal_moves else None
        self.ways = 0 if source is None else self.presenter.table.ways(source)

    def _show_attacks_offered(self) -> None:
        """Ask the players whether they meant an attack, unless another message is shown."""
        is_quiet = not (self.attack_text or self.notice)
        answers = self.presenter.table.state.asked.answers if is_quiet else ()
        person = self.presenter.host.players.alone  # the computer's own attacks need not be offered
        own = [each for each in answers if person in (None, each.side)]
        attacks = {each: each.attack for each in own[:MOST_OFFERED] if each.attack}
        sources = {attack.source for attack in attacks.values()}
        if len(attacks) > 1 and len(sources) == 1:
            self.hint = _("Does {source} attack? If not, just play on.", source=name(*sources))
        else:
            self.hint = _("An attack? If not, just play on.") if attacks else ""
        self.ids.attacks.show(
            {
                answer: _attack_text(attack, len(attacks), len(sources))
                for answer, attack in attacks.items()
            }
        )
        self.can_give_up = self.is_showing and not attacks

    def _misplaced_text(self) -> str:
        """Describe where the missing piece is, if the sensors detect it between squares."""
        found = self.presenter.table.misplaced
        return _.announcer.board.stands_badly(found.squares) if found else ""

    def _turn_text(self) -> str:
        if self.is_showing:
            return _("Show it with a legal move.")
        if isinstance(self.presenter.table.state, MovePending):
            assert self.side
            return _.announcer.sentence(MoveDue(self.side, *self.carried))
        if self.presenter.host.players.alone is self.presenter.table.view.to_move.other:
            return ""  # there is no player to address
        # A running clock already shows who is to move.
        return "" if self.red_time is not None else _("Your turn")

    def tick(self, now: float) -> None:
        super().tick(now)
        if self.presenter.table.clock.due is not None:  # the clock is running
            self.show_clocks(now)

    def close(self) -> None:
        self._choose(None)

    def touch_square(self, square: Square) -> None:
        """Select a piece of the side to move, or its target.

        A scout may still attack after it has been set down, although it is already the other side's
        turn. In that case, the scout can be selected, too.
        """
        table = self.presenter.table
        if isinstance(table.state, MovePending):
            return
        self._read = table.state.violation
        if self.chosen is not None and table.view.may_strike.get(self.chosen, 0) >> square & 1:
            self.target = square
        elif self._may_attack(square):
            self._choose(square)
        elif self._source is not None and table.expected.occupied >> square & 1:
            self.target = square
        elif self._source is not None and table.unbelieved & (1 << self._source | 1 << square):
            self.target = square  # a move to or from a square whose sensor is ignored
        elif self._is_question(square):
            self._show_answer(self.presenter.hints.ask_rank(square), 1 << square)
        else:
            self._choose(None)
        self.refresh()

    def _is_question(self, square: Square) -> bool:
        """Whether touching this square asks for the possible ranks of an opposing piece."""
        view = self.presenter.table.view
        is_enemy = view.board.side_at(square) is view.to_move.other
        return is_enemy and self.presenter.hints.has_hints

    def _may_attack(self, square: Square) -> bool:
        """Whether touching this square selects its piece for an attack."""
        view, side = self.presenter.table.view, self.presenter.table.view.board.side_at(square)
        if self.presenter.host.players.alone not in (None, side):
            return False  # the computer makes its own attacks
        if side is view.to_move:
            return True
        if self._source not in (None, square):
            return False  # the touched piece is the target
        return square in view.may_strike

    def attack(self) -> None:
        if self._source is None or self.target is None:
            return
        turn = self._kind(self._source, self.target)
        self._read = None
        self._choose(None)
        self.presenter.submit(CommandInput(self.presenter.now(), turn))

    @property
    def _kind(self) -> type[Attack | Move]:
        """The action of the button: an attack or, if the target is empty, a move."""
        occupied = self.presenter.table.expected.occupied
        return Attack if occupied >> (self.target or 0) & 1 else Move

    def decline(self) -> None:
        """Reply that none of the offered attacks was meant."""
        self.presenter.submit(NoAttack(self.presenter.now()))

    def give_up_showing(self) -> None:
        """Ask whether to retract the claim that the side can move."""
        self.ask.can_neither_move()

    def infiltrate(self) -> None:
        self.open_guess(self._source, self.target)

    @property
    def _source(self) -> Square | None:
        return self.chosen if self.chosen is not None else self.lifted  # type: ignore[no-any-return]

    def _choose(self, square: Square | None) -> None:
        self.chosen, self.target = square, None

    def _show_attack(self) -> None:
        if self._source is None or self.target is None:
            self.attack_text = self.infiltrate_text = ""
            return
        self.marked |= 1 << self.target
        squares = {"source": name(self._source), "target": name(self.target)}
        self.attack_text = (
            _("Attack {target} with {source}", **squares)
            if self._kind is Attack
            else _("Move {source} to {target}", **squares)
        )
        may_infiltrate = (self._source, self.target) in self.presenter.table.view.infiltrations
        infiltrate = _("Infiltrate {target}", target=name(self.target))
        self.infiltrate_text = infiltrate if may_infiltrate else ""


def _attack_text(attack: Attack | Amend, attacks: int, sources: int) -> str:
    """Describe one of the offered attacks, as briefly as the space requires."""
    squares = {"source": name(attack.source), "target": name(attack.target)}
    if attacks == 1:
        return _("{source} attacks {target}?", **squares)
    return squares["target"] if sources == 1 else "{source} › {target}".format(**squares)


load_kv(__file__)
