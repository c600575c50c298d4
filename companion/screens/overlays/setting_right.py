"""Arbiter's corrections of wrong records: three kinds, each with its squares."""

from collections.abc import Callable

from companion.screens.base.cover import Cover
from companion.screens.base.stage import Stage
from companion.screens.overlays.asking import Asking
from companion.screens.overlays.rank_choice import RankCover
from companion.screens.overlays.square_choice import SquareCover
from companion.screens.widgets.common import load_kv
from companion.screens.widgets.texts import _
from engine.board.geometry import Square, name
from engine.board.ranks import Rank, ranks_in
from engine.game.actions import Exchanged, Mistake, NoLongMove, WrongRank


class MistakeCover(Cover):
    """The three kinds, in an arbiter's words."""

    def __init__(
        self,
        wrong_rank: Callable[[], None],
        exchanged: Callable[[], None],
        no_long_move: Callable[[], None],
        close: Callable[[], None],
    ) -> None:
        super().__init__()
        self._wrong_rank, self._exchanged, self._no_long_move = wrong_rank, exchanged, no_long_move
        self._close = close

    def wrong_rank(self) -> None:
        self._wrong_rank()

    def exchanged(self) -> None:
        self._exchanged()

    def no_long_move(self) -> None:
        self._no_long_move()

    def close(self) -> None:
        self._close()


class SettingRight:
    """Goes from the kind to the squares to the question, and back one step at a time.

    Squares that can be corrected are not marked: that would reveal facts about their pieces.
    """

    def __init__(
        self,
        stage: Stage,
        show: Callable[[Cover], None],
        asking: Asking,
        back: Callable[[], None],
    ) -> None:
        self._stage, self._show, self._asking, self._back = stage, show, asking, back
        self._cover: SquareCover | None = None
        self._first: Square | None = None

    def open(self) -> None:
        """Ask for the kind of mistake."""
        ways = self._open_wrong_rank, self._open_exchanged, self._open_no_long_move
        self._show(MistakeCover(*ways, self._back))

    def _open_wrong_rank(self) -> None:
        heading = _("Which piece was shown wrongly?")
        detail = _("It has another rank from now on. What it has fought stays as it is.")
        self._point(heading, detail, self._take_wrong_rank)

    def _take_wrong_rank(self, square: Square) -> None:
        """Ask for any rank of the army: a shorter list would reveal facts about the piece."""
        table = self._stage.table
        if not self._can(square, lambda piece: WrongRank(piece, Rank.FLAG)):
            self._object(_("The rank of this piece was never shown."))
            return

        def choose(rank: Rank) -> None:
            self._asking.set_rank_right(square, rank)

        heading = _("What is the piece on {square}?", square=name(square))
        ranks = ranks_in(table.view.edition.army.ranks)
        self._show(RankCover(heading, ranks, choose, self._open_wrong_rank))

    def _open_exchanged(self) -> None:
        self._first = None
        heading = _("Which two pieces stand the other way round?")
        detail = _(
            "Touch both. What is known of the one counts for the other from now on; the pieces "
            "on the board stay where they are."
        )
        self._point(heading, detail, self._take_exchanged)

    def _take_exchanged(self, square: Square) -> None:
        assert self._cover
        board, first = self._stage.table.view.board, self._first
        if board.side_at(square) is None:
            self._object(_("No piece stands there."))
        elif first is None:
            self._first = square
        elif square == first:
            self._first = None
        elif not self._can(square, lambda piece: Exchanged(board.piece_at(first), piece)):
            self._object(_("Both have to be pieces of one side."))
        else:
            self._asking.exchange(first, square)
        self._cover.marked = 0 if self._first is None else 1 << self._first

    def _open_no_long_move(self) -> None:
        heading = _("Which piece has not gone so far?")
        detail = _(
            "It was taken to have gone further than one square, as only a scout does. From now "
            "on it need not be one."
        )
        self._point(heading, detail, self._take_no_long_move)

    def _take_no_long_move(self, square: Square) -> None:
        if self._can(square, NoLongMove):
            self._asking.deny_long_move(square)
        else:
            self._object(_("It was not taken down that this piece has gone further."))

    def _point(self, heading: str, detail: str, choose: Callable[[Square], None]) -> None:
        image = self._stage.table.expected
        self._cover = SquareCover(image, (heading, detail), choose, self.open)
        self._show(self._cover)

    def _object(self, why: str) -> None:
        assert self._cover
        self._cover.detail = why

    def _can(self, square: Square, mistake: Callable[[Square], Mistake]) -> bool:
        """Whether such a mistake is possible for the piece on a square."""
        table = self._stage.table
        if table.view.board.side_at(square) is None:
            return False
        return table.conversation.can_correct(mistake(table.view.board.piece_at(square)))


load_kv(__file__)
