"""What every screen is: a picture of the stage that is drawn anew when something has happened."""

from collections.abc import Sequence
from typing import Final

from kivy.properties import NumericProperty, ObjectProperty, StringProperty
from kivy.uix.screenmanager import Screen

from companion.screens.base.stage import Stage
from companion.screens.widgets.board_picture import BoardPicture
from companion.screens.widgets.common import load_kv
from companion.screens.widgets.eye import Eye
from companion.screens.widgets.pages import Pages
from companion.screens.widgets.texts import _
from companion.simulator.tabletop import Tabletop
from companion.table.sayings import OfferDraw, OfferTakeBack
from engine.play.clocks import Limit
from engine.ranks import ranks_in
from engine.sides import Side
from firmware_bridge.image import Image

TRAIL_SECONDS: Final = 3.0
"""For so long the trail of the last move fades."""


class BaseScreen(Screen):
    """One screen. It shows and asks; what is allowed is the table's business."""

    def __init__(self, stage: Stage, **kwargs: object) -> None:
        self.stage = stage
        self.spoken_in = _.language
        """The language in which it was built, and has to be shown anew."""
        super().__init__(**kwargs)

    def refresh(self) -> None:
        """Show how things stand now."""

    def tick(self, now: float) -> None:
        """Show what moves with time."""

    def close(self) -> None:
        """Another screen is due."""

    def hide_ranks(self) -> None:
        """Close what shows ranks to one player."""
        for part in self.walk(restrict=True):
            if isinstance(part, Eye):
                part.close()

    def open_first_page(self) -> None:
        """Begin at the first page again, where large letters need several."""
        for part in self.walk(restrict=True):
            if isinstance(part, Pages):
                part.page = 0

    def take_tabletop(self, tabletop: Tabletop) -> None:
        """Let the simulated board be the one that is shown; two people may peek at their ranks."""
        for part in self.walk(restrict=True):
            if isinstance(part, BoardPicture):
                part.tabletop = tabletop
            elif isinstance(part, Eye):
                part.tabletop = None if tabletop.alone else tabletop


class GameScreen(BaseScreen):
    """A screen beside the picture of the board, with whose turn it is and the fallen pieces."""

    side = ObjectProperty(None, allownone=True)
    """Whose sign stands at the top."""
    title = StringProperty()
    image = ObjectProperty(Image())
    expected = ObjectProperty(Image())
    last_move = ObjectProperty(None, allownone=True)
    trail = NumericProperty(1.0)
    """How much of its trail has not faded yet."""
    take = NumericProperty(0)
    put = NumericProperty(0)
    marked = NumericProperty(0)
    misplaced = ObjectProperty(None, allownone=True)
    """A missing piece that is felt where no square sees it."""
    red_time = NumericProperty(None, allownone=True)
    """How many seconds Red has left; None without a time control."""
    blue_time = NumericProperty(None, allownone=True)
    whole_time = NumericProperty(None, allownone=True)
    """The same of the whole game; None if that is not limited."""
    running = ObjectProperty(None, allownone=True)
    """The side whose clock runs at the moment."""
    captured = ObjectProperty(None, allownone=True)
    """For each side, how many have fallen of each rank of its army; and with None, how many are off
    the board whose rank was never shown."""
    note = StringProperty()
    """That the game is not kept, if it is not."""
    offer = StringProperty()
    """What the other side is asked for: a draw, or to take the latest ply back."""
    accept_text = StringProperty()
    ask = ObjectProperty(None)
    """Asks before what is not easily taken back."""
    open_menu = ObjectProperty(None)
    open_language = ObjectProperty(None)
    """Called when somebody wants to read another language."""

    _moved_at = 0.0

    def tick(self, now: float) -> None:
        self.trail = max(0.0, 1 - (now - self._moved_at) / TRAIL_SECONDS)

    def on_last_move(self, *_args: object) -> None:
        self._moved_at = self.stage.now()

    def on_offer(self, *_args: object) -> None:
        self.change_touch()

    def change_touch(self, *_args: object) -> None:
        """Take note that there is a button now where none was, or another one."""
        self.stage.renew(keeps_board=True)

    def show_game(self) -> None:
        """Show what all screens of a running game show."""
        table, view = self.stage.table, self.stage.table.view
        self.image = self.expected = table.expected
        self.misplaced = table.misplaced
        self.last_move = view.last_move
        self.note = "" if self.stage.host.keeps else _("Not kept")
        ranks = list(ranks_in(view.edition.army.ranks))
        self.captured = {
            side: {**{rank: fallen.count(rank) for rank in ranks}, None: view.unshown[side]}
            for side, fallen in view.captured.items()
        }

    def show_side(self, side: Side | None) -> None:
        """Let a side head the screen."""
        self.side = side
        self.title = self.stage.called(side) if side else ""

    def show_clocks(self, now: float) -> None:
        """Show both sides' time at a moment."""
        clock = self.stage.table.clock
        self.red_time, self.blue_time = (clock.left(side, now) for side in Side)
        self.whole_time = clock.whole_left(now)
        limit = clock.running
        runs = clock.due is not None and limit in (Limit.RED, Limit.BLUE)
        self.running = Side(limit.value) if limit and runs else None

    def show_offer(self, *, hidden: bool = False) -> None:
        """Show what a side asks the other for, unless something else needs the room."""
        talk = self.stage.table.conversation
        made: list[OfferTakeBack | OfferDraw] = []
        if talk.take_back_offer and not hidden:
            made.append(OfferTakeBack(talk.take_back_offer))
        if talk.draw_offer and not hidden:
            made.append(OfferDraw(talk.draw_offer))
        self.offer = " ".join(map(self._offered, made))
        self.accept_text = self._answer_text(made)

    def _offered(self, made: OfferTakeBack | OfferDraw) -> str:
        """What is offered, in the language of the player who has to answer."""
        with self.stage.speaking_to(made.side.other):
            if isinstance(made, OfferDraw) and self.stage.declines_draw:
                return _("{side} declines the draw.", side=_.language.side(made.side.other))
            return _.announcer.sentence(made)

    def _answer_text(self, made: Sequence[OfferTakeBack | OfferDraw]) -> str:
        """What is on the button that answers what was offered."""
        if any(each.side.other is self.stage.plays_itself for each in made):
            return ""
        if len(made) != 1:
            return _("Answer …") if made else ""
        answers = made[0].side.other
        with self.stage.speaking_to(answers):
            side = _.language.side(answers)
            if isinstance(made[0], OfferTakeBack):
                return _("{side} agrees", side=side)
            return _("{side} accepts", side=side)

    def accept(self) -> None:
        """Ask whether the other side agrees; of two offers the menu has both."""
        talk = self.stage.table.conversation
        if talk.take_back_offer and talk.draw_offer:
            self.open_menu()
        elif talk.take_back_offer:
            self.ask.accept_take_back(talk.take_back_offer.other)
        elif talk.draw_offer:
            self.ask.accept_draw(talk.draw_offer.other)

    def show_difference(self, limit: int) -> list[str]:
        """Mark what the board has wrong and say what to do, in at most `limit` sentences."""
        table = self.stage.table
        difference = table.state.difference
        self.image = (difference and table.seen) or table.expected
        self.take, self.put = difference.surplus, difference.missing
        guide = _.announcer.board.guide(difference, table.expected)
        if table.misplaced:
            guide = [_.announcer.board.stands_badly(table.misplaced.squares), *guide]
        if len(guide) > limit:
            more = _("… and {count} more: see the picture.", count=len(guide) - limit + 1)
            guide = [*guide[: limit - 1], more]
        return guide


load_kv(__file__)
