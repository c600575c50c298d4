"""What is behind the curtain: tiles, and what is wrong with an impossible rank.

With sealed armies the sealed rank alone comes first. It is the only one that can be declared; any
other that is held is told why not. On the simulated board the printed rank comes first, and another
one is asked about once.
"""

import random
from collections.abc import Callable

from kivy.properties import BooleanProperty, ObjectProperty, StringProperty
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
    sealed = ObjectProperty(None, allownone=True)
    """The rank that is sealed for the piece, None if none is."""
    printed = ObjectProperty(None, allownone=True)
    """The rank that is printed on a piece of the simulated board, None if unknown."""
    first = ObjectProperty(None, allownone=True)
    """The rank that is offered first: what is sealed, or else what is printed."""
    title = StringProperty()
    advice = StringProperty()
    """The lines above and below the reason to choose again."""

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
        super().__init__(transition=AtOnce())
        self._declare, self._insist, self._close = declare, insist, close
        self._doubted: Rank | None = None
        """The rank that is not what is printed, while that is asked about."""
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
        """Let what is held fill."""
        self.ids.sealed.tick(now)
        self.ids.tiles.tick(now)
        self.ids.insist.tick(now)

    def show_first(self) -> None:
        """Show the rank that is sealed or printed, or else the ranks that the piece can have."""
        self.word = self.proof = self.consequence = self.insisting = ""
        self._show("tiles" if self.first is None else "sealed")

    def show_tiles(self) -> None:
        """Show the ranks that the piece can have, as far as everybody knows."""
        self._show("tiles")

    def declare_first(self) -> None:
        """Declare the rank that is sealed or printed."""
        self._declare(self.first)

    def _choose(self, rank: Rank) -> None:
        """Declare a rank; one that is not what is printed is asked about first."""
        if self.printed in (None, rank):
            self._declare(rank)
            return
        self._doubted = rank
        self.title, self.advice = _("Another rank?"), _("Only you see this.")
        self.insisting = _("Hold to declare: {rank}", rank=full_name(rank))
        self.proof = _("Printed on the piece: {rank}.", rank=full_name(self.printed))
        self._show("proof")

    def show_others(self) -> None:
        """Show the ranks that the piece cannot have; choosing one tells why."""
        self._show("others")

    def show_word(self, word: str) -> None:
        """Say something about another piece before the tiles are shown."""
        self.word = word
        self._show("word")

    def show_proof(self, rank: Rank, proof: str, consequence: str) -> None:
        """Say why the rank that was declared is impossible, and what follows from insisting."""
        self._doubted = None
        self.title, self.advice = (
            _("That cannot be"),
            _("Only you see this. Look at your piece again."),
        )
        self.insisting = _("Hold to insist: {rank}", rank=full_name(rank))
        self.proof, self.consequence = proof, consequence
        self._show("proof")

    def insist(self) -> None:
        """Stay by the rank, whatever is printed or proved."""
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


load_kv(__file__)
