"""What every screen is: a picture of the stage that is drawn anew when something has happened."""

from kivy.properties import NumericProperty, ObjectProperty, StringProperty
from kivy.uix.screenmanager import Screen

from companion.screens.base.stage import Stage
from companion.screens.widgets.texts import _
from engine.play.clocks import Limit
from engine.ranks import ranks_in
from engine.sides import Side
from firmware_bridge.image import Image


class BaseScreen(Screen):
    """One screen. It shows and asks; what is allowed is the table's business."""

    def __init__(self, stage: Stage, **kwargs: object) -> None:
        self.stage = stage
        super().__init__(**kwargs)

    def refresh(self) -> None:
        """Show how things stand now."""

    def tick(self, now: float) -> None:
        """Show what moves with time."""

    def close(self) -> None:
        """Another screen is due."""


class GameScreen(BaseScreen):
    """A screen beside the picture of the board, with whose turn it is and the fallen pieces."""

    side = ObjectProperty(None, allownone=True)
    """Whose sign stands at the top."""
    title = StringProperty()
    image = ObjectProperty(Image())
    expected = ObjectProperty(Image())
    last_move = ObjectProperty(None, allownone=True)
    take = NumericProperty(0)
    put = NumericProperty(0)
    marked = NumericProperty(0)
    red_time = NumericProperty(None, allownone=True)
    """How many seconds Red has left; None without a time control."""
    blue_time = NumericProperty(None, allownone=True)
    whole_time = NumericProperty(None, allownone=True)
    """The same of the whole game; None if that is not limited."""
    running = ObjectProperty(None, allownone=True)
    """The side whose clock runs at the moment."""
    captured = ObjectProperty(None, allownone=True)
    """For each side, how many have fallen of each rank of its army."""
    offer = StringProperty()
    """What the other side is asked for: a draw, or to take the latest ply back."""
    accept_text = StringProperty()
    ask = ObjectProperty(None)
    """Asks before what is not easily taken back."""

    def show_game(self) -> None:
        """Show what all screens of a running game show."""
        table, view = self.stage.table, self.stage.table.view
        self.image = self.expected = table.expected
        self.last_move = view.last_move
        ranks = list(ranks_in(view.edition.army.ranks))
        self.captured = {
            side: {rank: fallen.count(rank) for rank in ranks}
            for side, fallen in view.captured.items()
        }

    def show_side(self, side: Side | None) -> None:
        """Let a side head the screen."""
        self.side = side
        self.title = _.language.side(side) if side else ""

    def show_clocks(self, now: float) -> None:
        """Show both sides' time at a moment."""
        clock = self.stage.table.clock
        self.red_time, self.blue_time = (clock.left(side, now) for side in Side)
        self.whole_time = clock.whole_left(now)
        limit = clock.state(now).running
        runs = clock.due is not None and limit in (Limit.RED, Limit.BLUE)
        self.running = Side(limit.value) if limit and runs else None

    def show_offer(self, *, hidden: bool = False) -> None:
        """Show what a side asks the other for, unless something else needs the room."""
        table = self.stage.table
        self.offer = self.accept_text = ""
        if hidden:
            return
        if side := table.conversation.take_back_offer:
            self.offer = _("{side} asks to take the last move back.", side=_.language.side(side))
            self.accept_text = _("{side} agrees", side=_.language.side(side.other))
        elif side := table.conversation.draw_offer:
            self.offer = _("{side} offers a draw.", side=_.language.side(side))
            self.accept_text = _("{side} accepts", side=_.language.side(side.other))

    def accept(self) -> None:
        """Ask whether the other side agrees."""
        table = self.stage.table
        if table.conversation.take_back_offer:
            self.ask.accept_take_back(table.conversation.take_back_offer.other)
        elif table.conversation.draw_offer:
            self.ask.accept_draw(table.conversation.draw_offer.other)

    def show_difference(self, limit: int) -> list[str]:
        """Mark what the board has wrong and say what to do, in at most `limit` sentences."""
        table = self.stage.table
        difference = table.state.difference
        self.image = (difference and table.seen) or table.expected
        self.take, self.put = difference.surplus, difference.missing
        guide = _.announcer.guide(difference, table.expected)
        if len(guide) > limit:
            more = _("… and {count} more: see the picture.", count=len(guide) - limit + 1)
            guide = [*guide[: limit - 1], more]
        return guide
