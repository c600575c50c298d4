"""Simulated players answer questions truthfully."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.core.events import ConfirmAttack, Event
from companion.core.inputs import Ready
from companion.core.state import AwaitingAnswer
from companion.session.session import Session
from companion.simulator.random_games import RandomGame
from companion.simulator.simulated_match import Profile, SimulatedPlayers
from companion.simulator.simulated_people import People
from companion.simulator.simulation import BoardRig
from companion.storage.journal import Journal
from engine.board.geometry import Side, square, squares_in
from engine.game.actions import Move
from engine.game.game_state import Phase
from engine.rules.editions import DEFAULT
from firmware_bridge.simulated_board.board import SimulatedBoard
from firmware_bridge.simulated_board.port import SimulatedPort
from firmware_bridge.wire import BoardKind


@pytest.fixture
def people(tmp_path: Path) -> Iterator[People]:
    """Two players at a board after e4-e5 and e7-e6, with Red to move."""
    pieces = SimulatedBoard()
    with closing(Journal(tmp_path / "games.sqlite")) as journal:
        session = Session.begin(journal, DEFAULT, 1)
        with BoardRig(session, pieces, SimulatedPort(pieces)) as board:
            people = People(board, RandomGame(DEFAULT, 1).ranks)
            for side in Side:
                for each in squares_in(side.home):
                    pieces.stand(side, each)
            board.pass_time(2000)
            for side in Side:
                people.submit(Ready(side))
            assert people.wait_for(lambda: people.referee.phase is Phase.PLAY)
            for move in way("e4", "e5"), way("e7", "e6"):
                people.heard.clear()
                board.hands.move(move.source, move.target)
                assert people.wait_for(people.is_turn_noticed)
            yield people


def way(source: str, target: str) -> Move:
    return Move(square(source), square(target))


def cross(people: People, made: Move) -> None:
    """Hold a second piece during a move, so that the sensors cannot tell which piece has moved."""
    hands, other = people.at.hands, {square("e5"): square("f4"), square("f4"): square("e5")}
    people.heard.clear()
    moved = hands.lift(made.source)
    hands.lift(other[made.source])
    hands.place(made.target, moved)
    assert people.wait_for(people.is_turn_noticed)
    assert isinstance(people.table.state, AwaitingAnswer)


@pytest.mark.parametrize("source", ["e5", "f4"])
def test_true_explanation_is_chosen(people: People, source: str) -> None:
    made = way(source, "f5")
    people.made.append(made)
    cross(people, made)
    assert people.conclude(Side.RED)
    assert people.referee.actions[-1] == made


def test_other_intent_answers_none(people: People) -> None:
    plies = people.referee.plies
    cross(people, way("e5", "f5"))
    assert people.conclude(Side.RED)
    assert people.referee.plies == plies
    assert people.put_back()


def test_ambiguous_push_answers_none(tmp_path: Path) -> None:
    """Without colours, a pushed target looks like a misplaced piece."""
    game = RandomGame(DEFAULT, 9)
    game.length = 14
    pieces, emitted = SimulatedBoard(BoardKind.PRESENCE), list[Event]()
    with closing(Journal(tmp_path / "games.sqlite")) as journal:
        session = Session.begin(journal, DEFAULT, 9)
        session.listen(emitted.append)
        with BoardRig(session, pieces, SimulatedPort(pieces)) as board:
            players = SimulatedPlayers(board, game, 9, Profile.HESITANT)
            assert players.play()
    assert any(isinstance(event, ConfirmAttack) for event in emitted)
    assert players.tally.missed == 0
