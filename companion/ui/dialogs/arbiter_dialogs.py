"""Dialogs for the arbiter: corrections, board adoption, touched pieces and incidents.

During a game, the arbiter can show the position as a QR code (docs/positions.md). After a game,
anyone can read its incident log.
"""

import random
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from kivy.properties import (
    AliasProperty,
    BooleanProperty,
    ListProperty,
    NumericProperty,
    ObjectProperty,
    StringProperty,
)
from kivy.uix.boxlayout import BoxLayout

from companion.core.inputs import BoardClaimed, CommandInput
from companion.reports.incident_sheet import Incident, incident_words, moment_words
from companion.reports.replay import Archive
from companion.speech.small_texts import storage_error_text
from companion.storage.errors import JournalError, StorageError
from companion.ui.base.modal import Modal
from companion.ui.base.presenter import GamePresenter
from companion.ui.dialogs.confirmations import Confirmations
from companion.ui.dialogs.pad_dialogs import QrCode  # noqa: F401 (used in the kv file)
from companion.ui.drawing import theme
from companion.ui.drawing.translator import _
from companion.ui.widgets.buttons import load_kv
from engine.board.geometry import Side, Square, name
from engine.board.ranks import Rank, ranks_in
from engine.game.actions import Correction, FreeTouched, NotAScout, RankCorrection, SwapCorrection
from engine.game.clocks import TimeControl, clock_text
from engine.game.rulings import AdoptionRejected
from firmware_bridge.image import Image

# Choosing a square or a rank.


class SquarePicker(Modal):
    """Asks a question that is answered by touching a square of the board."""

    heading = StringProperty()
    detail = StringProperty()
    image = ObjectProperty(Image())
    marked = NumericProperty(0)
    """The chosen squares, or the squares whose sensors are ignored."""

    def __init__(
        self,
        image: Image,
        words: tuple[str, str],
        choose: Callable[[Square], None],
        close: Callable[[], None],
    ) -> None:
        super().__init__()
        self.heading, self.detail = words
        self.image = image
        self._choose, self._close = choose, close

    def touch_square(self, square: Square) -> None:
        self._choose(square)

    def close(self) -> None:
        self._close()


class RankPicker(Modal):
    """Asks for a rank in public, with one tile per possible rank."""

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


# Corrections to the record. There are three types of mistake, and each involves different squares.


class CorrectionsDialog(Modal):
    """Asks which of the three types of mistake to correct."""

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


class CorrectionDialogs:
    """Guides the arbiter through a correction: type of mistake, squares, confirmation.

    The dialogs do not mark the squares that can be corrected, because the marks would reveal facts
    about the pieces there.
    """

    def __init__(
        self,
        presenter: GamePresenter,
        show: Callable[[Modal], None],
        asking: Confirmations,
        back: Callable[[], None],
    ) -> None:
        self._presenter, self._show, self._asking, self._back = presenter, show, asking, back
        self._picker: SquarePicker | None = None
        self._first: Square | None = None

    def open(self) -> None:
        """Ask which type of mistake was made."""
        ways = self._open_wrong_rank, self._open_exchanged, self._open_no_long_move
        self._show(CorrectionsDialog(*ways, self._back))

    def _open_wrong_rank(self) -> None:
        heading = _("Which piece has the wrong rank?")
        detail = _("The piece has another rank from now on. Earlier fights stand.")
        self._point(heading, detail, self._take_wrong_rank)

    def _take_wrong_rank(self, square: Square) -> None:
        """Offer all ranks of the army. A shorter list would reveal facts about the piece."""
        table = self._presenter.table
        if not self._can(square, lambda piece: RankCorrection(piece, Rank.FLAG)):
            self._object(_("The rank of this piece was never shown."))
            return

        def choose(rank: Rank) -> None:
            self._asking.set_rank_right(square, rank)

        heading = _("What is the piece on {square}?", square=name(square))
        ranks = ranks_in(table.view.edition.army.ranks)
        self._show(RankPicker(heading, ranks, choose, self._open_wrong_rank))

    def _open_exchanged(self) -> None:
        self._first = None
        heading = _("Which two pieces are swapped?")
        detail = _(
            "Tap both pieces. What is known about each then applies to the other. The pieces on "
            "the board stay where they are."
        )
        self._point(heading, detail, self._take_exchanged)

    def _take_exchanged(self, square: Square) -> None:
        assert self._picker
        board, first = self._presenter.table.view.board, self._first
        if board.side_at(square) is None:
            self._object(_("There is no piece there."))
        elif first is None:
            self._first = square
        elif square == first:
            self._first = None
        elif not self._can(square, lambda piece: SwapCorrection(board.piece_at(first), piece)):
            self._object(_("Both pieces must be on the same side."))
        else:
            self._asking.exchange(first, square)
        self._picker.marked = 0 if self._first is None else 1 << self._first

    def _open_no_long_move(self) -> None:
        heading = _("Which piece has not moved that far?")
        detail = _(
            "The record says that this piece moved further than one square, which only a scout can "
            "do. From now on, it need not be a scout."
        )
        self._point(heading, detail, self._take_no_long_move)

    def _take_no_long_move(self, square: Square) -> None:
        if self._can(square, NotAScout):
            self._asking.deny_long_move(square)
        else:
            self._object(_("The record has no long move by this piece."))

    def _point(self, heading: str, detail: str, choose: Callable[[Square], None]) -> None:
        def take(square: Square) -> None:
            owner = self._presenter.table.view.board.side_at(square)
            if owner is not None and owner is self._presenter.plays_itself:
                self._object(_("The computer knows its own pieces."))
            else:
                choose(square)

        image = self._presenter.table.expected
        self._picker = SquarePicker(image, (heading, detail), take, self.open)
        self._show(self._picker)

    def _object(self, why: str) -> None:
        assert self._picker
        self._picker.detail = why

    def _can(self, square: Square, mistake: Callable[[Square], Correction]) -> bool:
        """Whether this type of mistake is possible for the piece on a square."""
        table = self._presenter.table
        if table.view.board.side_at(square) is None:
            return False
        return table.conversation.can_correct(mistake(table.view.board.piece_at(square)))


# Dialogs for accepting the board as it stands, and for the touch-move rule.


class AdoptBoardDialog(Modal):
    """Lets both sides accept the board as it stands. The referee then continues from there.

    The dialog shows the board, its differences from the referee's position, the side to move, and a
    button for each side to agree.
    """

    image = ObjectProperty(Image())
    expected = ObjectProperty(Image())
    shifted = ListProperty()
    """For each shifted piece, a pair: its square in the referee's position, and its square on the
    board."""
    gone = NumericProperty(0)
    """Bit set of the squares whose pieces have been removed from the board."""
    marked = NumericProperty(0)
    """Bit set of the squares that make it impossible to accept the board as it stands."""
    sentences = ListProperty()
    """Sentences that describe which pieces have been moved or removed."""
    refused = StringProperty()
    """Reason why the board cannot be accepted as it stands, or an empty string."""
    to_move = ObjectProperty(None, allownone=True)
    """The side to move according to the players, or None until they have chosen it."""
    red_agrees = BooleanProperty(False)
    blue_agrees = BooleanProperty(False)

    def __init__(self, presenter: GamePresenter, close: Callable[[], None]) -> None:
        super().__init__()
        self._presenter, self._close = presenter, close
        self.ids.to_move.fill({side: _.language.side(side) for side in Side}, self.choose)
        if offer := presenter.table.adoption.offer:
            self.to_move = offer.to_move
        self.refresh()

    def refresh(self) -> None:
        """Show the current board, or close the dialog if there is nothing left to adopt."""
        table = self._presenter.table
        claim, offer = table.adoption.claim, table.adoption.offer
        if claim is None:
            self._close()
            return
        self.image, self.expected = table.observed or table.expected, table.expected
        if isinstance(claim, AdoptionRejected):
            self.refused, self.marked = _.announcer.sentence(claim), claim.squares
            self.sentences, self.shifted, self.gone = [], [], 0
        else:
            self.refused, self.marked = "", 0
            self.sentences = _.announcer.board.claim(claim.shifted, claim.removed)
            self.shifted = [(shift.source, shift.target) for shift in claim.shifted]
            self.gone = claim.removed
        self.ids.to_move.mark(self.to_move)
        agreed = offer.side if offer and offer.to_move is self.to_move else None
        self.red_agrees, self.blue_agrees = agreed is Side.RED, agreed is Side.BLUE

    def choose(self, to_move: object) -> None:
        self.to_move = to_move
        self.refresh()

    def agree(self, side: Side) -> None:
        if isinstance(self.to_move, Side):
            self._presenter.submit(BoardClaimed(self._presenter.now(), side, self.to_move))

    def agree_text(self, side: Side, agrees: bool) -> str:
        """Return the label of a side's button, or a note that the side has agreed."""
        called = _.language.side(side)
        return _("{side} has agreed", side=called) if agrees else _("{side} agrees", side=called)

    def close(self) -> None:
        self._close()


class TouchedPieceDialog(Modal):
    """Asks the owner, behind a curtain, whether the touched piece can move.

    The screen reacts identically to both answers. The answers are in random order, so the finger's
    position does not reveal the choice either.
    """

    look_away = StringProperty()
    asked = StringProperty()
    first = StringProperty()
    second = StringProperty()
    is_open = BooleanProperty(False)
    heading = AliasProperty(
        lambda self: self.asked if self.is_open else _("Take the screen."),
        bind=["asked", "is_open"],
    )
    advice = AliasProperty(
        lambda self: "" if self.is_open else self.look_away, bind=["is_open", "look_away"]
    )

    def __init__(self, presenter: GamePresenter, close: Callable[[], None]) -> None:
        super().__init__()
        self._presenter, self._close = presenter, close
        view = presenter.table.view
        assert view.excusable is not None
        self._touched = view.plies, view.excusable
        other = presenter.player_name(view.to_move.other)
        self.look_away = _("{name}: look away.", name=other)
        self.asked = _("Can your piece on {square} move?", square=name(view.excusable))
        answers = [(True, _("It can move")), (False, _("It cannot move"))]
        random.SystemRandom().shuffle(answers)
        (self._is_first_able, self.first), (_able, self.second) = answers

    def tick(self, now: float) -> None:
        self.ids.hold.tick(now)

    def hide_ranks(self) -> None:
        if self.is_open:
            self._close()

    def open(self) -> None:
        self.is_open = True

    def close(self) -> None:
        self._close()

    def answer(self, *, is_first: bool) -> None:
        """Close the dialog. If the piece cannot move, its owner may move another one."""
        self._close()
        view, able = self._presenter.table.view, self._is_first_able is is_first
        if not able and (view.plies, view.excusable) == self._touched:
            self._presenter.submit(CommandInput(self._presenter.now(), FreeTouched()))


BESIDE: Final = 150
"""Total height of everything above and below a page's rows, in pixels."""
LARGE_BESIDE: Final = 190
"""Value of `BESIDE` with large text."""
GAP: Final = 10


class IncidentRow(BoxLayout):
    """An incident with its time and text."""

    time = StringProperty()
    when = StringProperty()
    what = StringProperty()

    def measure(self) -> None:
        """Fit the row's height to its text before the row is shown."""
        labels = (self.ids.what, self.ids.when)
        for label in labels:
            label.font_size = round(theme.BODY * theme.GROWTH)
            label.texture_update()
        self.height = sum(label.texture_size[1] for label in labels)


class IncidentsDialog(Modal):
    """A list of the incidents in a game. It opens at the last page."""

    message = StringProperty()
    """Reason why there is no list, or an empty string."""
    number = NumericProperty(0)
    """Index of the open page."""
    count = NumericProperty(1)
    place = AliasProperty(
        lambda self: (
            _("{ply} of {length}", ply=self.number + 1, length=self.count)
            if self.count > 1 and not self.code
            else ""
        ),
        bind=["number", "count", "code"],
    )

    position = StringProperty()
    """The position as text; empty after the game."""
    code = StringProperty()
    """The position as text while its QR code is shown, otherwise empty."""

    def __init__(
        self, archive: Archive, number: int | None, close: Callable[[], None], position: str = ""
    ) -> None:
        """Show the incidents of a stored game. `number` is None if the game is not stored."""
        super().__init__(position=position)
        self._close = close
        self._pages: list[list[IncidentRow]] = [[]]
        if number is None:
            self.message = _("This game is not being saved.")
            return
        try:
            game, incidents = archive.incidents(number)
        except StorageError as error:
            self.message = storage_error_text(error, _.language)
        except JournalError:
            self.message = _("This game cannot be read.")
        else:
            self.message = "" if incidents else _("No incidents so far.")
            control = game.control.under(game.edition.handicap)
            self._pages = _pages([_row(each, control) for each in incidents])
        self.count = len(self._pages)
        self.turn(self.count - 1)

    def turn(self, pages: int) -> None:
        """Go forward by `pages` pages, or back if `pages` is negative."""
        self.number = min(max(self.number + pages, 0), self.count - 1)
        self.code = ""
        self.ids.rows.clear_widgets()
        for row in self._pages[self.number]:
            self.ids.rows.add_widget(row)

    def show_code(self) -> None:
        """Replace the list with the QR code of the position."""
        self.ids.rows.clear_widgets()
        self.code = self.position

    def close(self) -> None:
        """Close the QR code if it is shown, otherwise the dialog."""
        if self.code:
            self.turn(0)
        else:
            self._close()


def _row(incident: Incident, control: TimeControl) -> IncidentRow:
    row = IncidentRow(
        time=clock_text(int(incident.seconds)),
        when=" · ".join(moment_words(incident, control, _.language)),
        what=incident_words(incident, _.announcer),
    )
    row.measure()
    return row


def _pages(rows: Sequence[IncidentRow]) -> list[list[IncidentRow]]:
    """Distribute the rows among pages, as many per page as fit."""
    pages: list[list[IncidentRow]] = [[]]
    whole = room = float(theme.SCREEN[1] - (LARGE_BESIDE if theme.LARGE else BESIDE))
    for row in rows:
        if row.height + GAP > room and pages[-1]:
            pages.append([])
            room = whole
        pages[-1].append(row)
        room -= row.height + GAP
    return pages


load_kv(__file__)
