"""What is behind the curtain: tiles, one question, and what is wrong with an impossible rank."""

import random
from collections.abc import Callable

from kivy.input.motionevent import MotionEvent
from kivy.properties import BooleanProperty, ObjectProperty, StringProperty
from kivy.uix.screenmanager import NoTransition, ScreenManager

from companion.screens.widgets.common import load_kv
from companion.screens.widgets.rank_symbol import full_name
from companion.screens.widgets.texts import _
from companion.table.events import RankAsked
from engine.ranks import Rank, RankSet, ranks_in
from engine.squares import name


class Privacy(ScreenManager):
    """Covers the whole screen for one player.

    It is made for one opening of the curtain and keeps nothing. A rank is told by `declare` after
    it has been confirmed; one that cannot be is told at once, because nothing comes of it but why.
    """

    heading = StringProperty()
    asked_rank = ObjectProperty(None, allownone=True)
    asked_text = StringProperty()
    word = StringProperty()
    """What is to be read before the tiles are shown."""
    proof = StringProperty()
    consequence = StringProperty()
    """What follows if the player stays by the impossible rank."""
    has_others = BooleanProperty(False)

    def __init__(
        self,
        question: RankAsked,
        army: RankSet,
        declare: Callable[[Rank], None],
        insist: Callable[[], None],
        close: Callable[[], None],
        touched: Callable[[], None],
    ) -> None:
        super().__init__(transition=NoTransition())
        self._declare, self._insist = declare, insist
        self._close, self._touched = close, touched
        side = _.language.side(question.owner)
        self.heading = _(
            "{side}: which rank is your piece on {square}?",
            side=side,
            square=name(question.square),
        )
        others = [rank for rank in ranks_in(army) if rank not in question.tiles]
        # Their order must not tell a rank by the place of the finger either.
        random.Random(str(question.tiles)).shuffle(others)
        self.has_others = bool(others)
        self.ids.tiles.fill(question.tiles, self.choose, out=False)
        self.ids.others.fill(others, declare, out=True)

    def choose(self, rank: Rank) -> None:
        """A tile was touched: ask once."""
        self.asked_rank = rank
        self.asked_text = _("{rank}?", rank=full_name(rank))
        self.current = "confirm"

    def confirm(self) -> None:
        """Yes, this is the rank."""
        rank = self.asked_rank
        self.show_tiles()
        self._declare(rank)

    def show_tiles(self) -> None:
        """Show the ranks that the piece can have."""
        self.asked_rank, self.asked_text = None, ""
        self.word = self.proof = self.consequence = ""
        self.current = "tiles"

    def show_others(self) -> None:
        """Show the ranks that the piece cannot have; choosing one tells why."""
        self.current = "others"

    def show_word(self, word: str) -> None:
        """Say something about another piece before the tiles are shown."""
        self.word = word
        self.current = "word"

    def show_proof(self, rank: Rank, proof: str, consequence: str) -> None:
        """Say why the rank that was declared is impossible, and what follows from insisting."""
        self.asked_text = _("You insist: {rank}?", rank=full_name(rank))
        self.proof, self.consequence = proof, consequence
        self.current = "proof"

    def show_insisting(self) -> None:
        """Ask once whether the player stays by the rank."""
        self.current = "insist"

    def insist(self) -> None:
        """Yes, whatever is proved."""
        self._insist()

    def close(self) -> None:
        self._close()

    def on_touch_down(self, touch: MotionEvent) -> bool:
        self._touched()
        super().on_touch_down(touch)
        return True


load_kv(__file__)
