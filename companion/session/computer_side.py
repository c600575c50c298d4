"""Plays the computer's side against one person.

A `ComputerPlayer` chooses the turns in a background thread, so the screen is not delayed. The UI
thread starts a job and checks in every frame whether it is done. Jobs receive only immutable
values, so the threads share no state.

`ComputerSide` decides when to ask the computer player, and acts for it at the table. It reports the
army as ready, takes turns, declares ranks, and answers guesses and offers.
"""

import logging
import random
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Final, Protocol, TypeAlias, TypeVar

from companion.core import state
from companion.core.inputs import (
    Command,
    CommandInput,
    Input,
    OfferDraw,
    OfferUndo,
    PiecesAwaited,
    Ready,
)
from companion.core.table import Table
from companion.opponent.computer_player import ComputerPlayer
from companion.opponent.knowledge import collect_knowledge
from companion.session.screen_setups import LocalCommitments
from engine.board.board import Piece
from engine.board.geometry import Square, SquareSet
from engine.board.ranks import Rank
from engine.board.visibility import Secret
from engine.game.actions import Action, AnswerStalemate, ClaimStalemate, Move, Resign, Turn
from engine.game.game_state import Phase
from engine.game.referee import Referee

T = TypeVar("T")


class Worker(Protocol[T]):
    """Runs one job at a time and keeps its result until the next job."""

    def start(self, job: Callable[[], T]) -> None:
        """Run a job. The result of any earlier job is dropped, even if it arrives later."""

    def drop(self) -> None:
        """Drop the latest job and its result."""

    @property
    def is_done(self) -> bool:
        """Whether the latest job has finished, so that `result` does not block."""

    @property
    def result(self) -> T:
        """The result of the latest job. Waits for the job to finish, and raises its exception."""

    def close(self) -> None:
        """Stop the worker. After that, no job may be started."""


class BackgroundWorker(Worker[T]):
    """Runs jobs in a single thread, which is started with the first job."""

    def __init__(self) -> None:
        self._executor: ThreadPoolExecutor | None = None
        self._job: Future[T] | None = None

    def start(self, job: Callable[[], T]) -> None:
        self.drop()
        if self._executor is None:
            self._executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix="computer")
        self._job = self._executor.submit(job)

    def drop(self) -> None:
        if self._job:
            self._job.cancel()
        self._job = None

    @property
    def is_done(self) -> bool:
        return self._job is not None and self._job.done()

    @property
    def result(self) -> T:
        assert self._job
        return self._job.result()

    def close(self) -> None:
        """Stop the thread once its current job is done."""
        self.drop()
        if self._executor:
            self._executor.shutdown(wait=False)
        self._executor = None


class ImmediateWorker(Worker[T]):
    """Runs each job immediately in the caller's thread, which makes games reproducible."""

    def __init__(self) -> None:
        self._result: list[T] = []

    def start(self, job: Callable[[], T]) -> None:
        self._result = [job()]

    def drop(self) -> None:
        self._result = []

    @property
    def is_done(self) -> bool:
        return bool(self._result)

    @property
    def result(self) -> T:
        return self._result[0]

    def close(self) -> None:
        """Do nothing, because there is no thread."""


log = logging.getLogger(__name__)

PAUSE: Final = 1.0
"""Delay in seconds before an action that needs no thought, so that the person can follow it."""
MIN_TURN_SECONDS: Final = 0.6
"""Minimum delay in seconds before a turn. A faster turn would feel mechanical, and would come
before the person has taken their hand off the board. Chosen by judgement, not measured."""
MAX_TURN_SECONDS: Final = 2.0
"""Maximum delay in seconds before a turn that was found quickly. The delay is random. Chosen by
judgement, not measured."""
UNCHANGED_SECONDS: Final = 0.3
"""Time in seconds for which the board must stay unchanged before a turn, so that the person can
take their hands off it. Chosen by judgement, not measured."""
DEADLINE: Final = 8.0
"""Time in seconds after which an arbitrary legal turn is taken if none has been chosen. A Raspberry
Pi 4 needs less than a tenth of this time even for the slowest turns."""

ASIDE_SECONDS: Final = 2.0
"""Delay in seconds before the person is asked to put back pieces that lie beside the simulated
board. Until then, the person may still be moving them. Chosen by judgement, not measured."""
AWAITED_SECONDS: Final = 10.0
"""Delay in seconds before the person is asked to put back pieces for which the computer's turn has
to wait. The delay is long, because the person may be looking at a piece. Chosen by judgement, not
measured."""

Decision: TypeAlias = Turn | ClaimStalemate | OfferDraw | None
"""A turn, or an answer to a draw offer. None declines the offer."""


class ComputerHands(Protocol):
    """Interface to the computer's pieces and their ranks."""

    @property
    def ranks(self) -> Mapping[Piece, Rank]:
        """Ranks of the computer's own pieces. Empty if the ranks are lost."""

    def rank_of(self, piece: Piece) -> Rank | None:
        """Return the rank of a piece of either side, or None if this host does not know it."""

    @property
    def is_set_up(self) -> bool:
        """Whether the computer's army is complete on the board."""

    @property
    def aside(self) -> SquareSet:
        """Squares whose pieces are known to lie beside the board, and not in a hand."""

    def move(self, now: float, move: Move) -> None:
        """Make a move."""

    def tidy(self) -> None:
        """Arrange the pieces as the table expects, if the computer can move them."""


class ComputerSide:
    """Acts for the computer in one game."""

    def __init__(
        self,
        table: Table,
        player: ComputerPlayer,
        hands: ComputerHands,
        seals: LocalCommitments,
        worker: Worker[Decision],
        give: Callable[[Input], object],
    ) -> None:
        """Play a side at a table. `give` passes an input to the table."""
        self._table, self._player, self._hands = table, player, hands
        self._side, self._seals, self._worker, self._give = player.side, seals, worker, give
        self._moment: object = None
        self._since = 0.0
        self._began = 0, 0.0
        """Number of accepted actions, and the time at which that number last changed."""
        self._is_thinking = False
        self._has_declined = False
        self._missing: tuple[SquareSet, float] = 0, 0.0
        """Squares whose pieces are missing, and the time since which these squares are missing."""
        self._awaited: SquareSet = 0
        """Squares of the latest `PiecesAwaited`."""

    @property
    def declines_draw(self) -> bool:
        """Whether the computer has declined a draw offer that is still open."""
        return self._has_declined and self._is_offered_draw

    @property
    def _is_offered_draw(self) -> bool:
        return self._table.conversation.draw_offer is self._side.other

    @property
    def _is_to_move(self) -> bool:
        """Whether the computer has to take a turn and the board is ready for it."""
        table = self._table
        is_mine = isinstance(table.state, state.ToMove) and table.view.to_move is self._side
        return is_mine and table.observed == table.expected

    def _is_due(self, now: float) -> bool:
        """Whether the next action is due. The delay before a turn is random."""
        if not self._is_thinking or self._is_offered_draw:
            return now - self._since >= PAUSE
        dice = random.Random(f"{self._player.seed} {self._began[0]}")
        is_late = now - self._began[1] >= dice.uniform(MIN_TURN_SECONDS, MAX_TURN_SECONDS)
        return is_late and now - self._since >= UNCHANGED_SECONDS

    def tick(self, now: float) -> None:
        """Perform the due action once nothing has changed for long enough.

        A turn that was chosen for an earlier state of the game is dropped.
        """
        table = self._table
        self._has_declined = self.declines_draw
        if table.is_paused:
            return
        self._declare(now)
        if isinstance(table.state, state.AttackOpen) or not table.is_connected:
            return
        self._await_pieces(now)
        if self._began[0] != (count := len(table.referee.actions)):
            self._began = count, now
        moment = (
            (count, table.state, table.ready, table.setup, table.observed),
            (self._is_offered_draw, table.conversation.take_back_offer),
        )
        if moment != self._moment:
            self._moment, self._since = moment, now
            self._think()
        elif self._is_due(now):
            self._act(now)
            self._declare(now)

    def _await_pieces(self, now: float) -> None:
        """Ask the person to put back missing pieces, after they have had time to do so."""
        table, aside = self._table, self._hands.aside
        missing, seen = aside, table.observed
        is_turn = isinstance(table.state, state.ToMove | state.Disturbed)
        if seen and is_turn and table.view.to_move is self._side:
            missing |= table.expected.occupied & ~seen.occupied
        if self._missing[0] != missing:
            self._missing = missing, now
        seconds = AWAITED_SECONDS if missing & ~aside else ASIDE_SECONDS
        awaited = missing if now - self._missing[1] >= seconds else self._awaited & missing
        if awaited != self._awaited:
            self._awaited = awaited
            self._give(PiecesAwaited(now, awaited))

    # Thinking

    def _think(self) -> None:
        """Start a job if there is something to decide."""
        self._worker.drop()
        asks = self._is_offered_draw and not self._has_declined
        is_asked_back = self._table.conversation.take_back_offer is self._side.other
        has_to_decide = (asks or self._is_to_move) and not is_asked_back
        self._is_thinking = has_to_decide and bool(self._hands.ranks)
        if self._is_thinking:
            referee, ranks = self._table.referee.copy(), dict(self._hands.ranks)
            self._worker.start(lambda: decide(self._player, referee, ranks, is_asked=asks))

    def _take_decision(self, now: float) -> None:
        """Carry out the decision. If it is not ready by the deadline, take an arbitrary turn."""
        if not self._worker.is_done and now - self._since < DEADLINE:
            return
        self._is_thinking, self._since = False, now
        try:
            decision = self._worker.result if self._worker.is_done else self._any_turn()
        except Exception:  # an error in the computer player must not stop the game
            log.exception("the computer player failed")
            decision = self._any_turn()
        match decision:
            case Move():
                self._hands.move(now, decision)
            case None:
                self._has_declined = True
                self._moment = None  # after declining, the computer may still have to move
            case _:
                self._submit(now, decision)

    def _any_turn(self) -> Decision:
        if self._is_offered_draw and not self._has_declined:
            return None
        turns = self._table.referee.information_state(self._side, self._hands.ranks).turns
        return next(iter(turns), ClaimStalemate())

    # Acting

    def _act(self, now: float) -> None:
        table, is_mine = self._table, self._table.view.to_move is self._side
        if self._is_thinking:
            self._take_decision(now)
            return
        self._since = now
        if table.conversation.take_back_offer is self._side.other:
            self._take_back(now)
            return
        match table.state:
            case state.SettingUp() if self._side not in table.ready and self._hands.is_set_up:
                self._submit(now, Ready(self._side))
            case state.GuessOpen() if table.view.opened:
                self._answer_guess(now, table.view.opened[1])
            case state.StalemateOpen() if table.view.stuck is self._side.other:
                self._submit(now, AnswerStalemate(able=self._can_move()))
            case state.ToMove() if is_mine and not self._hands.ranks:
                # The openings of the seals have been lost, and with them the ranks.
                self._submit(now, Resign(self._side))
            case state.ToMove() if self._is_to_move:  # the previous turn had no effect
                self._think()
            case state.Clearing() | state.Restoring():
                self._hands.tidy()
            case state.WrongMove() | state.Disturbed() if is_mine:
                self._hands.tidy()
            case state.ToMove() if is_mine and self._hands.aside:
                self._hands.tidy()

    def _can_move(self) -> bool:
        """Whether the computer could move if it were its turn."""
        asked = self._table.referee.copy()
        asked.apply(AnswerStalemate(able=True))
        return bool(asked.information_state(self._side, self._hands.ranks).turns)

    def _take_back(self, now: float) -> None:
        """Agree to a take-back.

        If a person asks for a take-back after the computer has replied, the person wants to take a
        different turn. The person's latest turn is therefore taken back as well.
        """
        self._submit(now, OfferUndo(self._side))
        table = self._table
        is_my_turn = table.view.to_move is self._side and table.view.phase is Phase.PLAY
        if is_my_turn and table.view.plies and table.conversation.take_back_offer is None:
            self._submit(now, OfferUndo(self._side.other))
            self._submit(now, OfferUndo(self._side))

    def _answer_guess(self, now: float, target: Square) -> None:
        """Answer a guess about a piece whose rank this host knows."""
        rank = self._rank_at(target)
        if rank is not None:
            asked = self._table.view.to_move.other
            right = rank is self._table.view.guess
            self._submit(now, self._seals.answer_guess(asked, right=right))

    def _declare(self, now: float) -> None:
        """Declare ranks that this host knows, before the screen can ask for them."""
        for _ in range(2):
            question = self._table.conversation.question
            rank = self._rank_at(question.square) if question else None
            if question and rank is not None:
                declared = Secret(question.owner, rank)
                found = self._table.conversation.contradiction
                if found is None or Secret(found.owner, found.proof.rank) != declared:
                    self._submit(now, self._seals.declare(declared))
                elif question.owner is self._side:  # an immobile piece was moved by hand
                    self._submit(now, self._seals.insist(declared))
            elif question and question.owner is self._side and not self._hands.ranks:
                self._submit(now, Resign(self._side))

    def _rank_at(self, square: Square) -> Rank | None:
        return self._hands.rank_of(self._table.view.board.piece_at(square))

    def _submit(self, now: float, what: Action | Command) -> None:
        self._give(CommandInput(now, what))


def decide(
    player: ComputerPlayer, referee: Referee, ranks: Mapping[Piece, Rank], *, is_asked: bool
) -> Decision:
    """Answer a draw offer if `is_asked`. Otherwise choose a turn or claim stalemate."""
    knowledge = collect_knowledge(referee, player.side, ranks)
    if is_asked:
        return OfferDraw(player.side) if player.accepts_draw(knowledge) else None
    if not knowledge.turns:
        return ClaimStalemate()
    return player.choose(knowledge)
