"""Simulated people who move pieces by hand and give commands.

These people know the ranks printed on the pieces, and by default answer the table's questions
truthfully.
"""

import random
from collections.abc import Callable, Mapping
from dataclasses import replace
from enum import Enum
from typing import Final, Protocol, TypeAlias

from companion.core import inputs
from companion.core.events import Event, RankAsked
from companion.core.state import AwaitingAnswer, Candidate
from companion.core.table import Table
from companion.simulator.random_games import Turn
from engine.board.board import Piece
from engine.board.geometry import NEIGHBOURS, Side, Square, squares_in
from engine.board.ranks import IMMOBILE, Rank
from engine.board.visibility import Secret
from engine.deduction.commitment import SALT_BYTES, ArmyCommitment, Opening
from engine.game import actions
from engine.game.game_state import Phase
from engine.game.rulings import Combat, GameOver, Infiltrated, Moved, Ruling
from engine.game.views import PublicView
from firmware_bridge.image import compare
from firmware_bridge.simulated_board.board import SimulatedBoard
from firmware_bridge.simulated_board.hands import Hands


class AtTable(Protocol):
    """A game in progress: a `Session`, or an object that represents several sessions."""

    @property
    def table(self) -> Table: ...

    def handle(self, received: inputs.Input) -> object:
        """Feed an input to the game."""

    def listen(self, listener: Callable[[Event], None]) -> None:
        """Call `listener` with every event from now on."""


class AtBoard(Protocol):
    """A board that people can play on. Time passes only when the people advance it."""

    @property
    def session(self) -> AtTable:
        """The game played on the board."""

    @property
    def board(self) -> SimulatedBoard: ...

    @property
    def hands(self) -> Hands: ...

    @property
    def now(self) -> float:
        """The current time in seconds, by the clock that the table uses."""

    @property
    def is_plugged_in(self) -> bool: ...

    def pass_time(self, milliseconds: int) -> None: ...

    def wait_for(self, wanted: Callable[[], bool], limit_ms: int) -> bool:
        """Advance the time until a condition holds.

        Return False if the condition does not hold within `limit_ms`.
        """


# Army commitments for a game with sealed armies.


def opening(piece: Piece, rank: Rank) -> Opening:
    """Return the opening of a piece's commitment.

    The salts are not random, because a resumed game has to reproduce them. Simulated players have
    no secrets to protect.
    """
    return Opening(rank, piece.to_bytes(SALT_BYTES, "big").hex())


def commitment(side: Side, ranks: Mapping[Piece, Rank]) -> ArmyCommitment:
    return ArmyCommitment.of(side, {piece: opening(piece, rank) for piece, rank in ranks.items()})


# People.

THINK_MS: Final = 700
"""Time, in milliseconds, that a player takes to respond to the screen. Estimated, not measured."""
PATIENCE_MS: Final = 5_000
"""Time, in milliseconds, that the players wait for the table before counting an action as missed.
"""
_LONGEST_RECOVERY: Final = 5
"""Maximum number of take-backs needed to return from the end of a game, or from a pending decision,
to a player's turn."""

Result: TypeAlias = Moved | Combat | Infiltrated | GameOver
"""A ruling that gives the result of a turn."""


class Style(Enum):
    """Ways to make an attack."""

    IN_HAND = "both in hand"
    SET_DOWN = "set down on it"
    ON_SCREEN = "opened on the screen"


class People:
    """The two players of a game, and the arbiter."""

    def __init__(self, at: AtBoard, ranks: Mapping[Piece, Rank]) -> None:
        """Prepare to play on a board whose pieces have these ranks."""
        self.at = at
        self.table = at.session.table
        self.referee = self.table.referee
        self.heard: list[Result] = []
        """The table's rulings since the list was last cleared."""
        self.made: list[Turn] = []
        """Turns made or attempted by hand, most recent last."""
        self.prompts = 0
        """Number of times the table asked for a rank."""
        self._ranks = ranks
        at.session.listen(self._on_event)

    def _on_event(self, event: Event) -> None:
        if isinstance(event, RankAsked):
            self.prompts += 1
        elif result := results_of((event,)):
            self.heard += result

    def submit(self, what: actions.Action | inputs.Command) -> None:
        """Enter a command on the screen.

        With sealed armies, the opening is sent with the command.
        """
        self.touch(lambda at: inputs.CommandInput(at, self._with_opening(what)))

    def be_ready(self, side: Side) -> None:
        """Report that an army is set up. If the game requires it, commit to the army first."""
        if self.referee.edition.sealed_armies and self.referee.phase is Phase.SETUP:
            ranks = {at: rank for at, rank in self._ranks.items() if side.home >> at & 1}
            self.touch(lambda at: inputs.ArmySealed(at, side, commitment(side, ranks)))
        self.submit(inputs.Ready(side))

    def prove(self, side: Side) -> None:
        """Open all commitments of a side after a game."""
        ranks = {at: rank for at, rank in self._ranks.items() if side.home >> at & 1}
        self.submit(actions.OpenArmy(side, {at: opening(at, rank) for at, rank in ranks.items()}))

    def touch(self, make_input: Callable[[float], inputs.Input]) -> None:
        """After the thinking time, touch the screen as soon as it accepts touches."""
        self.at.pass_time(THINK_MS)
        self.at.wait_for(lambda: self.at.is_plugged_in, PATIENCE_MS)
        self.at.session.handle(make_input(self.at.now))

    def wait_for(self, wanted: Callable[[], bool]) -> bool:
        """Wait for a condition, but no longer than people would.

        Return False if it is not met in that time.
        """
        return self.at.wait_for(wanted, PATIENCE_MS)

    @property
    def view(self) -> PublicView:
        return self.table.view

    def rank_at(self, square: Square) -> Rank:
        return self._ranks[self.referee.position.board.piece_at(square)]

    def _with_opening(
        self, action: actions.Action | inputs.Command
    ) -> actions.Action | inputs.Command:
        """If a command concerns a sealed piece, add the opening of its commitment."""
        attack, guess, board = self.referee.open_attack, self.referee.open_guess, self.view.board
        match action:
            case actions.Declare() | actions.UpholdDeclaration() if (
                attack and action.rank.owner in self.view.sealed
            ):
                owner = action.rank.owner
                piece = board.piece_at(attack.square(owner))
                salt = opening(piece, self._ranks[piece]).salt
                return replace(action, salt=Secret(owner, salt))
            case actions.AnswerGuess() if guess and self.referee.to_move.other in self.view.sealed:
                piece = board.piece_at(guess.target)
                opened = opening(piece, self._ranks[piece])
                return replace(action, opening=Secret(self.referee.to_move.other, opened))
        return action

    # Turns

    def carry_out(self, turn: Turn, dice: random.Random) -> bool:
        """Make a turn, and answer the table's questions about it.

        Return False if the table does not notice it.
        """
        mover = self.referee.to_move
        self.heard.clear()
        self.make(turn, dice)
        return self.wait_for(self.is_turn_noticed) and self.conclude(mover)

    def make(self, turn: Turn, dice: random.Random, styles: tuple[Style, ...] = (*Style,)) -> None:
        """Make a turn by hand. An attack is made in one of the `styles`."""
        hands, (source, target) = self.at.hands, (turn.source, turn.target)
        self.made.append(turn)
        match turn:
            case actions.Move():
                hands.move(source, target)
            case actions.Attack():
                self._attack(turn, dice.choice(self._styles_seen(styles)))
            case actions.Infiltrate():
                self.submit(turn)
            case actions.Override():
                if self.referee.position.board.side_at(target):
                    hands.attack_set_down(source, target)
                else:
                    hands.move(source, target)
                self.wait_for(lambda: self.table.conversation.can_allow_move)
                self.submit(turn)

    def _styles_seen(self, styles: tuple[Style, ...]) -> tuple[Style, ...]:
        if self.table.sees_colours:
            return styles
        # A board without colour sensing cannot detect that a piece is set down on another.
        return tuple(style for style in styles if style is not Style.SET_DOWN)

    def _attack(self, attack: actions.Attack, style: Style) -> None:
        match style:
            case Style.IN_HAND:
                self.at.hands.attack_in_hand(attack.source, attack.target)
            case Style.SET_DOWN:
                self.at.hands.attack_set_down(attack.source, attack.target)
            case Style.ON_SCREEN:
                self.submit(attack)

    def is_turn_noticed(self) -> bool:
        """Whether the table has noticed a turn, even if it still has questions about it."""
        is_open = self.referee.phase in (Phase.ATTACK, Phase.GUESS)
        return bool(self.heard) or is_open or isinstance(self.table.state, AwaitingAnswer)

    def conclude(self, mover: Side, until: Side | None = None) -> bool:
        """Answer the table's questions about a side's turn.

        Stop at the first question that is put to the side `until`. Return False if a question
        remains unanswered.
        """
        match self.table.state:
            case AwaitingAnswer(attackers=attackers) if attackers:
                self.touch(lambda at: inputs.AttackerNamed(at, mover))
            case AwaitingAnswer():
                self.answer_question()
        while (question := self.table.conversation.question) and question.owner is not until:
            self.submit(actions.Declare(Secret(question.owner, self.rank_at(question.square))))
            if self.table.conversation.question == question:
                break
        if guessed := self.referee.open_guess:
            self.submit(actions.AnswerGuess(self.rank_at(guessed.target) is guessed.guess))
        return not (self.referee.open_attack or self.referee.open_guess)

    def answer_question(self) -> None:
        """Choose the true hypothesis, or answer that none of those offered is true."""
        candidates = self.table.state.asked.answers
        true = next((n for n, candidate in enumerate(candidates) if self._is_true(candidate)), None)
        self.touch(
            inputs.NoAttack if true is None else lambda at: inputs.ExplanationChosen(at, true)
        )

    def _is_true(self, candidate: Candidate) -> bool:
        """Whether a hypothesis matches the most recent turns.

        If the table has already accepted a turn, a hypothesis may contain the whole turn or only
        its continuation.
        """
        turns = [action for action in candidate.actions if not isinstance(action, actions.TakeBack)]
        ways = [(turn.source, turn.target) for turn in turns]
        latest = self.made[-len(ways) :]
        described = candidate.text.split()
        return ways == [(turn.source, turn.target) for turn in latest] or described == [
            str(turn) for turn in self.made[-len(described) :]
        ]

    def show_a_move(self) -> bool:
        """Make a legal turn for the side that claims to have one, or admit that it has none.

        Return False if the table does not end the game as a result.
        """
        legal = self.referee.legal_moves()
        match next(filter(self.can_be_made, legal), None):
            case None:
                self.submit(actions.AnswerStalemate(able=False))
            case actions.Move(source, target):
                self.at.hands.move(source, target)
            case attack:
                self.submit(attack)
        return self.wait_for(lambda: self.referee.outcome is not None)

    def can_be_made(self, turn: Turn) -> bool:
        """Whether the printed rank of the piece allows a turn that is otherwise possible."""
        rank = self.rank_at(turn.source)
        is_step = turn.target in NEIGHBOURS[turn.source]
        return rank is Rank.SCOUT or (is_step and not IMMOBILE >> rank & 1)

    # Taking back

    def take_back_to(self, plies: int, dice: random.Random) -> bool:
        """Agree, as both sides, to undo all but the first `plies` plies, and put the pieces back.

        Return False on failure.
        """
        for _ in range(_LONGEST_RECOVERY):
            first = dice.choice([*Side])
            for side in (first, first.other):
                if not self._is_at_turn(plies):
                    self.submit(inputs.OfferUndo(side))
        self._tidy()
        return self._is_at_turn(plies) and self.is_at_rest()

    def _is_at_turn(self, plies: int) -> bool:
        return self.referee.phase is Phase.PLAY and self.referee.plies == plies

    def put_back(self) -> bool:
        """Put the pieces where the table expects them.

        Return False if the table objects.
        """
        self._tidy()
        return self.is_at_rest()

    def clear_up(self) -> bool:
        """Arrange the pieces as the table expects, and set all others aside.

        Return False if the table still objects to the position.
        """
        self._tidy()
        for piece in self.at.hands.held:
            self.at.hands.set_aside(piece)
        return self.wait_for(lambda: not self.table.state.waits_for_board)

    def _tidy(self) -> None:
        difference = compare(self.at.board.image(), self.table.expected)
        for square in squares_in(difference.surplus):
            self.at.hands.lift(square)
        for square in squares_in(difference.missing):
            side = self.referee.position.board.side_at(square)
            for piece in self.at.hands.held:
                if piece.side is side:
                    self.at.hands.place(square, piece)
                    break

    def is_at_rest(self) -> bool:
        """Wait until the table sees all pieces where it expects them.

        Return False if that never happens.
        """
        return self.wait_for(
            lambda: (
                not self.table.state.waits_for_board
                and self.table.state.lifted is None
                and self.table.state.violation is None
                and not self.at.hands.held
            )
        )


def results_of(rulings: tuple[Ruling | Event, ...]) -> list[Result]:
    return [each for each in rulings if isinstance(each, Result)]
