"""Random walks of board and screen inputs, after which normal play resumes.

A walk begins in the middle of a small game. Hands lift, carry, slide and tap pieces, and forget to
put them back. Frames are lost, the board is disconnected, and all controls on the screen are used.
The table never fails, replaying the actions gives the same game, and every question can be
answered. At the end of the walk, the players restore the required image and answer questions. After
at most three such rounds, the next turn can be played.
"""

import random
from dataclasses import dataclass, replace
from typing import Any, Final

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from companion.core import inputs
from companion.core.piece_matching import BoardProposal
from companion.core.state import AwaitingAnswer
from companion.core.table import Table
from engine.board.geometry import LAKES, NEIGHBOURS, SQUARES, Side, Square, squares_in
from engine.board.ranks import Rank
from engine.board.visibility import Secret
from engine.game import actions
from engine.game.clocks import NO_CLOCK, TimeControl
from engine.game.game_state import Phase
from engine.game.referee import Referee
from engine.game.rulings import refuses
from firmware_bridge.simulated_board.board import PhysicalPiece
from firmware_bridge.wire import BoardKind
from tests.campaigns import Campaign
from tests.companion.core.short_game import OPTIONS, SMALL, begun
from tests.companion.core.table_driver import FRAME, TableDriver
from tests.engine.tables import state

WALKS: Final = Campaign("walks", part=20, whole=1_000)
STEPS: Final = 25
ACTS: Final = 3
"""Maximum number of rounds in which players restore the image and answer a question."""
SETTLED: Final = 5.0
"""Time in seconds after which even the slowest sensor is trusted and all gestures are ruled on."""
CONTROL: Final = TimeControl("long", each=36_000, delay=4, whole=72_000)
STANDING_STILL: Final = (Phase.STALEMATE, Phase.SHOWING)
FREE: Final = [each for each in SQUARES if not LAKES >> each & 1]

sides = st.sampled_from(Side)
ranks = st.sampled_from(Rank)
yes_or_no = st.booleans()
any_square = st.sampled_from(FREE)
pauses = st.sampled_from([FRAME, 0.06, 0.14, 0.2, 0.3, 0.4, 0.7, 1.0, 2.2, 3.2])


@dataclass(frozen=True)
class InHand:
    piece: PhysicalPiece
    source: Square


class Walk(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.hands: list[InHand] = []
        self.compared = 0

    @initialize(
        options=OPTIONS,
        kind=st.sampled_from(BoardKind),
        control=st.sampled_from([NO_CLOCK, CONTROL]),
        seed=st.integers(0, 999),
        plies=st.integers(0, 30),
    )
    def begin(
        self, options: dict[str, Any], kind: BoardKind, control: TimeControl, seed: int, plies: int
    ) -> None:
        """Resume a game in which pieces have moved towards each other."""
        edition = replace(SMALL, **options)
        referee = begun(edition, random.Random(seed), plies)
        self.driver = TableDriver(edition, seed, referee.actions, kind, control)
        self.accepted = list(referee.actions)
        self.restore_expected_board()
        self.driver.wait(1)

    @property
    def table(self) -> Table:
        return self.driver.table

    @property
    def phase(self) -> Phase:
        return self.table.referee.phase

    def lift_off(self, source: Square) -> None:
        self.hands.append(InHand(self.driver.board.lift(source), source))

    def put(self, number: int, target: Square) -> None:
        """Put a lifted piece on a square. Any piece on that square is lifted first."""
        held = self.hands.pop(number)
        if self.driver.board.at(target):
            self.lift_off(target)
        self.driver.board.place(held.piece, target)

    def go_by(self, pause: float) -> None:
        self.driver.wait(pause)

    @rule(data=st.data(), pause=pauses)
    def lift(self, data: st.DataObject, pause: float) -> None:
        standing = [each for each in FREE if self.driver.board.at(each)]
        if standing:
            self.lift_off(data.draw(st.sampled_from(standing), "lift"))
            self.go_by(pause)

    @precondition(lambda self: self.hands)
    @rule(data=st.data(), pause=pauses)
    def place(self, data: st.DataObject, pause: float) -> None:
        """Put a piece on its square, beside it, or anywhere else, even on another piece."""
        number = data.draw(st.integers(0, len(self.hands) - 1), "hand")
        source = self.hands[number].source
        near = [source, *(each for each in NEIGHBOURS[source] if each in FREE)]
        target = data.draw(st.one_of(st.sampled_from(near), any_square), "place")
        self.put(number, target)
        self.go_by(pause)

    @precondition(lambda self: self.table.referee.legal_moves())
    @rule(data=st.data(), held=pauses, pause=pauses)
    def make_a_turn(self, data: st.DataObject, held: float, pause: float) -> None:
        """Make a legal move or attack. An attacker is set down on its target."""
        turn = data.draw(st.sampled_from(self.table.referee.legal_moves()), "turn")
        if self.driver.board.at(turn.source):
            self.lift_off(turn.source)
            self.go_by(held)
            self.put(-1, turn.target)
            self.go_by(pause)

    @precondition(lambda self: self.table.referee.legal_moves())
    @rule(data=st.data(), first=yes_or_no, between=pauses, pause=pauses)
    def take_up_both(self, data: st.DataObject, first: bool, between: float, pause: float) -> None:
        """Lift two pieces, one of which can attack the other."""
        turns = self.table.referee.legal_moves()
        attacks = [turn for turn in turns if isinstance(turn, actions.Attack)]
        if not attacks:
            return
        attack = data.draw(st.sampled_from(attacks), "attack")
        pair = (attack.source, attack.target) if first else (attack.target, attack.source)
        for each in pair:
            if self.driver.board.at(each):
                self.lift_off(each)
                self.go_by(between)
        self.go_by(pause)

    @rule(data=st.data(), overlap=st.integers(0, 4), pause=pauses)
    def slide(self, data: st.DataObject, overlap: int, pause: float) -> None:
        """Push a piece to an adjacent square. For some frames, both squares detect the piece."""
        board = self.driver.board
        ways = [
            (source, target)
            for source in FREE
            for target in NEIGHBOURS[source]
            if board.at(source) and target in FREE and not board.at(target)
        ]
        if not ways:
            return
        source, target = data.draw(st.sampled_from(ways), "slide")
        piece = board.at(source)
        assert piece
        board.stand(piece.side, target)
        self.go_by(overlap * FRAME)
        board.lift(source)
        self.go_by(pause)

    @precondition(lambda self: self.hands)
    @rule(data=st.data(), covered=pauses, pause=pauses)
    def tap(self, data: st.DataObject, covered: float, pause: float) -> None:
        """Briefly hold a piece low over another one."""
        standing = [each for each in FREE if self.driver.board.at(each)]
        if not standing:
            return
        target = data.draw(st.sampled_from(standing), "tap")
        self.put(-1, target)
        beneath = self.hands.pop()
        self.go_by(covered)
        self.lift_off(target)
        self.driver.board.place(beneath.piece, target)
        self.go_by(pause)

    @precondition(lambda self: self.hands)
    @rule()
    def lay_aside(self) -> None:
        self.hands.clear()

    @rule(pause=pauses)
    def restore_expected_board(self, pause: float = FRAME) -> None:
        board, expected = self.driver.board, self.table.expected
        self.hands.clear()
        for each in SQUARES:
            if board.at(each):
                board.lift(each)
        for side in Side:
            self.driver.stand(side, *squares_in(expected.of(side)))
        self.go_by(pause)

    @rule(pause=st.sampled_from([0.1, 0.5, 1.0, 2.5, 5.0, 12.0]))
    def wait(self, pause: float) -> None:
        self.go_by(pause)

    @rule(
        where=any_square,
        times=st.integers(1, 6),
        is_red=yes_or_no,
        shown=st.sampled_from([0.06, 0.2, 0.6]),
        gone=st.sampled_from([0.06, 0.4, 1.0]),
    )
    def blink(self, where: Square, times: int, is_red: bool, shown: float, gone: float) -> None:
        """Make a sensor give wrong readings one or more times, each time for a moment."""
        board = self.driver.board
        for _ in range(times):
            if piece := board.at(where):
                board.lift(where)
            else:
                board.stand(Side.RED if is_red else Side.BLUE, where)
            self.go_by(shown)
            if piece:
                board.place(piece, where)
            else:
                board.lift(where)
            self.go_by(gone)

    @rule(silence=st.sampled_from([0.04, 0.1, 0.3, 0.5, 1.0, 3.0]), is_reported=yes_or_no)
    def lose_frames(self, silence: float, is_reported: bool) -> None:
        self.driver.now += silence
        if is_reported:
            self.driver.submit(inputs.TimePassed(self.driver.now))

    @rule()
    def pull_or_plug_in(self) -> None:
        if self.table.is_connected:
            self.driver.lose_board()
        else:
            self.find_board()

    def find_board(self) -> None:
        sees_colours = self.driver.board.kind is BoardKind.COLOURS
        self.driver.submit(inputs.BoardFound(self.driver.now, sees_colours))

    @precondition(lambda self: self.phase is Phase.ATTACK)
    @rule(data=st.data())
    def declare(self, data: st.DataObject) -> None:
        question = self.table.conversation.question
        assert question
        rank = data.draw(st.sampled_from(question.tiles) | ranks, "rank")
        self.driver.declare(question.owner, rank)

    @precondition(lambda self: self.table.conversation.contradiction)
    @rule()
    def insist(self) -> None:
        found = self.table.conversation.contradiction
        assert found
        self.driver.insist(found.owner, found.proof.rank)

    @precondition(lambda self: self.phase is Phase.DISPUTE)
    @rule(accepted=yes_or_no)
    def settle(self, accepted: bool) -> None:
        self.driver.command(actions.SettleDispute(accepted))

    @precondition(lambda self: self.table.view.infiltrations)
    @rule(data=st.data(), guess=ranks)
    def infiltrate(self, data: st.DataObject, guess: Rank) -> None:
        way = data.draw(st.sampled_from([*self.table.view.infiltrations]), "infiltrate")
        self.driver.command(actions.Infiltrate(*way, guess))

    @precondition(lambda self: self.phase is Phase.GUESS)
    @rule(right=yes_or_no)
    def answer_guess(self, right: bool) -> None:
        self.driver.command(actions.AnswerGuess(right))

    @precondition(lambda self: self.phase in STANDING_STILL)
    @rule(able=yes_or_no)
    def answer_cannot_move(self, able: bool) -> None:
        self.driver.command(actions.AnswerStalemate(able))

    @precondition(lambda self: self.table.state.asked.answers)
    @rule(data=st.data())
    def choose(self, data: st.DataObject) -> None:
        """Answer the question about what the hands did, or accept an offer."""
        number = data.draw(st.integers(0, len(self.table.state.asked.answers) - 1), "answer")
        self.driver.submit(inputs.ExplanationChosen(self.driver.now, number))

    @rule(side=sides)
    def name_the_attacker(self, side: Side) -> None:
        self.driver.submit(inputs.AttackerNamed(self.driver.now, side))

    @rule()
    def no_attack(self) -> None:
        self.driver.submit(inputs.NoAttack(self.driver.now))

    @rule()
    def close_the_reveal(self) -> None:
        self.driver.submit(inputs.RevealDismissed(self.driver.now))

    @rule(side=sides)
    def ask_to_take_back(self, side: Side) -> None:
        self.driver.command(inputs.OfferUndo(side))

    @rule()
    def take_back(self) -> None:
        self.driver.take_back()

    @precondition(lambda self: self.table.adoption.is_open)
    @rule(side=sides, to_move=sides)
    def believe_the_board(self, side: Side, to_move: Side) -> None:
        self.driver.believe(side, to_move)

    @precondition(lambda self: self.table.adoption.is_open)
    @rule(to_move=sides)
    def agree_on_the_board(self, to_move: Side) -> None:
        self.driver.agree(to_move)

    @rule(data=st.data(), where=any_square, to_move=sides)
    def put_elsewhere_and_agree(self, data: st.DataObject, where: Square, to_move: Side) -> None:
        """Carry a piece anywhere, and agree that it belongs there."""
        standing = [each for each in FREE if self.driver.board.at(each)]
        if standing and not self.driver.board.at(where):
            self.lift_off(data.draw(st.sampled_from(standing), "elsewhere"))
            self.put(-1, where)
            self.go_by(SETTLED)
            self.driver.agree(to_move)

    @rule()
    def offer_a_draw(self) -> None:
        self.driver.command(inputs.OfferDraw(Side.RED))

    @rule(where=any_square, doubted=yes_or_no)
    def doubt(self, where: Square, doubted: bool) -> None:
        self.driver.command(inputs.IgnoreSquare(where, doubted))

    @precondition(lambda self: self.table.referee.legal_moves())
    @rule(data=st.data())
    def touch_a_turn(self, data: st.DataObject) -> None:
        """Take a turn on the screen: an attack, or a move that the board cannot detect."""
        turns = self.table.referee.legal_moves()
        attacks = [turn for turn in turns if isinstance(turn, actions.Attack)]
        turn = data.draw(st.sampled_from(attacks or turns), "turn")
        self.driver.command(turn)

    @rule()
    def allow_move(self) -> None:
        self.driver.allow_move()

    @precondition(lambda self: self.table.state.lifted is not None)
    @rule()
    def cannot_move(self) -> None:
        """Claim a stalemate only with a piece in hand. Otherwise, many walks would end early."""
        self.driver.command(actions.ClaimStalemate())

    @invariant()
    def the_actions_lead_to_the_game(self) -> None:
        self.accepted += self.driver.actions
        self.driver.forget()
        if len(self.accepted) != self.compared:
            self.compared = len(self.accepted)
            again = Referee.replay(self.table.referee.edition, self.accepted)
            assert state(again) == state(self.table.referee)

    @invariant()
    def questions_are_answerable(self) -> None:
        table = self.table
        assert (table.conversation.question is not None) == (self.phase is Phase.ATTACK)
        if table.conversation.question:
            assert table.conversation.question.tiles
            assert self.is_accepted(
                actions.Declare(
                    Secret(table.conversation.question.owner, table.conversation.question.tiles[0])
                )
            )
        if table.conversation.contradiction and table.conversation.question:
            found = table.conversation.contradiction
            assert self.is_accepted(
                actions.UpholdDeclaration(Secret(found.owner, found.proof.rank))
            )
        for answer in table.state.asked.answers:
            assert self.is_accepted(*answer.actions), f"this answer is impossible: {answer.text}"

    @invariant()
    def adoption_is_possible(self) -> None:
        """Check that the referee would accept the proposed board.

        The proposed board must also match the observed board.
        """
        claim, offer = self.table.adoption.claim, self.table.adoption.offer
        if isinstance(claim, BoardProposal):
            after = self.table.referee.copy()
            assert not refuses(after.apply(claim.board(self.table.referee.to_move)))
            seen = self.table.observed
            assert seen
            assert seen.occupied == after.position.board.occupied
            assert not seen.red & after.position.board.blue
        assert offer is None or BoardProposal(offer.shifted, offer.removed) == claim

    @invariant()
    def deadline_is_consistent(self) -> None:
        due = self.table.next_deadline
        assert due is None or due > self.driver.inputs[-1].at

    def is_accepted(self, *claimed: actions.Action) -> bool:
        """Whether the referee would accept these actions in the given order."""
        referee = self.table.referee.copy()
        return not any(refuses(referee.apply(action)) for action in claimed)

    def teardown(self) -> None:
        """Check that the next turn can be played after at most three rounds."""
        if not hasattr(self, "driver"):
            return
        if not self.table.is_connected:
            self.find_board()
        for _ in range(ACTS):
            self.restore_expected_board(SETTLED)
            if self.is_ready():
                break
            self.answer()
        else:
            self.restore_expected_board(SETTLED)
        if self.phase is not Phase.OVER:
            assert self.is_ready(), "three actions are not enough to begin play"
            self.play_on()
        self.the_actions_lead_to_the_game()

    def is_ready(self) -> bool:
        table = self.table
        is_open = (
            isinstance(table.state, AwaitingAnswer)
            or table.state.waits_for_board
            or table.state.violation
        )
        return self.phase is Phase.OVER or (self.phase is Phase.PLAY and not is_open)

    def answer(self) -> None:
        """Answer the open question as players would who only want to continue."""
        if isinstance(self.table.state, AwaitingAnswer):
            self.driver.submit(inputs.NoAttack(self.driver.now))
        if self.phase is Phase.DISPUTE:
            self.driver.command(actions.SettleDispute(accepted=False))
        if self.phase is Phase.GUESS:
            self.driver.command(actions.AnswerGuess(right=False))
        if self.phase in STANDING_STILL:
            self.driver.command(actions.AnswerStalemate(able=False))
        while self.table.conversation.question:
            owner, tiles = (
                self.table.conversation.question.owner,
                self.table.conversation.question.tiles,
            )
            self.driver.declare(owner, tiles[0])

    def play_on(self) -> None:
        """Take a turn by hand, or on the screen if any squares are ignored."""
        referee, board = self.table.referee, self.driver.board
        turns, plies = referee.legal_moves(), referee.plies
        if not turns:
            self.driver.command(actions.ClaimStalemate())
            assert self.phase in (Phase.STALEMATE, Phase.OVER)
            return
        turn = next((each for each in turns if isinstance(each, actions.Move)), turns[0])
        if isinstance(turn, actions.Attack):
            self.driver.command(turn)
            assert self.phase is Phase.ATTACK or referee.plies == plies + 1
            return
        board.place(board.lift(turn.source), turn.target)
        self.go_by(SETTLED)
        if referee.plies == plies:
            assert self.table.doubted >> turn.source & 1 or self.table.doubted >> turn.target & 1
            self.driver.command(turn)
        assert referee.plies == plies + 1, f"refused: {turn}"


@WALKS
def test_random_walks_reach_the_end() -> None:
    run_state_machine_as_test(
        Walk,
        settings=settings(
            max_examples=WALKS.size,
            stateful_step_count=STEPS,
            derandomize=True,
            database=None,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
