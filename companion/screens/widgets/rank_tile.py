"""A rank to choose: number, sign, name."""

from collections.abc import Callable, Iterable

from kivy.properties import AliasProperty, BooleanProperty, ObjectProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout

from companion.screens.widgets.common import load_kv
from companion.screens.widgets.rank_symbol import number
from companion.screens.widgets.texts import _, capitalized
from engine.ranks import Rank


class RankTile(ButtonBehavior, BoxLayout):
    """A tile is marked only while the finger rests on it."""

    rank = ObjectProperty(None, allownone=True)
    out = BooleanProperty(False)
    """Whether the piece cannot have this rank."""

    def _name(self) -> str:
        return capitalized(_.language.rank(self.rank)) if self.rank is not None else ""

    def _number(self) -> str:
        return number(self.rank)

    name = AliasProperty(_name, bind=["rank"])
    number = AliasProperty(_number, bind=["rank"])


class TileGrid(GridLayout):
    """Tiles in three rows: a whole army fits on the screen."""

    def fill(self, ranks: Iterable[Rank], choose: Callable[[Rank], None], *, out: bool) -> None:
        """Offer ranks; `choose` is told which one was touched."""
        for rank in ranks:
            tile = RankTile(rank=rank, out=out)
            tile.bind(on_release=lambda tile: choose(tile.rank))
            self.add_widget(tile)


load_kv(__file__)
