"""What is behind the curtain: tiles, and what is wrong with an impossible rank."""

import random
from collections.abc import Callable

from kivy.properties import BooleanProperty, StringProperty
from kivy.uix.screenmanager import ScreenManager

from companion.screens.widgets.at_once import AtOnce
from companion.screens.widgets.behind import Behind
from companion.screens.widgets.common import load_kv
from companion.screens.widgets.rank_symbol import full_name
from companion.screens.widgets.texts import _
from companion.table.events import RankAsked
from engine.ranks import Rank, RankSet, ranks_in


class Privacy(Behind, ScreenManager):
    """The tiles, and other pages.

    It is made for one opening of the curtain and keeps nothing; the tiles lie in another order each
    time, which nobody can foresee, so that the place of the finger tells no rank. A rank is told by
    `declare` when its tile has been held; one that cannot be is told at once, because nothing comes
    of it but why.
    """

    heading = StringProperty()
    insisting = StringProperty()
    """The rank that was declared and cannot be."""
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
    ) -> None:
        super().__init__(transition=AtOnce())
        self._insist, self._close = insist, close
        self.heading = _.announcer.asked(question)
        tiles = list(question.tiles)
        others = [rank for rank in ranks_in(army) if rank not in tiles]
        for ranks in (tiles, others):
            random.SystemRandom().shuffle(ranks)
        self.has_others = bool(others)
        self.ids.tiles.fill_to_hold(tiles, declare)
        self.ids.others.fill(others, declare, out=True)

    def tick(self, now: float) -> None:
        """Let what is held fill."""
        self.ids.tiles.tick(now)
        self.ids.insist.tick(now)

    def show_tiles(self) -> None:
        """Show the ranks that the piece can have."""
        self.word = self.proof = self.consequence = self.insisting = ""
        self._show("tiles")

    def show_others(self) -> None:
        """Show the ranks that the piece cannot have; choosing one tells why."""
        self._show("others")

    def show_word(self, word: str) -> None:
        """Say something about another piece before the tiles are shown."""
        self.word = word
        self._show("word")

    def show_proof(self, rank: Rank, proof: str, consequence: str) -> None:
        """Say why the rank that was declared is impossible, and what follows from insisting."""
        self.insisting = _("Hold to insist: {rank}", rank=full_name(rank))
        self.proof, self.consequence = proof, consequence
        self._show("proof")

    def insist(self) -> None:
        """Whatever is proved."""
        self._insist()

    def close(self) -> None:
        self._close()

    def _show(self, page: str) -> None:
        self.current = page
        self.is_to_be_read = page in ("word", "proof")
        self.dispatch("on_turned")


load_kv(__file__)
