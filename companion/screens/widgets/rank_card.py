"""A publicly shown rank: sign, number and name, and a crack if the piece falls.

For a piece that stays unnamed it shows the back.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from kivy.properties import AliasProperty, BooleanProperty, NumericProperty, ObjectProperty
from kivy.uix.boxlayout import BoxLayout

from companion.screens.widgets.common import load_kv
from companion.screens.widgets.pen import Point
from companion.screens.widgets.rank_symbol import number
from companion.screens.widgets.texts import _
from companion.screens.widgets.turning import Turning
from companion.speech.language import capitalized


class RankCard(Turning, BoxLayout):
    """One side's card of a reveal."""

    rank = ObjectProperty(None, allownone=True)
    falls = BooleanProperty(False)
    cracked = NumericProperty(1.0)
    """Progress of the crack of a fallen piece's card, from 0 to 1."""

    def _name(self) -> str:
        if self.rank is None:
            return _("stays unnamed") if self.side else ""
        return capitalized(_.language.rank(self.rank))

    def _number(self) -> str:
        return number(self.rank)

    def _crack(self) -> list[float]:
        """Points of the crack, from the upper edge to the lower one, right of the text."""
        zigzag = ((0.62, 1), (0.70, 0.82), (0.60, 0.72), (0.86, 0.55), (0.76, 0.40), (0.93, 0.22))
        whole = (*zigzag, (0.84, 0.12), (0.88, 0))
        return [
            part
            for x, y in _beginning(whole, self.cracked)
            for part in (self.x + x * self.width, self.y + 3 + y * (self.height - 6))
        ]

    name = AliasProperty(_name, bind=["rank", "side"])
    crack = AliasProperty(_crack, bind=["pos", "size", "cracked"])
    number = AliasProperty(_number, bind=["rank"])


def _beginning(points: Sequence[Point], share: float) -> Iterator[Point]:
    """Yield the first `share` of a line that descends from height 1 to height 0."""
    low = 1 - share
    yield points[0]
    for (x1, y1), (x2, y2) in pairwise(points):
        if y2 <= low:
            way = (y1 - low) / (y1 - y2)
            yield x1 + way * (x2 - x1), low
            return
        yield x2, y2


load_kv(__file__)
