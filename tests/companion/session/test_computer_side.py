"""The computer at a real board, where a person moves its pieces."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, cast

import pytest

from companion.core import inputs
from companion.core.events import MoveDue
from companion.core.state import DisputeOpen, MovePending
from companion.opponent.computer_player import ComputerPlayer
from companion.opponent.levels import Level
from companion.opponent.setup_choice import choose_setup
from companion.session.computer_side import ComputerSide, ImmediateWorker
from engine.board.board import Piece
from engine.board.geometry import Side, square, squares_in
from engine.board.ranks import Rank
from engine.board.visibility import Secret
from engine.deduction.commitment import ArmyCommitment
from engine.game import actions
from engine.game.game_state import Phase
from engine.game.rulings import Contradiction, GameOver
from engine.rules.editions import DEFAULT, EDITIONS, Edition
from engine.rules.rules import Violation, ViolationKind
from tests.companion.core.sealed_table_driver import ARMIES
from tests.companion.core.table_driver import BOTH_ARMIES, TableDriver

RED, BLUE = Side.RED, Side.BLUE


@dataclass
class Hands:
    """A person who moves nothing unless told to."""

    ranks: Mapping[Piece, Rank]
    submit: Callable[[inputs.Input], None]
    is_set_up = True
    aside = 0

    def rank_of(self, piece: Piece) -> Rank | None:
        return self.ranks.get(piece)

    def move(self, now: float, move: actions.Move) -> None:
        self.submit(inputs.MoveDecided(now, move.source, move.target))

    def tidy(self) -> None:
        pass


class Seals:
    """Declarations without seals."""

    def declare(self, rank: Secret[Rank]) -> actions.Declare:
        return actions.Declare(rank)

    def insist(self, rank: Secret[Rank]) -> actions.UpholdDeclaration:
        return actions.UpholdDeclaration(rank)


def sit_down(driver: TableDriver, **known: Rank) -> Callable[[float], None]:
    """Return a function that lets the computer, as Blue, act for some seconds."""
    edition = driver.table.view.edition
    ranks = choose_setup(edition, BLUE, Random(3)) | {
        square(at): rank for at, rank in known.items()
    }
    player = ComputerPlayer(edition, BLUE, Level.CADET, 3)
    hands = Hands(ranks, driver.submit)
    computer = ComputerSide(
        driver.table, player, hands, cast("Any", Seals()), ImmediateWorker(), driver.submit
    )

    def act(seconds: float) -> None:
        for _ in range(round(seconds * 10)):
            driver.wait(0.1)
            computer.tick(driver.now)

    return act


def with_blanks() -> TableDriver:
    """Return a game in which the computer plays Blue with blank pieces."""
    driver = TableDriver(DEFAULT, computer=BLUE)
    for side in Side:
        driver.stand(side, *squares_in(BOTH_ARMIES.of(side)))
    driver.wait()
    driver.submit(inputs.ArmySealed(driver.now, BLUE, ArmyCommitment.of(BLUE, ARMIES[BLUE])))
    for side in Side:
        driver.command(inputs.Ready(side))
    driver.wait()
    assert driver.table.view.phase is Phase.PLAY
    driver.forget()
    return driver


@pytest.mark.parametrize("edition", EDITIONS.values(), ids=lambda edition: edition.id)
def test_computer_shows_that_it_can_move(edition: Edition) -> None:
    """A person who claims that no turn is possible loses if the computer can move."""
    driver = TableDriver.begun(computer=BLUE, edition=edition)
    act = sit_down(driver)
    driver.command(actions.ClaimStalemate())
    act(8)
    (over,) = driver.emitted(GameOver)
    assert over.winner is BLUE
    assert isinstance(driver.actions[-1], actions.Move | actions.Attack)


def test_nobody_answers_for_the_computer() -> None:
    driver = TableDriver.begun(computer=BLUE)
    driver.command(actions.ClaimStalemate())
    driver.command(actions.AnswerStalemate(able=True))
    driver.command(actions.AnswerStalemate(able=False))
    assert driver.table.view.phase is Phase.SHOWING


def test_attack_of_the_computer_cannot_be_withdrawn() -> None:
    driver = TableDriver.begun(computer=BLUE)
    driver.play("e4-e5")
    driver.submit(inputs.MoveDecided(driver.now, square("e7"), square("e6")))
    driver.move("e7", "e6")
    driver.play("k4-k5")
    driver.command(actions.Attack(square("e6"), square("e5")))
    assert driver.table.view.phase is Phase.ATTACK
    assert not driver.table.conversation.can_withdraw
    driver.submit(inputs.NoAttack(driver.now))
    assert driver.table.view.phase is Phase.ATTACK


def test_hands_do_not_choose_the_computers_move() -> None:
    driver = with_blanks()
    driver.play("e4-e5")
    driver.move("e7", "e6")
    assert driver.table.view.plies == 1
    driver.submit(inputs.MoveDecided(driver.now, square("a7"), square("a6")))
    assert driver.table.view.plies == 2
    assert driver.emitted(MoveDue)
    assert isinstance(driver.table.state, MovePending)
    driver.move("e6", "e7")
    driver.move("a7", "a6")
    assert not driver.table.state.difference
    driver.play("k4-k5")


def test_long_slide_before_the_computers_move() -> None:
    """The person's own piece may still move on."""
    driver = with_blanks()
    driver.move("e4", "e5", settle=0.5)
    driver.move("e5", "e6")
    assert driver.table.view.plies == 1
    assert driver.table.referee.in_force[-1:] == [actions.Move(square("e4"), square("e6"))]


def test_computer_insists_on_its_rank() -> None:
    """Somebody else has moved its bomb."""
    driver = TableDriver.begun(computer=BLUE)
    driver.play("e4-e5 e7-e6")
    act = sit_down(driver, e7=Rank.BOMB)
    driver.command(actions.Attack(square("e5"), square("e6")))
    driver.declare(RED, Rank.MINER)
    act(4)
    assert isinstance(driver.table.state, DisputeOpen)
    assert len(driver.emitted(Contradiction)) == 1


def test_bomb_entered_on_the_screen_loses_nothing() -> None:
    """No piece was moved, even if the sensors of its squares are ignored."""
    driver = TableDriver(EDITIONS["gravopedia-2006"], computer=RED)
    for side in Side:
        driver.stand(side, *squares_in(BOTH_ARMIES.of(side)))
    driver.wait()
    ranks = {at: each.rank for at, each in ARMIES[RED].items()}
    driver.submit(inputs.RanksSeen(driver.now, RED, ranks))
    for side in Side:
        driver.command(inputs.Ready(side))
    driver.wait()
    driver.command(inputs.IgnoreSquare(square("a5"), doubted=True))
    driver.command(actions.Move(square("a4"), square("a5")))
    assert driver.emitted(Violation)[0].fault is ViolationKind.IMMOBILE
    assert driver.table.view.phase is Phase.PLAY
