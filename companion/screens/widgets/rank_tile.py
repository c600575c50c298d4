"""A rank to choose: number, sign, name."""

from collections.abc import Callable, Iterable
from typing import Any

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

from companion.screens.widgets.common import load_kv
from companion.screens.widgets.holding import Holding
from companion.screens.widgets.rank_symbol import number
from companion.screens.widgets.texts import _
from companion.speech.language import capitalized
from engine.ranks import Rank


class RankFace(BoxLayout):
    """What a tile shows."""

    rank = ObjectProperty(None, allownone=True)
    out = BooleanProperty(False)
    """Whether the piece cannot have this rank."""
    marked = BooleanProperty(False)
    """Whether a finger rests on it, and no longer than that."""
    caption = StringProperty()
    """What is said below the sign instead of the name."""

    def _name(self) -> str:
        return capitalized(_.language.rank(self.rank)) if self.rank is not None else ""

    def _number(self) -> str:
        return number(self.rank)

    name = AliasProperty(_name, bind=["rank"])
    number = AliasProperty(_number, bind=["rank"])


class RankTile(ButtonBehavior, RankFace):
    """A tile that is touched."""


class HeldTile(Holding, RankFace):
    """A tile that is held. It asks whether the rank is meant, no larger than a tile is."""


class TileGrid(GridLayout):
    """Tiles in three rows: a whole army fits on the screen."""

    lines = NumericProperty(0)
    """How many rows there are."""

    def fill(self, ranks: Iterable[Rank], choose: Callable[[Rank], None], *, out: bool) -> None:
        """Offer ranks; `choose` is told which one was touched."""
        self._fill(RankTile, ranks, "on_release", choose, out=out)

    def fill_to_hold(self, ranks: Iterable[Rank], choose: Callable[[Rank], None]) -> None:
        """Offer ranks; `choose` is told which one was held."""
        self._fill(HeldTile, ranks, "on_held", choose, out=False)

    def tick(self, now: float) -> None:
        """Let the tile fill that is held."""
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
        def tell(tile: Any) -> None:
            choose(tile.rank)

        for rank in ranks:
            tile = kind(rank=rank, out=out)
            tile.bind(**{chosen: tell})
            self.add_widget(tile)


load_kv(__file__)
