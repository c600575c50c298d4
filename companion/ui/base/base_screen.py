"""Base classes of all screens, and text that several screens share.

A curtain hides content that only one player may see. The curtain names this player, who opens it by
holding a finger on it for 0.6 seconds, so a sleeve or an accidental touch does not open it. The
curtain closes when its button is pressed, after a few seconds without a touch, or when the game
continues. The private content is created when the curtain opens and discarded when it closes.

The finger does not have to stay down. Mice and many touchscreens track only one pointer. If it had
to hold the curtain open, it could not tap a tile. Sliding the finger to the tile would work, but
children's fingers slip, and a slip would choose a wrong rank.
"""

import math
from collections.abc import Sequence
from typing import Final

from kivy.input.motionevent import MotionEvent
from kivy.properties import BooleanProperty, NumericProperty, ObjectProperty, StringProperty
from kivy.uix.screenmanager import Screen

from companion.core.events import LowSupply, MoveDue, SensorFailed
from companion.core.inputs import OfferDraw, OfferUndo
from companion.core.state import MovePending
from companion.session.settings import ScreenEdge
from companion.session.tabletop import Tabletop
from companion.speech.small_texts import camera_sentence
from companion.ui.base.presenter import GamePresenter
from companion.ui.drawing import theme
from companion.ui.drawing.cloth import Drapes
from companion.ui.drawing.signs import Eye
from companion.ui.drawing.translator import _
from companion.ui.widgets.board_picture import BoardPicture
from companion.ui.widgets.buttons import load_kv
from companion.ui.widgets.layouts import PagedColumn
from companion.ui.widgets.private_pane import Behind
from companion.ui.widgets.transformed import Rotated
from engine.board.geometry import Side, names, squares_in
from engine.board.ranks import ranks_in
from engine.game.clocks import Limit
from firmware_bridge.image import Image

TRAIL_SECONDS: Final = 3.0
"""Fade-out time of the last move's trail, in seconds."""


class BaseScreen(Screen):
    """Base class of the screens.

    A screen shows the state and forwards input; the table knows the rules.
    """

    def __init__(self, presenter: GamePresenter, **kwargs: object) -> None:
        self.presenter = presenter
        self.spoken_in = _.language
        """Language in which the screen was built. A refresh uses this language even if the current
        one has changed."""
        super().__init__(**kwargs)

    def refresh(self) -> None:
        """Show the current state."""

    def tick(self, now: float) -> None:
        """Update animations."""

    def close(self) -> None:
        """Clean up before another screen replaces this one."""

    def hide_ranks(self) -> None:
        """Close all widgets that show ranks to only one player."""
        for part in self.walk(restrict=True):
            if isinstance(part, Eye):
                part.close()

    def open_first_page(self) -> None:
        """Return to the first page. With large text, the content may need several pages."""
        for part in self.walk(restrict=True):
            if isinstance(part, PagedColumn):
                part.page = 0

    def take_tabletop(self, tabletop: Tabletop) -> None:
        """Pass the simulated board to the board picture and, with two players, to each `Eye`."""
        for part in self.walk(restrict=True):
            if isinstance(part, BoardPicture):
                part.tabletop = tabletop
            elif isinstance(part, Eye):
                part.tabletop = None if tabletop.alone else tabletop


class GameScreen(BaseScreen):
    """A screen with the board picture, the side to move and the captured pieces."""

    side = ObjectProperty(None, allownone=True)
    """The side whose symbol is shown at the top."""
    title = StringProperty()
    image = ObjectProperty(Image())
    expected = ObjectProperty(Image())
    last_move = ObjectProperty(None, allownone=True)
    trail = NumericProperty(1.0)
    """Remaining opacity of the trail, from 1 to 0."""
    take = NumericProperty(0)
    put = NumericProperty(0)
    marked = NumericProperty(0)
    misplaced = ObjectProperty(None, allownone=True)
    """A piece that is missing from its square and detected between squares, or None."""
    red_time = NumericProperty(None, allownone=True)
    """Red's remaining time in seconds, or None if there is no time control."""
    blue_time = NumericProperty(None, allownone=True)
    whole_time = NumericProperty(None, allownone=True)
    """Remaining time for the whole game in seconds, or None if the whole game has no time limit."""
    running = ObjectProperty(None, allownone=True)
    """The side whose clock is running."""
    captured = ObjectProperty(None, allownone=True)
    """For each side, the number of its captured pieces, keyed by rank. The key None stands for
    pieces off the board whose rank was never revealed."""
    note = StringProperty()
    """A note if the game is not being saved, otherwise an empty string."""
    offer = StringProperty()
    """The offer that the other side can accept: a draw, or a take-back of the last ply."""
    accept_text = StringProperty()
    ask = ObjectProperty(None)
    """Opens the confirmation dialogs for actions that are hard to undo."""
    open_menu = ObjectProperty(None)
    open_language = ObjectProperty(None)
    """Called when the language button is pressed."""

    _moved_at = 0.0

    def tick(self, now: float) -> None:
        self.trail = max(0.0, 1 - (now - self._moved_at) / TRAIL_SECONDS)

    def on_last_move(self, *_args: object) -> None:
        self._moved_at = self.presenter.now()

    def on_offer(self, *_args: object) -> None:
        self.change_touch()

    def change_touch(self, *_args: object) -> None:
        """Ignore touches for a moment, because a button has appeared or changed."""
        self.presenter.renew(keeps_board=True)

    def show_game(self) -> None:
        """Update the parts that all screens share during a game."""
        table, view = self.presenter.table, self.presenter.table.view
        self.image = self.expected = table.expected
        self.misplaced = table.misplaced
        self.last_move = view.last_move
        self.note = "" if self.presenter.host.keeps else _("Not saved")
        ranks = list(ranks_in(view.edition.army.ranks))
        self.captured = {
            side: {**{rank: fallen.count(rank) for rank in ranks}, None: view.unshown[side]}
            for side, fallen in view.captured.items()
        }

    def show_side(self, side: Side | None) -> None:
        self.side = side
        self.title = self.presenter.player_name(side) if side else ""

    def show_clocks(self, now: float) -> None:
        clock = self.presenter.table.clock
        self.red_time, self.blue_time = (clock.remaining(side, now) for side in Side)
        self.whole_time = clock.whole_left(now)
        limit = clock.running
        runs = clock.due is not None and limit in (Limit.RED, Limit.BLUE)
        self.running = Side(limit.value) if limit and runs else None

    def show_offer(self, *, hidden: bool = False) -> None:
        """Show the pending offers.

        If `hidden` is set, hide them, because something else needs the space.
        """
        talk = self.presenter.table.conversation
        made: list[OfferUndo | OfferDraw] = []
        if talk.take_back_offer and not hidden:
            made.append(OfferUndo(talk.take_back_offer))
        if talk.draw_offer and not hidden:
            made.append(OfferDraw(talk.draw_offer))
        self.offer = " ".join(map(self._offered, made))
        self.accept_text = self._answer_text(made)

    def _offered(self, made: OfferUndo | OfferDraw) -> str:
        """Describe an offer in the language of the player who has to answer it."""
        with self.presenter.speaking_to(made.side.other):
            if isinstance(made, OfferDraw) and self.presenter.declines_draw:
                return _("{side} declines the draw.", side=_.language.side(made.side.other))
            return _.announcer.sentence(made)

    def _answer_text(self, made: Sequence[OfferUndo | OfferDraw]) -> str:
        """Return the label of the button that answers the pending offers, or an empty string."""
        if any(each.side.other is self.presenter.plays_itself for each in made):
            return ""
        if len(made) != 1:
            return _("Answer …") if made else ""
        answers = made[0].side.other
        with self.presenter.speaking_to(answers):
            side = _.language.side(answers)
            if isinstance(made[0], OfferUndo):
                return _("{side} agrees", side=side)
            return _("{side} accepts", side=side)

    def accept(self) -> None:
        """Ask the other side to confirm that it accepts the pending offer.

        If both a draw and a take-back are offered, open the menu, which shows both offers.
        """
        talk = self.presenter.table.conversation
        if talk.take_back_offer and talk.draw_offer:
            self.open_menu()
        elif talk.take_back_offer:
            self.ask.accept_take_back(talk.take_back_offer.other)
        elif talk.draw_offer:
            self.ask.accept_draw(talk.draw_offer.other)

    def show_difference(self, limit: int) -> list[str]:
        """Mark the differences between the board and the game.

        Return at most `limit` lines of instructions for correcting the board.
        """
        table = self.presenter.table
        difference = table.state.difference
        self.image = (difference and table.observed) or table.expected
        self.take, self.put = difference.surplus, difference.missing
        guide = _.announcer.board.guide(difference, table.expected)
        if isinstance(table.state, MovePending) and table.state.is_plain:
            move, side = table.state.move, table.view.to_move.other
            guide = [_.announcer.sentence(MoveDue(side, move.source, move.target))]
        if table.misplaced:
            guide = [_.announcer.board.stands_badly(table.misplaced.squares), *guide]
        if len(guide) > limit:
            more = _("… and {count} more: see the picture.", count=len(guide) - limit + 1)
            guide = [*guide[: limit - 1], more]
        return guide


def board_warnings(presenter: GamePresenter) -> str:
    """Describe failed sensors, a low supply voltage and camera problems.

    Each problem takes one line, which includes the remedy. Returns "" if there are no problems.
    """
    table, notice = presenter.table, presenter.host.camera_notice
    lines = [camera_sentence(notice, _.language)] if notice else []
    failing = list(squares_in(table.failing))
    if len(failing) == 1:
        lines.append(_.announcer.sentence(SensorFailed(failing[0])))
    elif failing:
        lines.append(
            _(
                "Several sensors have failed. Play on, and make moves on those squares "
                "on the screen."
            )
        )
    if table.unbelieved and (table.doubted or len(failing) > 1):
        squares = names(table.unbelieved).replace(" ", ", ")
        if "," in squares:
            lines.append(_("Sensors ignored: {squares}", squares=squares))
        else:
            lines.append(_("Sensor ignored: {square}", square=squares))
    if table.is_supply_low:
        lines.append(_.announcer.sentence(LowSupply()))
    return "\n".join(lines)


def presence_text(presenter: GamePresenter, side: Side) -> str:
    """Return a note on whether the side's phone is connected."""
    name, is_here = presenter.player_name(side), presenter.phones.seats.get(side)
    if is_here is None:
        return _("{name}: no phone yet", name=name)
    return (
        _("{name}: phone connected", name=name)
        if is_here
        else _("{name}: phone offline", name=name)
    )


def away_text(presenter: GamePresenter, *sides: Side) -> str:
    """Return one line for each given side whose phone has stopped responding."""
    away = (side for side in sides if presenter.phones.seats.get(side) is False)
    return "\n".join(presence_text(presenter, side) for side in away)


def seal_text(presenter: GamePresenter, side: Side) -> str:
    """Return the reason, if any, why a side's seals cannot be opened on this computer.

    Returns an empty string if the seals can be opened or if the side has no seals.
    """
    seals = presenter.seals
    if not seals.is_elsewhere(side):
        return ""
    if seals.problem:
        return _(seals.problem, file=seals.quarantined)
    return _("Your phone holds the key to this seal.")


PATIENCE_SECONDS: Final = 6.0
"""Time without a touch after which a curtain closes, in seconds. It is long enough to look at a
piece or tile."""
READING_SECONDS: Final = 20.0
"""Like `PATIENCE_SECONDS`, but for a curtain with text behind it, which takes longer to read."""


class CurtainScreen(GameScreen):
    """A screen with a curtain. Its .kv file contains a `HoldArea` with the id ``hold``."""

    look_away = StringProperty()
    """Text that asks the other player to look away."""
    seat = ObjectProperty(ScreenEdge.FRONT)
    """Seat of the player who opens the curtain."""
    lies = BooleanProperty(False)
    """Whether the curtain is taller than it is wide, as seen by its player."""

    def __init__(self, presenter: GamePresenter, **kwargs: object) -> None:
        self._behind: Behind | None = None
        self._touched_at = 0.0
        self._drapes: Rotated | None = None
        """The curtain during its animation, rotated to face its player."""
        self._opened_at = 0.0
        self._closed_at = -math.inf
        super().__init__(presenter, **kwargs)

    @property
    def is_open(self) -> bool:
        return self._behind is not None

    def show_side(self, side: Side | None) -> None:
        """Show a side in the heading, and rotate the curtain to face its player."""
        super().show_side(side)
        self.seat = self.presenter.settings.seat(side) if side else ScreenEdge.FRONT
        self.lies = (self.seat in (ScreenEdge.LEFT, ScreenEdge.RIGHT)) != theme.UPRIGHT

    def on_touch_down(self, touch: MotionEvent) -> bool:
        """End any closing animation, and handle the touch as usual."""
        self._closed_at = -math.inf
        return bool(super().on_touch_down(touch))

    def make_behind(self) -> Behind | None:
        """Create the private content. Returns None if the screen has none."""
        raise NotImplementedError

    def tick(self, now: float) -> None:
        self.ids.hold.tick(now)
        self._tick_drapes(now)
        if self._behind is not None:
            self._behind.tick(now)
        if self._behind is not None:  # a long press may have closed the curtain
            self._tick_patience(self._behind, now)

    def _tick_drapes(self, now: float) -> None:
        """Animate the curtain while a finger holds it, and while it opens or closes."""
        fill, closed = self.ids.hold.fill, now - self._closed_at
        if self._drapes is None and self.side and (fill or closed < math.inf):
            self._drapes = Rotated(seat=self.seat, size=self.size, pos=self.pos)
            self._drapes.add_widget(Drapes(self.side))
            self.add_widget(self._drapes)
        if self._drapes is None:
            return
        (drapes,) = self._drapes.inside
        if fill:
            drapes.hold(fill)
        elif not (drapes.leave(now - self._opened_at) if self.is_open else drapes.fall(closed)):
            self.remove_widget(self._drapes)
            self._drapes, self._closed_at = None, -math.inf

    def _tick_patience(self, behind: Behind, now: float) -> None:
        if behind.is_touched:
            self.touched()
        patience = READING_SECONDS if behind.is_to_be_read else PATIENCE_SECONDS
        behind.left = max(0.0, 1 - (now - self._touched_at) / patience)
        if not behind.left:
            self.close()

    def open(self) -> None:
        if self.is_open:
            return
        self._behind = self.make_behind()
        if self._behind is not None:
            self._behind.bind(on_turned=lambda _behind: self._turn())
            self._turned = Rotated(seat=self.seat, size=self.size, pos=self.pos)
            self._turned.add_widget(self._behind)
            self.add_widget(self._turned, index=1 if self._drapes else 0)
            self._opened_at, self._closed_at = self.presenter.now(), -math.inf
            self._turn()

    def close(self) -> None:
        self.ids.hold.empty()
        if self._behind is not None:
            self.remove_widget(self._turned)
            self._behind, self._closed_at = None, self.presenter.now()
            self.presenter.renew()

    def hide_ranks(self) -> None:
        super().hide_ranks()
        if self.is_open:
            self.close()

    def _turn(self) -> None:
        self.touched()
        self.presenter.renew()

    def touched(self) -> None:
        """Restart the timeout of the curtain."""
        self._touched_at = self.presenter.now()


load_kv(__file__)
