"""Given random inputs, the table never fails, gets stuck or loses actions."""

from typing import Final

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core import inputs
from companion.core.game_context import Step
from companion.core.table import Table
from engine.board.geometry import Side
from engine.board.ranks import ranks_in
from engine.board.visibility import Secret
from engine.game import actions
from engine.game.clocks import TimeControl
from engine.game.game_state import Phase
from engine.rules.editions import Edition
from tests.campaigns import Campaign
from tests.companion.core.random_inputs import STANDING_STILL, RandomInputs, beginning
from tests.companion.core.short_game import EDITION
from tests.engine.tables import state

CONTROL: Final = TimeControl("short", each=300, delay=4, whole=500, setup=30)
SEED: Final = 5
ANYTHING: Final = Campaign("anything", part=4, whole=150)


@ANYTHING
@settings(max_examples=ANYTHING.size)
@given(
    edition=EDITION, begun=st.sampled_from([True, True, True, False]), seed=st.integers(0, 2**32)
)
def test_random_inputs(edition: Edition, begun: bool, seed: int) -> None:
    table = Table(edition, SEED, control=CONTROL)
    anybody = RandomInputs(table, seed)
    given: list[inputs.Input] = []
    steps: list[Step] = []
    begin = beginning() if begun else [inputs.BoardFound(0, sees_colours=True)]
    while len(given) < 300 and table.referee.outcome is None:
        given.append(begin.pop(0) if begin else anybody.next())
        anybody.at = max(anybody.at, given[-1].at)
        steps.append(table.handle(given[-1]))
        check(table, anybody.at)
        if steps[-1].actions:
            done = [action for step in steps for action in step.actions]
            assert done == table.referee.actions
            check_taken_up(table, Table(edition, SEED, done, clock=steps[-1].clock))
    repeated = Table(edition, SEED, control=CONTROL)
    assert repr([repeated.handle(each) for each in given]).encode() == repr(steps).encode()
    go_on(table, anybody.at)


def check_taken_up(table: Table, again: Table) -> None:
    """Check that a resumed table behaves like the original one."""
    assert state(again.referee) == state(table.referee)
    assert [again.conversation.private_word(side) for side in Side] == [
        table.conversation.private_word(s) for s in Side
    ]
    assert again.conversation.question == table.conversation.question
    assert again.clock.state(0) == table.clock.state(0)


def check(table: Table, at: float) -> None:
    """Check that the table's questions and deadlines match the game phase."""
    phase = table.referee.phase
    assert (table.conversation.question is not None) == (phase is Phase.ATTACK)
    assert (table.referee.open_guess is not None) == (phase is Phase.GUESS)
    assert (table.referee.outcome is not None) == (phase is Phase.OVER)
    assert table.next_deadline is None or table.next_deadline > at, (
        "a deadline is always in the future"
    )
    if table.conversation.contradiction:
        owner = (
            table.conversation.question.owner
            if table.conversation.question
            else table.referee.to_move.other
        )
        assert table.conversation.contradiction.owner is owner
        assert table.conversation.question or phase is Phase.GUESS
    if table.conversation.can_allow_move:
        assert table.state.violation
    if table.state.reveal:
        assert table.state.waits_for_board or phase is not Phase.PLAY


def go_on(table: Table, at: float) -> None:
    """Check that two honest players can continue and finish the game."""
    if table.referee.phase in (Phase.SETUP, Phase.OVER):
        return

    def command(what: actions.Action | inputs.Command) -> None:
        table.handle(inputs.CommandInput(at, what))

    table.handle(inputs.BoardFound(at, sees_colours=True))
    if table.is_paused:
        command(inputs.Resume())
    if table.referee.phase is Phase.DISPUTE:
        command(actions.SettleDispute(accepted=False))
    if table.referee.phase is Phase.GUESS:
        command(actions.AnswerGuess(right=False))
    if table.referee.phase in STANDING_STILL:
        command(actions.AnswerStalemate(able=False))
    while table.conversation.question:
        owner, tiles = table.conversation.question.owner, table.conversation.question.tiles
        army = [*ranks_in(table.referee.edition.army.ranks)]
        command(actions.Declare(Secret(owner, [*tiles, *army][0])))
        if table.conversation.contradiction:
            command(
                actions.UpholdDeclaration(
                    Secret(owner, table.conversation.contradiction.proof.rank)
                )
            )
            command(actions.SettleDispute(accepted=True))
    for _ in range(3):
        table.handle(inputs.BoardSeen(at, table.expected))
        at += 2
        table.handle(inputs.TimePassed(at))
    if table.referee.phase is Phase.PLAY:
        assert not table.state.waits_for_board
        assert table.state.violation is None
        command(actions.Resign(Side.RED))
    assert table.referee.outcome
