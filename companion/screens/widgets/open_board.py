"""The board after the game, with every known rank."""

from kivy.properties import ObjectProperty

from companion.screens.widgets.board_picture import BoardPicture
from companion.screens.widgets.label import draw_label


class OpenBoard(BoardPicture):
    """A picture of the board with ranks on the pieces; a piece without one was never named."""

    ranks = ObjectProperty({})
    """Known ranks, by square."""

    SHOWN = (*BoardPicture.SHOWN, "ranks")

    def _draw(self, *_args: object) -> None:
        super()._draw()
        for square, rank in self.ranks.items():
            x, y, length = self.grid.bed(square)
            margin = (self.grid.step - length) / 2
            draw_label(self.canvas, rank.symbol, x - margin, y - margin, self.grid.step)
