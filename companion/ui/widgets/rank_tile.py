"""Tiles for choosing a rank, with number, symbol and name, and cards for a reveal."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any, Final

from kivy.properties import (
    AliasProperty,
    BooleanProperty,
    NumericProperty,
    ObjectProperty,
    StringProperty,
)
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from companion.speech.i18n import capitalized
from companion.ui.drawing import theme
from companion.ui.drawing.cloth import FlipCard
from companion.ui.drawing.hidpi_text import wide
from companion.ui.drawing.rank_symbol import number
from companion.ui.drawing.translator import _
from companion.ui.drawing.vector_pen import Point
from companion.ui.widgets.buttons import Holding, load_kv
from companion.ui.widgets.layouts import TurnPress
from engine.board.ranks import Rank

_BESIDE_NAME: Final = 10
"""Horizontal padding of a tile on each side of the name."""
_FEWEST, _MOST = 2, 4


class RankFace(BoxLayout):
    """The contents of a tile."""

    rank = ObjectProperty(None, allownone=True)
    out = BooleanProperty(False)
    """Whether this rank is impossible for the piece."""
    marked = BooleanProperty(False)
    """Whether a finger is touching the tile."""
    caption = StringProperty()
    """Caption that replaces the name below the symbol."""

    def _name(self) -> str:
        return capitalized(_.language.rank(self.rank)) if self.rank is not None else ""

    def _number(self) -> str:
        return number(self.rank)

    name = AliasProperty(_name, bind=["rank"])
    number = AliasProperty(_number, bind=["rank"])


class RankTile(ButtonBehavior, RankFace):
    """A tile that is chosen by touching it."""


class HeldTile(Holding, RankFace):
    """A tile that must be held down, in a grid or on its own."""


class TileGrid(GridLayout):
    """Tiles in rows, with room for the ranks of a whole army.

    With large text, the tiles fill several pages, and the last slot on each page turns the page.
    """

    columns = NumericProperty(0)
    """Number of columns if the text is large."""
    lines = NumericProperty(0)
    """Number of rows on each page if the text is large."""
    least = NumericProperty(0)
    """Minimum height of a tile."""
    page = NumericProperty(0)
    """Index of the open page."""

    def __init__(self, **kwargs: object) -> None:
        self._tiles: list[RankFace] = []
        self._is_large = theme.LARGE
        self._shared = 0
        """Number of tiles per page."""
        super().__init__(**kwargs)
        self._turner = TurnPress(size_hint_x=1, size_hint_y=1)
        self._turner.bind(on_release=lambda _press: self._turn())
        if self._is_large:
            self.bind(size=self._share, page=self._put_up)

    def fill(self, ranks: Iterable[Rank], choose: Callable[[Rank], None], *, out: bool) -> None:
        """Offer ranks as tiles to touch. `choose` receives the chosen rank."""
        self._fill(RankTile, ranks, "on_release", choose, out=out)

    def fill_to_hold(self, ranks: Iterable[Rank], choose: Callable[[Rank], None]) -> None:
        """Offer ranks as tiles that the player presses and holds. `choose` gets the chosen rank."""
        self._fill(HeldTile, ranks, "on_held", choose, out=False)

    def tick(self, now: float) -> None:
        """Update the progress indicator of a tile that is being held down."""
        for tile in self.children:
            if isinstance(tile, HeldTile):
                tile.tick(now)

    def _fill(
        self,
        kind: type[RankFace],
        ranks: Iterable[Rank],
        chosen: str,
        choose: Callable[[Rank], None],
        *,
        out: bool,
    ) -> None:
        def choose_tile(tile: Any) -> None:
            choose(tile.rank)

        self._tiles = [kind(rank=rank, out=out) for rank in ranks]
        for tile in self._tiles:
            tile.bind(**{chosen: choose_tile})
            self.add_widget(tile)
        if self._is_large:
            self._share()

    def open_at(self, sign: str) -> RankFace | None:
        """Open the page with the tile for a letter or number, and return the tile if found."""
        for place, tile in enumerate(self._tiles):
            if sign == (tile.number or tile.rank.symbol).lower():
                if self._is_large:
                    self.page = place // self._shared
                return tile
        return None

    def _share(self, *_args: object) -> None:
        """Distribute the tiles among pages, with as many columns as the longest name allows."""
        gap = self.spacing[0]
        size = round(theme.BODY * theme.GROWTH)
        longest = max((wide(tile.name, size, bold=False) for tile in self._tiles), default=0)
        columns = int((self.width + gap) // (longest + _BESIDE_NAME + gap))
        self.columns = min(max(_FEWEST, columns), _MOST)
        self.lines = max(1, int((self.height + gap) // (self.least + gap)))
        places = self.columns * self.lines
        self._shared = places if len(self._tiles) <= places else max(1, places - 1)
        self._put_up()

    def _put_up(self, *_args: object) -> None:
        first = self._shared * self.page
        shown: list[Widget] = [*self._tiles[first : first + self._shared]]
        pages = -(-len(self._tiles) // self._shared) if self._shared else 0
        if pages > 1:
            self._turner.page, self._turner.count = self.page, pages
            self.ids["turn"] = self._turner
            shown.append(self._turner)
        self.clear_widgets()
        for each in shown:
            self.add_widget(each)

    def _turn(self) -> None:
        self.page = (self.page + 1) % self._turner.count


class RankCard(FlipCard, BoxLayout):
    """A side's card in a reveal, with symbol, number and name.

    If the piece is captured, the card has a crack. If the rank stays hidden, the card shows its
    back.
    """

    rank = ObjectProperty(None, allownone=True)
    falls = BooleanProperty(False)
    cracked = NumericProperty(1.0)
    """The visible fraction of the crack in a captured piece's card, from 0 to 1."""
    name_height = NumericProperty()
    """Height of the name at the bottom of the card, in pixels."""

    def _name(self) -> str:
        if self.rank is None:
            return _("stays hidden") if self.side else ""
        return capitalized(_.language.rank(self.rank))

    def _number(self) -> str:
        return number(self.rank)

    def _crack(self) -> list[float]:
        """Return the points of the crack.

        It runs from the top to the right, between the number and the name.
        """
        beside_number = ((0.62, 1), (0.69, 0.82), (0.59, 0.66), (0.68, 0.44))
        whole = (*beside_number, (0.88, 0.34), (0.80, 0.16), (0.99, 0))
        low = self.name_height + 6
        return [
            part
            for x, y in _beginning(whole, self.cracked)
            for part in (self.x + x * self.width, self.y + low + y * (self.height - low - 3))
        ]

    name = AliasProperty(_name, bind=["rank", "side"])
    crack = AliasProperty(_crack, bind=["pos", "size", "cracked", "name_height"])
    number = AliasProperty(_number, bind=["rank"])


def _beginning(points: Sequence[Point], share: float) -> Iterator[Point]:
    """Yield the points of the upper part of a line that falls from height 1 to height 0.

    The upper part extends from height 1 down to height 1 − `share`.
    """
    low = 1 - share
    yield points[0]
    for (x1, y1), (x2, y2) in pairwise(points):
        if y2 <= low:
            way = (y1 - low) / (y1 - y2)
            yield x1 + way * (x2 - x1), low
            return
        yield x2, y2


load_kv(__file__)
