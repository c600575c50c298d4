"""The host, which connects the board, the current game and the screens to one another.

The user interface calls `poll` repeatedly. The host does not know how games are displayed.
"""

import logging
import math
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Final, Protocol, TypeAlias

from companion.core.events import ColoursDrawn, Event
from companion.core.game_context import Step
from companion.core.game_options import draw_colours
from companion.core.inputs import BoardFound, BoardLost, BoardSeen, Input, TimePassed
from companion.core.table import Table
from companion.devices.lamps import highlights_of, squares_to_light
from companion.reports.replay import Archive
from companion.session.session import Session
from companion.session.tabletop import Dealt, Tabletop, deal_again, placed_pieces
from companion.storage.errors import JournalError, StorageError
from companion.storage.game_rows import NO_NAMES, PlayerNames
from companion.storage.journal import SavedGame
from companion.storage.journal_provider import JournalProvider, QuarantinedFile
from companion.storage.printed_pieces import PrintedPieces
from engine.board.board import Piece
from engine.board.geometry import Side, Square, SquareSet, squares_in
from engine.board.ranks import SYMBOLS, Rank
from engine.game.clocks import NO_CLOCK, TimeControl
from engine.game.game_state import Phase
from engine.game.rulings import ArmiesPlaced
from engine.rules.editions import Edition
from firmware_bridge.camera.notices import Notice, Preview
from firmware_bridge.image import Image
from firmware_bridge.link import Connected, LinkError, Statistics
from firmware_bridge.link import Event as LinkEvent
from firmware_bridge.sensing.sensing_limits import SENSING_LIMITS
from firmware_bridge.simulated_board.board import SimulatedBoard
from firmware_bridge.simulated_board.port import SimulatedPort
from firmware_bridge.wire import CalibrationStep, HostCommand

if TYPE_CHECKING:  # not imported at runtime, because most games are not recorded
    from companion.recorder.recorder import TraceObserver

log = logging.getLogger(__name__)


class BoardSource(Protocol):
    """Interface to a board. The implementation is `companion.devices.live_board.LiveBoard`."""

    @property
    def error(self) -> LinkError | None:
        """Reason why no board is connected, if known."""

    @property
    def simulated(self) -> SimulatedBoard | None:
        """The simulated board, or None for a real board."""

    @property
    def simulated_port(self) -> SimulatedPort | None:
        """The port of the simulated board, or None for a real board."""

    @property
    def connected(self) -> Connected | None:
        """The identification of the connected board, or None if no board is connected."""

    def poll(self) -> Iterable[Input]:
        """Return the inputs since the last call, oldest first."""

    def wait(self, seconds: float) -> None:
        """Wait up to the given time for new input."""

    @property
    def statistics(self) -> Statistics:
        """The link's counters since the program started."""

    def watch(self, watcher: Callable[[float, LinkEvent], None] | None) -> None:
        """Call `watcher` from within `poll` with everything that the board sends.

        If a board is already connected, `watcher` first receives its identification. Pass None to
        stop the calls.
        """

    def send(self, command: HostCommand) -> bool:
        """Send a command to the board without blocking. Return False if no board is connected."""

    def release_port(self) -> None:
        """Release the board's port for another program until `reopen` is called."""

    def reopen(self) -> None:
        """Reconnect to the board."""

    def set_lamps(self, squares: SquareSet) -> None:
        """Light the edge lamps of these squares, and no others."""

    def set_field_polling(self, *, seeks: bool) -> None:
        """Request field readings. If `seeks` is set, the board searches for a misplaced piece."""


class CameraFeed(Protocol):
    """Interface to the camera behind a board.

    The implementation is `firmware_bridge.camera.camera_port.CameraPort`.
    """

    @property
    def notice(self) -> Notice | None:
        """The condition that the players have to correct, or None."""

    @property
    def is_connected(self) -> bool:
        """Whether the camera delivers images."""

    def preview(self) -> Preview | None:
        """Return the latest image, overlaid with all detections, or None if there is no image."""


Submit: TypeAlias = Callable[[Input], Step | None]
"""Passes an input to the table. Returns the result, or None if the result could not be saved."""


class FarArbiter(Protocol):
    """Interface to an arbiter on another computer, implemented by `HallUplink`."""

    def carry_out(self, at: float, game: int | None, table: Table, submit: Submit) -> None:
        """Submit the decisions that the arbiter has made about game `game` since the last call."""


LONGEST_CODE: Final = 600
"""Maximum length of a position's text. Phones cannot read the QR code of any longer text."""


class GameHost:
    """Holds the board and its current game, if any."""

    def __init__(
        self,
        journals: JournalProvider,
        source: BoardSource,
        clock: Callable[[], float],
        draw: Callable[[], int],
        recorder: "TraceObserver | None" = None,
    ) -> None:
        """`draw` returns a seed for a new game or for the random assignment of colours.

        If a recorder is given, it records every game.
        """
        self._recorder = recorder
        self.source = source
        self.session: Session | None = None
        self.far_arbiter: FarArbiter | None = None
        self.camera: CameraFeed | None = None
        """The camera that watches the board, or None for a board with sensors."""
        self.camera_notice: Notice | None = None
        """The camera notice that is currently shown."""
        self.seed = 0
        self.problem: StorageError | None = None
        """The latest error in reading or saving games while there is no current game."""
        self.found: BoardFound | None = None
        """The board's identification, or None while no board is connected."""
        self.seen = Image()
        self.calibrating: CalibrationStep | None = None
        """The calibration step that waits for a person to handle the pieces, or None."""
        self.tried: Square | None = None
        """The square whose lamps are being tested while there is no game, or None."""
        self.changes = 0
        """Counter that is incremented whenever there is something new to show."""
        self._lit_in_game: SquareSet = 0
        """Squares that the edge lamps mark during a game."""
        self._is_seeking = False
        """Whether the board must search for a piece."""
        self._computed_for = -1
        """Value of `changes` at which the lamps and the search were last updated."""
        self._error: LinkError | None = None
        self._printed_ranks = PrintedPieces(journals.path) if source.simulated else None
        self._printed: dict[Piece, Rank] = {}
        """The known printed ranks of the current game."""
        self._journals = journals
        self._clock = clock
        self.draw = draw
        """Function that returns a seed for a random choice."""
        self._latest = clock()
        self._last_frame_at = -math.inf
        self._listeners: list[Callable[[Event], None]] = []
        self.tabletop = Tabletop(source.simulated) if source.simulated else None
        """The simulated board with its hands, or None for a real board."""
        self.archive = Archive(journals)
        self.kept: SavedGame | None = None
        """The unfinished game that can be resumed while there is no current game."""
        self._find_resumable()

    @property
    def number(self) -> int | None:
        """Number of the game in the journal, or None if nothing of the game has been saved."""
        return self.session.number if self.session else None

    @property
    def position_text(self) -> str:
        """The public position as text. Empty if its QR code is too large for a phone."""
        text = self.table.referee.to_text() if self.table else ""
        return text if len(text) <= LONGEST_CODE else ""

    @property
    def unsaved(self) -> StorageError | None:
        """The error that prevents the latest events from being saved, or None.

        Unsaved events are not shown.
        """
        return self.session.error if self.session else None

    @property
    def keeps(self) -> bool:
        """Whether the current game is saved. Between games, whether the next game will be saved."""
        return self.session.is_persistent if self.session else self._journals.keeps

    @property
    def hidden_army(self) -> Side | None:
        """The computer's side, if a person may still continue the game after its end.

        This is so if saving has failed in the middle of the game: the game can then be continued
        from its last saved state. A person who has seen the computer's ranks must not do that.
        """
        return None if self.keeps or self.number is None else self.players.computer

    @property
    def quarantined(self) -> QuarantinedFile | None:
        """The unusable games file that has been quarantined, or None."""
        return self._journals.quarantined

    @property
    def players(self) -> PlayerNames:
        return self.session.players if self.session else NO_NAMES

    @property
    def table(self) -> Table | None:
        return self.session.table if self.session else None

    @property
    def is_in_hall(self) -> bool:
        """Whether the table belongs to a hall, so that an arbiter can be called."""
        return self.far_arbiter is not None

    def listen(self, listener: Callable[[Event], None]) -> None:
        """Call `listener` for every event of every game."""
        self._listeners.append(listener)

    def begin(
        self, edition: Edition, control: TimeControl = NO_CLOCK, players: PlayerNames = NO_NAMES
    ) -> None:
        """Start a new game. Unfinished games can still be resumed later.

        The new game is not saved if the journal cannot be opened or written.
        """
        seed = self.draw()
        journal = self._journals.journal() if self._journals.keeps else None
        self._open(lambda: Session.begin(journal, edition, seed, control, players), seed)

    def draw_colours(self, one: str, other: str) -> ColoursDrawn:
        """Assign the colours to two people at random, and announce the result."""
        lot = draw_colours(one, other, self.draw)
        self._on_event(lot)
        return lot

    def resume(self, number: int | None = None) -> None:
        """Resume the unfinished game with this number, or the latest one by default."""
        journal = self._journals.journal()
        kept = self.kept if number is None else self._find_unfinished(number)
        if kept:
            self._open(lambda: Session.resume(journal, kept), kept.beginning.seed)

    def _find_unfinished(self, number: int) -> SavedGame | None:
        try:
            return self._journals.journal().unfinished(number)
        except (JournalError, StorageError) as error:
            log.error("%s", error)
            return None

    def leave(self) -> None:
        """Leave the game. If it is unfinished, it can be resumed from its last saved state."""
        self.changes += 1
        self.session = None
        self._find_resumable()

    def retry_save(self) -> None:
        """Try again to save the unsaved events."""
        assert self.session
        self.changes += 1
        with suppress(StorageError):  # the property `unsaved` returns the error
            self.session.retry_save()

    def continue_unsaved(self) -> None:
        """Continue this game without saving it from now on."""
        assert self.session
        self.changes += 1
        self.session.continue_unsaved()

    def look_again(self) -> None:
        """Try again to open the journal, and look for a game to resume."""
        self.changes += 1
        self._journals.close()
        self._find_resumable()

    def printed(self, side: Side) -> Dealt:
        """Return the ranks printed on a side's pieces on a simulated board.

        If the ranks were not saved, new ranks that are consistent with the game so far are dealt.
        """
        assert self.table
        placed = list(squares_in(placed_pieces(self.table.referee, side)))
        if any(piece not in self._printed for piece in placed):
            self._printed |= deal_again(self.table.referee, side, self.seed)
        return {piece: self._printed[piece] for piece in placed}

    def restore_pieces(self) -> None:
        """Place the simulated pieces on their squares in the game."""
        assert self.table
        assert self.tabletop
        board = self.table.view.board
        ranks = {side: self.printed(side) for side in Side}
        self.tabletop.restore(
            {
                square: (side, ranks[side][board.piece_at(square)])
                for side in Side
                for square in squares_in(board.of(side))
            }
        )

    def printed_on(self, piece: Piece) -> Rank | None:
        """Return the rank printed on a piece of the simulated board, or None if unknown."""
        return self._printed.get(piece)

    def submit(self, received: Input) -> Step | None:
        """Pass an input to the table. Return the result, or None if it could not be saved.

        An input from the board carries its arrival time. A touch with a slightly later time may
        already have been handled. In that case, the input is given the time of the touch.
        """
        self._latest = max(self._latest, received.at)
        if self.session is None:
            self.changes += 1
            return None
        if received.at < self._latest:
            received = replace(received, at=self._latest)
        try:
            step = self.session.handle(received)
        except StorageError as error:
            log.error("%s", error)
            self.changes += 1  # the property `unsaved` returns the error
            return None
        self.changes += step.is_news
        return None if self.unsaved else step

    def wait(self, seconds: float) -> None:
        """Wait up to the given time for new input from the board."""
        if seconds:
            self.source.wait(seconds)

    def poll(self) -> None:
        """Pass to the table what the board has sent since the last call.

        While frames arrive, their timestamps drive the table's clock.
        """
        if self._error is not self.source.error:
            self._error = self.source.error
            self.changes += 1
        if self.camera and self.camera_notice != self.camera.notice:
            self.camera_notice = self.camera.notice
            self.changes += 1
        for received in self.source.poll():
            is_new = self._remember(received)
            if is_new or self.session:
                self.submit(received)
        now = self._clock()
        if self.far_arbiter and self.table:
            self.far_arbiter.carry_out(now, self.number, self.table, self.submit)
        due = self.table.next_deadline if self.table else None
        is_heard = now - self._last_frame_at < SENSING_LIMITS.steady_frame_gap_seconds
        if due is not None and due <= max(now, self._latest) and not is_heard:
            self.submit(TimePassed(now))
        if self.table is None:
            self.source.set_lamps(0 if self.tried is None else 1 << self.tried)
            return
        if self._computed_for != self.changes:
            self._update_lamps(self.table)
        self.source.set_lamps(self._lit_in_game)
        self.source.set_field_polling(seeks=self._is_seeking)

    def _update_lamps(self, table: Table) -> None:
        """Update the lamps and the search for pieces. Unsaved events do not light any lamps."""
        self._computed_for = self.changes
        self._lit_in_game = 0 if self.unsaved else squares_to_light(highlights_of(table))
        self._is_seeking = table.is_seeking

    def _remember(self, received: Input) -> bool:
        """Store an input from the board. Return whether it has any effect."""
        match received:
            case BoardFound():
                self.found = received
            case BoardLost():
                self.found = None
            case BoardSeen():
                before, self.seen, self._last_frame_at = self.seen, received.image, received.at
                return received.image != before
        return True

    def _open(self, session: Callable[[], Session], seed: int) -> None:
        self.changes += 1
        try:
            self.session = session()
        except StorageError as error:
            self._report(error)
            return
        self.seed = seed
        self._printed = self._read_printed()
        self.session.listen(self._on_event)
        if self._recorder:
            self.session.record(self._recorder)
        # The table needs the board's identification, which arrived before this game started.
        if self.found:
            now = self._clock()
            self.submit(replace(self.found, at=now))
            self.submit(BoardSeen(now, self.seen))

    def _read_printed(self) -> dict[Piece, Rank]:
        """Return the printed ranks that were saved with a resumed game."""
        table = self.table
        if not (self._printed_ranks and table) or table.view.phase is Phase.SETUP:
            return {}
        placed = (placed_pieces(table.referee, side) for side in Side)
        if self.number is not None:
            with suppress(JournalError, StorageError):
                begun = self._journals.journal().transcript(self.number).begun
                return self._printed_ranks.of(self.number, reduce(or_, placed), begun) or {}
        return {}

    def _on_event(self, event: Event) -> None:
        if isinstance(event, ArmiesPlaced):
            self._save_printed()
        for listener in self._listeners:
            listener(event)

    def _save_printed(self) -> None:
        simulated_board = self.source.simulated
        if not (self._printed_ranks and simulated_board and self.table):
            return
        standing = {at: simulated_board.at(at) for at in squares_in(self.table.view.board.occupied)}
        self._printed = {
            at: SYMBOLS[piece.label]
            for at, piece in standing.items()
            if piece and piece.label in SYMBOLS
        }
        if self.number is not None:
            with suppress(JournalError, StorageError):
                begun = self._journals.journal().transcript(self.number).begun
                self._printed_ranks.keep(self.number, self._printed, begun)

    def _report(self, error: StorageError) -> None:
        """Store an error for display on the screens, and log it with the system's message."""
        self.problem = error
        log.error("%s", error)

    def _find_resumable(self) -> None:
        self.kept = self.problem = None
        try:
            journal = self._journals.journal()
            if self._journals.error:
                self._report(self._journals.error)
            self.kept = journal.unfinished()
        except StorageError as error:
            self._report(error)
