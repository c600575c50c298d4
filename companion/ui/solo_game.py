"""Games between a person and the computer."""

from collections.abc import Mapping
from itertools import chain

from companion.opponent.computer_player import ComputerPlayer
from companion.opponent.levels import Level
from companion.session.computer_side import ComputerSide, Decision, Worker
from companion.session.game_host import GameHost
from companion.session.screen_setups import BlankArmy, LocalCommitments
from companion.session.session import Session
from companion.session.tabletop import Tabletop, stand, standing_setup
from companion.setups.setup import Setup
from engine.board.board import Piece
from engine.board.geometry import Side, Square, SquareSet, set_of, squares_in
from engine.board.ranks import Rank
from engine.game.actions import Move
from engine.game.game_state import Phase
from firmware_bridge.simulated_board.board import PhysicalPiece as Wood


class PieceRestorer:
    """Sets up the simulated board for the current game after a restart or a calibration."""

    def __init__(self, host: GameHost, tabletop: Tabletop) -> None:
        self._host, self._tabletop = host, tabletop
        self._game: Session | None = None
        self._was_calibrating = False

    def tick(self) -> None:
        """Restore the board when another game has been opened, and clear it after a calibration."""
        if self._game is not self._host.session:
            if self._game and self._game.table.view.phase is Phase.SETUP:
                self._tabletop.clear()
            self._game = self._host.session
            self._restore()
        is_calibrating = self._host.calibrating is not None
        if self._was_calibrating and not is_calibrating:
            self._tabletop.clear()
        self._was_calibrating = is_calibrating

    def _restore(self) -> None:
        table = self._host.table
        if table is None or table.view.phase is Phase.SETUP or self._tabletop.standing.occupied:
            return
        self._tabletop.clear()
        self._host.restore_pieces()


class VirtualHands:
    """Handles both armies on the simulated board, where the ranks are printed on the pieces."""

    def __init__(self, host: GameHost, tabletop: Tabletop, player: ComputerPlayer) -> None:
        self._host, self._tabletop, self._player = host, tabletop, player
        self._person = player.side.other
        self._pieces: dict[Piece, Wood] = {}

    def begin(self) -> None:
        """Place both armies for a new game. The person may rearrange their own army."""
        player, table = self._player, self._host.table
        if table is None or table.view.phase is not Phase.SETUP:
            return
        suggested = ComputerPlayer(player.edition, self._person, player.level, player.seed)
        self._tabletop.clear()
        self._tabletop.stand(self._person, suggested.setup)
        self._keep_setup()

    def tick(self, _now: float) -> None:
        """Keep every piece on the square that it occupies in the game."""
        table = self._host.table
        assert table
        self._tabletop.safe = 0
        if table.view.phase is Phase.SETUP:
            self._keep_setup()
        elif not self._pieces:
            self._identify_pieces()
        else:
            self._keep_in_place()

    def _keep_setup(self) -> None:
        """Before the game, keep the computer's army in its setup, where no hand can change it."""
        tabletop, player = self._tabletop, self._player
        if standing_setup(tabletop.board, player.side) != Setup.of(player.side, player.setup):
            stand(tabletop, player.side, Setup.of(player.side, player.setup))
        tabletop.fixed = tabletop.safe = set_of(player.setup)

    def _keep_in_place(self) -> None:
        """Undo swaps of pieces, and make the computer's pieces immovable.

        The sensors cannot detect that two pieces have been swapped. Each of them would then show a
        different rank from the one that the referee uses.
        """
        tabletop, table = self._tabletop, self._host.table
        assert table
        wanted = self._expected_pieces()
        right = set_of(at for at, wood in wanted.items() if tabletop.board.at(at) is wood)
        is_played = table.view.phase is not Phase.OVER
        tabletop.fixed = right & table.view.board.of(self._player.side) if is_played else 0
        is_exchanged = tabletop.standing == table.expected and right.bit_count() < len(wanted)
        if is_exchanged and not tabletop.is_held:
            tabletop.arrange(wanted)

    def _expected_pieces(self) -> dict[Square, Wood]:
        """Return the simulated piece that belongs on each occupied square."""
        assert self._host.table
        board = self._host.table.view.board
        return {at: self._pieces[board.piece_at(at)] for at in squares_in(board.occupied)}

    def _identify_pieces(self) -> None:
        """Match the simulated pieces to the pieces in the game.

        If the board differs from the game, restore it first.
        """
        table = self._host.table
        assert table
        if self._tabletop.standing != table.expected:
            self._tabletop.clear()
            self._host.restore_pieces()
        board = table.view.board
        for square in squares_in(board.occupied):
            wood = self._tabletop.board.at(square)
            assert wood
            self._pieces[board.piece_at(square)] = wood

    # Actions by the computer.

    @property
    def ranks(self) -> Mapping[Piece, Rank]:
        """The ranks printed on the computer's pieces; empty until the setup is complete."""
        table = self._host.table
        is_set_up = table is not None and table.view.phase is not Phase.SETUP
        return self._host.printed(self._player.side) if is_set_up else {}

    @property
    def is_set_up(self) -> bool:
        """Whether the sensors detect the computer's complete army, and no misplaced piece."""
        assert self._host.table
        setup, side = self._host.table.setup, self._player.side
        army = self._host.table.view.edition.army_of(side)
        standing = setup.red if side is Side.RED else setup.blue
        return standing == army.size and not setup.astray

    def rank_of(self, piece: Piece) -> Rank | None:
        """Return the rank printed on a piece, or None if unknown."""
        return self._host.printed_on(piece)

    @property
    def aside(self) -> SquareSet:
        """Squares whose pieces lie beside the simulated board."""
        table = self._host.table
        assert table
        missing = table.expected.occupied & ~self._tabletop.standing.occupied
        if not missing or not self._pieces:
            return 0
        beside = {*chain.from_iterable(self._tabletop.beside.values())}
        expected = self._expected_pieces()
        return set_of(at for at in squares_in(missing) if expected.get(at) in beside)

    def move(self, _now: float, move: Move) -> None:
        """Move a piece on the simulated board. The sensors detect the move like any other."""
        self._tabletop.move(move.source, move.target)

    def tidy(self) -> None:
        """Restore the expected board, unless a piece is being held."""
        if self._pieces and not self._tabletop.is_held:
            self._tabletop.arrange(self._expected_pieces())


class SoloGame:
    """Runs the computer's side if the current game has a single human player."""

    def __init__(self, host: GameHost, seals: LocalCommitments, worker: Worker[Decision]) -> None:
        self._host, self._seals, self._worker = host, seals, worker
        self._game: Session | None = None
        self._hands: VirtualHands | BlankArmy | None = None
        self._computer: ComputerSide | None = None

    def tick(self, now: float) -> None:
        """Perform the computer's actions that are due."""
        if self._game is not self._host.session:
            self._game = self._host.session
            self._begin()
        if self._computer is None or self._hands is None or self._host.unsaved:
            return
        self._hands.tick(now)
        self._computer.tick(now)

    @property
    def declines_draw(self) -> bool:
        """Whether the computer has declined the pending draw offer."""
        return self._computer is not None and self._computer.declines_draw

    def _begin(self) -> None:
        self._worker.drop()
        self._hands = self._computer = None
        table, person, tabletop = self._host.table, self._host.players.alone, self._host.tabletop
        if tabletop:
            tabletop.alone, tabletop.fixed, tabletop.safe = person if table else None, 0, 0
        if table is None or person is None:
            return
        level = self._host.players.level or Level.CADET
        # The game's seed is public, because every trace contains it. It must therefore not reveal
        # the setup.
        player = ComputerPlayer(table.view.edition, person.other, level, self._host.draw())
        self._hands = (
            VirtualHands(self._host, tabletop, player)
            if tabletop
            else BlankArmy(self._host, self._seals, player)
        )
        self._hands.begin()
        self._computer = ComputerSide(
            table, player, self._hands, self._seals, self._worker, self._host.submit
        )
