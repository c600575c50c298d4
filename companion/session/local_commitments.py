"""Commitments made at the screen: drafting, sealing, and opening them.

The openings are stored beside the games. An opening is used only when its piece is declared. All
openings are used only when the game is over and the player wants to prove the army.
"""

from collections.abc import Callable

from companion.core.events import Event
from companion.core.inputs import ArmySealed, CommandInput
from companion.session.game_host import GameHost
from companion.session.session import Session
from companion.session.tabletop import stand, standing_setup
from companion.setups.openings_file import FILE, Openings
from companion.setups.setup import Setup
from engine.board.geometry import Side
from engine.board.ranks import Rank
from engine.board.visibility import Secret
from engine.deduction.commitment import ArmyCommitment, Opening
from engine.game.actions import AnswerGuess, Declare, OpenArmy, UpholdDeclaration
from engine.game.rulings import ArmiesPlaced, ArmyOpened


class LocalCommitments:
    """The armies that were sealed at this screen and not on a phone."""

    def __init__(self, host: GameHost, clock: Callable[[], float]) -> None:
        self._host, self._clock = host, clock
        self._openings = Openings(host.archive.path.with_name(FILE))
        self.proofs: dict[Side, ArmyOpened] = {}
        """The rulings on all armies proved in this game, at this screen or on a phone."""
        self._drafts: dict[Side, Setup] = {}
        """The setups in this session's game that are drafted but not sealed yet."""
        self._sealed: set[ArmyCommitment] = set()
        """The commitments made while this session's game was set up; the latest ones count."""
        self._session: Session | None = None
        host.listen(self._on_event)

    @property
    def problem(self) -> str:
        """The error of the openings file: one sentence, not yet translated."""
        return self._openings.problem

    @property
    def quarantined(self) -> str:
        """The new name of a damaged openings file that was quarantined."""
        return self._openings.quarantined

    # Before a game

    def draft(self, side: Side) -> Setup:
        """Return a side's draft, by default the sealed setup or the one on the board."""
        self._forget_other_games()
        return self._drafts.get(side) or self.sealed(side) or self._standing(side)

    def draw_up(self, side: Side, setup: Setup) -> None:
        """Replace the draft, which takes effect only when it is sealed."""
        self._forget_other_games()
        self._drafts[side] = setup

    def _forget_other_games(self) -> None:
        """Forget the drafts and commitments of an earlier session."""
        if self._session is not self._host.session:
            self._session, self._drafts, self._sealed = self._host.session, {}, set()

    def sealed(self, side: Side) -> Setup | None:
        """Return the setup that a side has sealed here, or None."""
        commitment = self._host.table and self._host.table.commitments.get(side)
        army = self._openings.of_army(commitment) if commitment else {}
        return Setup.of(side, {at: each.rank for at, each in army.items()}) if army else None

    def seal(self, side: Side) -> None:
        """Commit a side to its draft, and place the draft on a simulated board."""
        setup = self.draft(side)
        if self._host.tabletop:
            stand(self._host.tabletop, side, setup)
        self._drafts.pop(side, None)
        commitment = self._openings.seal(side, setup)
        self._sealed.add(commitment)
        self._host.submit(ArmySealed(self._clock(), side, commitment))

    def seal_what_stands(self, side: Side) -> None:
        """Commit a side to the setup that was placed by hand on a simulated board."""
        if self._host.tabletop and not self.is_elsewhere(side):
            standing = self._standing(side)
            if standing != self.sealed(side):
                self.draw_up(side, standing)
                self.seal(side)

    def follow_hands(self) -> None:
        """On a simulated board, reseal an army if pieces were swapped after it was ready.

        Hands on a simulated board can be faster than the board's confirmation of a change. The side
        has to declare itself ready again.
        """
        table = self._host.table
        if table is None:
            return
        for side in table.ready:
            if self._standing(side).fits(table.view.edition.army_of(side)):
                self.seal_what_stands(side)

    # In a game

    def is_elsewhere(self, side: Side) -> bool:
        """Whether a side was sealed on a phone, which has its openings."""
        table = self._host.table
        return table is not None and side in table.sealed and self.sealed(side) is None

    def opening(self, side: Side) -> Opening | None:
        """Return the opening of the piece that a side has to declare, if available here."""
        table = self._host.table
        if table is None or table.view.opened is None or side not in table.commitments:
            return None
        view = table.view
        asked = table.view.opened[0 if side is view.to_move else 1]
        return self._openings.of_piece(table.commitments[side], view.board.piece_at(asked))

    def declare(self, rank: Secret[Rank]) -> Declare:
        """Return the declaration of a rank, with the opening of its seal."""
        return Declare(rank, self._salt(rank.owner))

    def insist(self, rank: Secret[Rank]) -> UpholdDeclaration:
        """Return the action that upholds a declared rank, with the opening of its seal."""
        return UpholdDeclaration(rank, self._salt(rank.owner))

    def answer_guess(self, side: Side, *, right: bool) -> AnswerGuess:
        """Return the owner's answer to a guess, with the opening of the piece's seal."""
        opening = self.opening(side)
        return AnswerGuess(right, Secret(side, opening) if opening else None)

    # After a game

    def can_prove(self, side: Side) -> bool:
        """Whether a side can open all its seals here."""
        table = self._host.table
        return bool(table and table.conversation.can_prove(side)) and not self.is_elsewhere(side)

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

        The armies of other games are kept: an unfinished game can be resumed, and then proved.
        """
        if not isinstance(event, ArmiesPlaced | ArmyOpened):
            return
        assert self._host.table
        self._forget_other_games()
        commitments = self._host.table.commitments
        if isinstance(event, ArmyOpened):
            self.proofs[event.side] = event
            self._openings.forget([commitments[event.side]])
        else:
            self.proofs = {}
            self._openings.forget(self._sealed - {*commitments.values()})
