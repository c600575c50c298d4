"""Private panes behind a curtain: rank tiles, or a notice for one player.

With sealed armies, only the committed rank is shown at first. No other rank can be declared, and
holding another rank's tile shows why. On the simulated board, the printed rank comes first, and
declaring another rank has to be confirmed.
"""

import random
from collections.abc import Callable

from kivy.input.motionevent import MotionEvent
from kivy.properties import (
    AliasProperty,
    BooleanProperty,
    NumericProperty,
    ObjectProperty,
    StringProperty,
)
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.screenmanager import NoTransition, ScreenManager
from kivy.uix.widget import Widget

from companion.core.events import RankAsked
from companion.ui.drawing.rank_symbol import full_name
from companion.ui.drawing.translator import _
from companion.ui.widgets.buttons import load_kv
from engine.board.ranks import Rank, RankSet, ranks_in


class Behind(Widget):
    """Private content for one player, which a curtain hides until the player opens the curtain.

    The content then covers the screen and takes every touch. The widget dispatches `on_turned` when
    the content changes.
    """

    left = NumericProperty(1.0)
    """Remaining fraction of the time until the curtain closes automatically, from 1 to 0."""
    is_to_be_read = BooleanProperty(False)
    """Whether the pane shows text that cannot be read at a glance."""

    __events__ = ("on_turned",)

    def __init__(self, **kwargs: object) -> None:
        self._fingers: set[object] = set()
        super().__init__(**kwargs)

    @property
    def is_touched(self) -> bool:
        return bool(self._fingers)

    def on_turned(self) -> None:
        pass

    def tick(self, now: float) -> None:
        """Update the animations."""

    def on_touch_down(self, touch: MotionEvent) -> bool:
        self._fingers.add(touch.uid)
        super().on_touch_down(touch)
        return True

    def on_touch_up(self, touch: MotionEvent) -> bool:
        self._fingers.discard(touch.uid)
        super().on_touch_up(touch)
        return True


class InstantTransition(NoTransition):
    """Changes screens without an animation.

    Kivy's own NoTransition draws the old screen together with the new one for one more frame.
    """

    def start(self, manager: ScreenManager) -> None:
        super().start(manager)
        self.stop()


class Privacy(Behind, ScreenManager):
    """The rank tiles and explanations behind the curtain.

    An instance serves a single opening of the curtain. The tiles are shuffled each time, so that
    the finger's position does not reveal the rank. Holding the tile of a possible rank passes the
    rank to `declare`. For an impossible rank, a tap is enough, because it only leads to an
    explanation.
    """

    heading = StringProperty()
    insisting = StringProperty()
    """Label of the button with which the player insists on an impossible rank, or declares a rank
    other than the printed one."""
    word = StringProperty()
    """A notice that has to be read before the tiles are shown."""
    proof = StringProperty()
    consequence = StringProperty()
    """The consequence of insisting on the impossible rank."""
    has_others = BooleanProperty(False)
    sealed = ObjectProperty(None, allownone=True)
    """The committed rank of the piece, or None if there is no commitment."""
    printed = ObjectProperty(None, allownone=True)
    """The rank printed on a simulated piece, or None if unknown."""
    first = ObjectProperty(None, allownone=True)
    """The rank offered first: the committed rank or, failing that, the printed rank."""
    is_alone = BooleanProperty(False)
    """Whether one person plays against the computer. If so, there is no curtain."""
    title = StringProperty()
    advice = StringProperty()
    """The line below the explanation; `title` is the line above it."""
    sealed_advice = AliasProperty(
        lambda self: (
            _("This is the rank printed on the piece. Hold the card to declare it.")
            if self.sealed is None
            else _("This is the rank you sealed. Hold the card to declare it.")
        ),
        bind=["sealed"],
    )
    close_text = AliasProperty(
        lambda self: (
            _("Back") if self.is_alone or self.first is not None else _("Close the curtain")
        ),
        bind=["first", "is_alone"],
    )

    def __init__(
        self,
        question: RankAsked,
        army: RankSet,
        sealed: Rank | None,
        printed: Rank | None,
        declare: Callable[[Rank], None],
        insist: Callable[[], None],
        close: Callable[[], None],
    ) -> None:
        super().__init__(transition=InstantTransition())
        self._declare, self._insist, self._close = declare, insist, close
        self._doubted: Rank | None = None
        """A chosen rank that differs from the printed one, until the player confirms it."""
        self.heading, self.sealed, self.printed = _.announcer.asked(question), sealed, printed
        self.first = printed if sealed is None else sealed
        tiles = [rank for rank in question.tiles if rank is not self.first]
        others = [rank for rank in ranks_in(army) if rank not in (*tiles, self.first)]
        for ranks in (tiles, others):
            random.SystemRandom().shuffle(ranks)
        self.has_others = bool(others)
        self.ids.tiles.fill_to_hold(tiles, self._choose)
        self.ids.others.fill(others, self._choose, out=True)
        self.show_first()

    def tick(self, now: float) -> None:
        """Update the progress of held tiles."""
        self.ids.sealed.tick(now)
        self.ids.tiles.tick(now)
        self.ids.insist.tick(now)

    def show_first(self) -> None:
        """Show the committed or printed rank or, failing that, the possible ranks of the piece."""
        self.word = self.proof = self.consequence = self.insisting = ""
        self._show("tiles" if self.first is None else "sealed")

    def show_tiles(self) -> None:
        """Show the ranks that are possible according to public knowledge."""
        self._show("tiles")

    def declare_first(self) -> None:
        """Declare the committed or printed rank."""
        self._declare(self.first)

    def _choose(self, rank: Rank) -> None:
        """Declare a rank. If it differs from the printed rank, ask for confirmation first."""
        if self.printed in (None, rank):
            self._declare(rank)
            return
        self._doubted = rank
        self.title, self.advice = _("A different rank?"), _("Only you see this.")
        self.insisting = _("Hold to declare: {rank}", rank=full_name(rank))
        self.proof = _("Printed on the piece: {rank}.", rank=full_name(self.printed))
        self._show("proof")

    def show_others(self) -> None:
        """Show the ranks that are impossible for the piece. Choosing one shows why."""
        self._show("others")

    def show_word(self, word: str) -> None:
        """Show a notice about another piece. The player must read it before seeing the tiles."""
        self.word = word
        self._show("word")

    def show_proof(self, rank: Rank, proof: str, consequence: str) -> None:
        """Show why the declared rank is impossible, and the consequence of insisting on it."""
        self._doubted = None
        self.title, self.advice = (
            _("That is impossible"),
            _("Only you see this. Look at your piece again."),
        )
        self.insisting = _("Hold to insist: {rank}", rank=full_name(rank))
        self.proof, self.consequence = proof, consequence
        self._show("proof")

    def insist(self) -> None:
        """Insist on a refuted rank, or declare a rank that differs from the printed one."""
        if self._doubted is None:
            self._insist()
        else:
            self._declare(self._doubted)

    def close(self) -> None:
        self._close()

    def _show(self, page: str) -> None:
        self.current = page
        self.is_to_be_read = page in ("word", "proof")
        self.dispatch("on_turned")


class PrivateText(BoxLayout):
    """A private notice with a single button. Dispatches `on_read` when the player continues."""

    title = StringProperty()
    text = StringProperty()
    advice = StringProperty()
    """Instruction for the player."""
    onward = StringProperty()

    __events__ = ("on_read",)

    def on_read(self) -> None:
        pass


class PrivateWord(Behind, PrivateText):
    """A private notice without rank tiles."""

    is_to_be_read = True


load_kv(__file__)
