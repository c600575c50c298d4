"""Setups that are entered on the screen: sealed by commitments, or open to the referee.

The openings of the commitments are stored beside the games file. A piece's opening is needed when
its rank is declared. All openings are needed after the game, when the player proves the army.

The ranks of an open army, or of a person who plays alone, are passed to the referee with the setup,
and the referee uses them for its rulings. The computer may play with blank pieces (`BlankArmy`),
whose ranks only the program knows.
"""

from collections.abc import Callable, Mapping

from companion.core.events import Event
from companion.core.inputs import ArmySealed, CommandInput, MoveDecided, RanksSeen
from companion.opponent.computer_player import ComputerPlayer
from companion.session.game_host import GameHost
from companion.session.session import Session
from companion.session.tabletop import Tabletop, stand, standing_setup
from companion.setups.openings_file import FILE, Openings
from companion.setups.setup import Setup
from engine.board.board import Piece
from engine.board.geometry import Side, Square, SquareSet
from engine.board.ranks import Rank
from engine.board.visibility import Secret
from engine.deduction.commitment import ArmyCommitment, Opening
from engine.game.actions import AnswerGuess, Declare, Move, OpenArmy, UpholdDeclaration
from engine.game.game_state import Phase
from engine.game.rulings import ArmiesPlaced, ArmyOpened


class LocalCommitments:
    """The armies that were sealed on this screen instead of on a phone."""

    def __init__(self, host: GameHost, clock: Callable[[], float]) -> None:
        self._host, self._clock = host, clock
        self._openings = Openings(host.archive.path.with_name(FILE))
        self._proofs: dict[Side, ArmyOpened] = {}
        self._drafts: dict[Side, Setup] = {}
        """Setups for the current game that have been drafted but not sealed."""
        self._sealed: set[ArmyCommitment] = set()
        """All commitments made while the current game was being set up, including replaced ones."""
        self._session: Session | None = None
        host.listen(self._on_event)

    @property
    def problem(self) -> str:
        """The problem with the openings file, as an untranslated sentence, or an empty string."""
        return self._openings.problem

    @property
    def quarantined(self) -> str:
        """New name of a damaged openings file that was quarantined. Empty if no file was."""
        return self._openings.quarantined

    @property
    def proofs(self) -> Mapping[Side, ArmyOpened]:
        """Rulings on the armies proved in this game, on this screen or on a phone."""
        self._forget_other_games()
        return self._proofs

    # Before a game

    def draft(self, side: Side) -> Setup:
        """Return a side's draft. At first, it is the sealed setup or the setup on the board."""
        self._forget_other_games()
        return self._drafts.get(side) or self.sealed(side) or self._standing(side)

    def draw_up(self, side: Side, setup: Setup) -> None:
        """Replace a side's draft. The draft takes effect only when it is sealed."""
        self._forget_other_games()
        self._drafts[side] = setup

    def _forget_other_games(self) -> None:
        """Discard the drafts, commitments and proofs if the session has changed."""
        if self._session is not self._host.session:
            self._session, self._drafts, self._sealed = self._host.session, {}, set()
            self._proofs = {}

    def sealed(self, side: Side) -> Setup | None:
        """Return the setup that a side has sealed on this screen, or None."""
        commitment = self._host.table and self._host.table.commitments.get(side)
        army = self._openings.of_army(commitment) if commitment else {}
        return Setup.of(side, {at: each.rank for at, each in army.items()}) if army else None

    def seal(self, side: Side) -> None:
        """Commit a side to its draft. On a simulated board, also place the pieces."""
        setup = self.draft(side)
        if self._host.tabletop:
            stand(self._host.tabletop, side, setup)
        self._drafts.pop(side, None)
        commitment = self._openings.seal(side, setup)
        self._sealed.add(commitment)
        self._host.submit(ArmySealed(self._clock(), side, commitment))

    def seal_what_stands(self, side: Side) -> None:
        """On a simulated board, commit a side to the setup that was placed by hand."""
        if self._host.tabletop and not self.is_elsewhere(side):
            standing = self._standing(side)
            if standing != self.sealed(side):
                self.draw_up(side, standing)
                self.seal(side)

    def follow_hands(self) -> None:
        """On a simulated board, reseal an army whose pieces were swapped after it was ready.

        Simulated pieces can be swapped so quickly that the table has not yet received the debounced
        change. After the new seal, the side has to report its army as ready again.
        """
        table = self._host.table
        if table is None:
            return
        for side in table.ready:
            if self._standing(side).fits(table.view.edition.army_of(side)):
                self.seal_what_stands(side)

    # In a game

    def is_elsewhere(self, side: Side) -> bool:
        """Whether a side's army was sealed on a phone, so that only the phone can open it."""
        table = self._host.table
        return table is not None and side in table.sealed and self.sealed(side) is None

    def opening(self, side: Side) -> Opening | None:
        """Return the opening for the piece whose rank a side must declare, or None if unknown."""
        table = self._host.table
        if table is None or table.view.opened is None or side not in table.commitments:
            return None
        view = table.view
        asked = table.view.opened[0 if side is view.to_move else 1]
        return self._openings.of_piece(table.commitments[side], view.board.piece_at(asked))

    def declare(self, rank: Secret[Rank]) -> Declare:
        """Return the declaration of a rank. Include the opening of the seal if this host has it."""
        return Declare(rank, self._salt(rank.owner))

    def insist(self, rank: Secret[Rank]) -> UpholdDeclaration:
        """Return the action that stands by a rank. Include the opening if this host has it."""
        return UpholdDeclaration(rank, self._salt(rank.owner))

    def answer_guess(self, side: Side, *, right: bool) -> AnswerGuess:
        """Return a side's answer to a guess. Include the opening if this host has it."""
        opening = self.opening(side)
        return AnswerGuess(right, Secret(side, opening) if opening else None)

    # After a game

    def can_prove(self, side: Side) -> bool:
        """Whether a side can open all its seals on this screen."""
        table = self._host.table
        if side is self._host.hidden_army or self.is_elsewhere(side):
            return False
        return bool(table and table.conversation.can_prove(side))

    def prove(self, side: Side) -> None:
        """Open all seals of a side."""
        assert self._host.table
        army = self._openings.of_army(self._host.table.commitments[side])
        self._host.submit(CommandInput(self._clock(), OpenArmy(side, army)))

    def _salt(self, side: Side) -> Secret[str] | None:
        opening = self.opening(side)
        return Secret(side, opening.salt) if opening else None

    def _standing(self, side: Side) -> Setup:
        tabletop = self._host.tabletop
        return standing_setup(tabletop.board, side) if tabletop else Setup()

    def _on_event(self, event: Event) -> None:
        """Store proofs, and delete openings that are no longer needed.

        Openings of other games are kept, because an unfinished game can be resumed and its army
        proved later.
        """
        if not isinstance(event, ArmiesPlaced | ArmyOpened):
            return
        assert self._host.table
        self._forget_other_games()
        commitments = self._host.table.commitments
        if isinstance(event, ArmyOpened):
            self._proofs[event.side] = event
            self._openings.forget([commitments[event.side]])
        else:
            self._proofs = {}
            self._openings.forget(self._sealed - {*commitments.values()})


class RankReporter:
    """Reports the ranks of open pieces to the referee whenever they change during setup."""

    def __init__(self, host: GameHost, read: Callable[[Side], Mapping[Square, Rank]]) -> None:
        """`read` returns a side's ranks by square, or an empty mapping if they are not known."""
        self._host, self._read = host, read
        self._game: Session | None = None
        self._seen: dict[Side, Mapping[Square, Rank]] = {}
        """Each side's ranks as last reported in the current game."""

    def tick(self, now: float) -> None:
        if self._game is not self._host.session:
            self._game, self._seen = self._host.session, {}
        table = self._host.table
        if table is None or table.view.phase is not Phase.SETUP:
            return
        for side in {self._host.players.alone, table.view.edition.open_side} - {None}:
            assert side
            ranks = self._read(side)
            if ranks != self._seen.get(side, {}):
                self._seen[side] = ranks
                self._host.submit(RanksSeen(now, side, ranks))


class OpenTabletop:
    """Shows an open army on the simulated board and reports its ranks to the referee."""

    def __init__(self, host: GameHost, tabletop: Tabletop) -> None:
        self._host, self._tabletop = host, tabletop
        self._reporter = RankReporter(host, self._standing)

    def tick(self, now: float) -> None:
        """Show the open army of the current game and report its ranks."""
        table = self._host.table
        self._tabletop.show_open(table.view.edition.open_side if table else None)
        self._reporter.tick(now)

    def _standing(self, side: Side) -> Mapping[Square, Rank]:
        return standing_setup(self._tabletop.board, side).on_squares_of(side)


class BlankArmy:
    """The computer's blank pieces, which a person moves."""

    def __init__(self, host: GameHost, seals: LocalCommitments, player: ComputerPlayer) -> None:
        """Use blank pieces in the current game. In a new game, `player` provides the setup."""
        self._host, self._seals, self._player, self._side = host, seals, player, player.side
        self._reporter = RankReporter(host, self._open_ranks)

    def begin(self) -> None:
        """Seal the setup of a new game."""
        table = self._host.table
        if table and table.view.phase is Phase.SETUP:
            self._seals.draw_up(self._side, Setup.of(self._side, self._player.setup))
            self._seals.seal(self._side)

    def tick(self, now: float) -> None:
        """Report the ranks of an open army. After the game, open the seals."""
        self._reporter.tick(now)
        if self._seals.can_prove(self._side):
            self._seals.prove(self._side)

    def _open_ranks(self, side: Side) -> Mapping[Square, Rank]:
        return self.ranks if side is self._side else {}

    @property
    def ranks(self) -> Mapping[Piece, Rank]:
        """The sealed ranks. Empty if the openings of the seals have been lost."""
        setup = self._seals.sealed(self._side)
        return setup.on_squares_of(self._side) if setup else {}

    def rank_of(self, piece: Piece) -> Rank | None:
        """Return the rank of one of the computer's pieces, or None for the person's pieces."""
        return self.ranks.get(piece)

    @property
    def is_set_up(self) -> bool:
        """Whether every square of the setup has a blank piece and no piece is misplaced."""
        table = self._host.table
        assert table
        is_sealed = self._side in table.sealed
        is_complete = not table.unsealed(self._side) and not table.setup.astray
        return is_sealed and is_complete

    @property
    def aside(self) -> SquareSet:
        """Always empty. The sensors cannot tell where a missing piece is."""
        return 0

    def move(self, now: float, move: Move) -> None:
        """Make a move, which the person must carry out on the board."""
        self._host.submit(MoveDecided(now, move.source, move.target))

    def tidy(self) -> None:
        """Do nothing, because only the person can correct the board."""
