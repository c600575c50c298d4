"""The board after the game, with every rank that is known."""

from kivy.properties import ObjectProperty

from companion.screens.widgets.board_picture import BoardPicture
from companion.screens.widgets.label import draw_label


class OpenBoard(BoardPicture):
    """A picture of the board with the ranks on the pieces; one without was never named."""

    ranks = ObjectProperty({})
    """The known ranks by their squares."""

    SHOWN = (*BoardPicture.SHOWN, "ranks")

    def _draw(self, *_args: object) -> None:
        super()._draw()
        for square, rank in self.ranks.items():
            x, y, length = self.grid.bed(square)
            margin = (self.grid.step - length) / 2
            draw_label(self.canvas, rank.symbol, x - margin, y - margin, self.grid.step)
