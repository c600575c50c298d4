"""Reveals a combat: both ranks, the winner, and the pieces to remove.

The result of an infiltrator's guess is revealed in a similar way.

The screen stays until the board shows the result, and ranks are never shown again afterwards
(rules.md §10). If the board cannot show the result, for example because a magnet is lost, the
players can continue from the menu.
"""

import math
from typing import Final

from kivy.graphics import Color, InstructionGroup
from kivy.input.motionevent import MotionEvent
from kivy.properties import BooleanProperty, ListProperty, ObjectProperty, StringProperty

from companion.session.settings import ScreenEdge
from companion.ui.base.base_screen import GameScreen
from companion.ui.base.presenter import GamePresenter
from companion.ui.drawing.texture_cache import draw_cached_piece
from companion.ui.drawing.translator import _
from companion.ui.widgets.buttons import load_kv
from companion.ui.widgets.captured_pieces import CapturedPieces
from companion.ui.widgets.rank_tile import RankCard
from engine.board.ranks import Rank
from engine.game.game_state import Phase
from engine.game.rulings import Combat, Infiltrated
from engine.rules.movement import CombatResult

LINES = 3
COMES: Final = 0.45
"""Time that a card takes to slide in from its player's edge, in seconds."""
TURNS: Final = 0.4
"""Time that a card takes to turn over, in seconds."""
FALLS: Final = 0.2
"""Time that a captured piece's card takes to tilt, in seconds."""
FLIES: Final = 0.6
"""Time that a captured piece takes to fly to the shelf, in seconds."""
_FIGURE: Final = 52
_ARC: Final = 240
_TILT: Final = -5.0
_FROM: Final = {
    ScreenEdge.FRONT: (0, -480),
    ScreenEdge.OPPOSITE: (0, 480),
    ScreenEdge.LEFT: (-800, 0),
    ScreenEdge.RIGHT: (800, 0),
}


class RevealScreen(GameScreen):
    """Shows both cards and the outcome."""

    attacking_side = ObjectProperty(None, allownone=True)
    attacker = ObjectProperty(None, allownone=True)
    defender = ObjectProperty(None, allownone=True)
    attacker_falls = BooleanProperty(False)
    defender_falls = BooleanProperty(False)
    verdict = StringProperty()
    is_turned = BooleanProperty(False)
    """Whether the cards have been turned over; until then, the outcome is hidden."""
    guide = ListProperty()
    can_end = BooleanProperty(False)
    """Whether the board already shows the result. If so, a touch may end the reveal."""
    is_over = BooleanProperty(False)
    """Whether this combat has ended the game."""

    def __init__(self, presenter: GamePresenter, **kwargs: object) -> None:
        self._played: Combat | Infiltrated | None = None
        """The last combat or infiltration that was animated."""
        self._began = -math.inf
        super().__init__(presenter, **kwargs)
        self._flights = InstructionGroup()
        """Pieces on their way from the cards to the shelf."""
        self.canvas.after.add(Color(1, 1, 1, 1))
        self.canvas.after.add(self._flights)

    def on_touch_down(self, touch: MotionEvent) -> bool:
        """Skip the card animation, and handle the touch as usual."""
        self._began = -math.inf
        return bool(super().on_touch_down(touch))

    def tick(self, now: float) -> None:
        if self.presenter.explosion_seconds_left is not None:
            self._began = now
        super().tick(now)
        age = now - self._began
        self.is_turned = age >= COMES + TURNS
        self._flights.clear()
        for card, falls in (
            (self.ids.attacker, self.attacker_falls),
            (self.ids.defender, self.defender_falls),
        ):
            _play(card, age, falls=falls, seat=self.presenter.settings.seat(card.side))
            if falls:
                self._fly(card, (age - COMES - TURNS - FALLS) / FLIES)

    def _fly(self, card: RankCard, way: float) -> None:
        """Draw a captured piece on its flight from the card to the shelf.

        `way` is the fraction of the path that the piece has covered.
        """
        shelves = [each for each in self.walk() if isinstance(each, CapturedPieces)]
        if not (shelves and 0 < way < 1):
            return
        (ax, ay), (bx, by) = (
            self.to_widget(*each.to_window(*each.center)) for each in (card, shelves[0])
        )
        x = ax + way * (bx - ax) - _FIGURE / 2
        y = ay + way * (by - ay) + _ARC * way * (1 - way) - _FIGURE / 2
        draw_cached_piece(self._flights, card.side, x, y, _FIGURE)

    def on_can_end(self, *_args: object) -> None:
        self.change_touch()

    def refresh(self) -> None:
        revealed = self.presenter.revealed
        if revealed is None:
            return
        if revealed != self._played:
            self._played, self._began, self.is_turned = revealed, self.presenter.now(), False
        self.show_game()
        self.last_move = (revealed.source, revealed.target)
        self.attacking_side = revealed.side
        match revealed:
            case Combat():
                self.attacker, self.defender = revealed.attacker, revealed.defender
                self.attacker_falls = revealed.result is not CombatResult.ATTACKER_WINS
                self.defender_falls = revealed.result is not CombatResult.DEFENDER_WINS
            case Infiltrated():
                self.attacker = Rank.INFILTRATOR
                self.defender = revealed.guess if revealed.right else None
                self.attacker_falls, self.defender_falls = False, revealed.right
        self.verdict = verdict(revealed)
        self.guide = self.show_difference(LINES)
        self.can_end = not self.guide
        self.is_over = self.presenter.table.view.phase is Phase.OVER
        self.show_offer()

    def close(self) -> None:
        """Clear the ranks, because a hidden screen must not contain any."""
        self.attacker = self.defender = self._played = None
        self.verdict = ""

    def end(self) -> None:
        self.presenter.end_reading()


def _play(card: RankCard, age: float, *, falls: bool, seat: ScreenEdge) -> None:
    """Draw a card as it looks `age` seconds after the start of its animation.

    The card slides in, then turns over.
    """
    x, y = _FROM[seat]
    left = max(0.0, 1 - age / COMES) ** 2
    card.away = x * left, y * left
    card.turned = min(1.0, max(0.0, (age - COMES) / TURNS))
    fallen = min(1.0, max(0.0, (age - COMES - TURNS) / FALLS)) if falls else 0.0
    card.tilt, card.cracked = _TILT * fallen, fallen


def verdict(revealed: Combat | Infiltrated) -> str:
    if isinstance(revealed, Infiltrated):
        return _verdict_on_guess(revealed)
    combat = revealed
    if combat.boom:
        return _.language.cry
    if combat.defender is Rank.FLAG:
        return _("The flag is captured!")
    if combat.winner is None:
        return _("Both fall")
    if combat.defender is Rank.BOMB:
        return _("The bomb is defused")
    return _("{side} wins the combat", side=_.language.side(combat.winner))


def _verdict_on_guess(infiltration: Infiltrated) -> str:
    if not infiltration.right:
        return _("Not the {rank}", rank=_.language.rank(infiltration.guess))
    return _("The flag is captured!") if infiltration.guess is Rank.FLAG else _("Right!")


load_kv(__file__)
