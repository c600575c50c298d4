"""Public choice of a rank: an infiltrator's guess, or an arbiter's correction."""

from collections.abc import Callable, Iterable

from kivy.properties import StringProperty

from companion.screens.base.cover import Cover
from companion.screens.widgets.common import load_kv
from engine.board.ranks import Rank


class RankCover(Cover):
    """A question for a rank, with a tile for each possible one."""

    heading = StringProperty()

    def __init__(
        self,
        heading: str,
        ranks: Iterable[Rank],
        choose: Callable[[Rank], None],
        close: Callable[[], None],
    ) -> None:
        super().__init__()
        self.heading = heading
        self.ids.guesses.fill(ranks, choose, out=False)
        self._close = close

    def close(self) -> None:
        self._close()


load_kv(__file__)
