"""The computer's choices do not depend on ranks that are hidden from it."""

from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest

from companion.opponent.computer_player import ComputerPlayer
from companion.opponent.knowledge import Knowledge, collect_knowledge
from companion.opponent.levels import Level
from engine import EDITIONS, Referee
from engine.board.board import Piece
from engine.board.geometry import Side, Square, set_of
from engine.board.ranks import Rank, RankSet
from engine.game.actions import PlaceArmies, Turn
from tests.campaigns import slow_after_first
from tests.companion.opponent.games import decisions, make

EDITION = EDITIONS["original-1992"]
Armies = dict[Side, dict[Square, Rank]]


def recorded(seed: int, plies: int) -> tuple[list[Turn], Armies]:
    """Return the turns of a game, and both armies."""
    both = dict.fromkeys(Side, Level.MARSHAL)
    turns = [decided.turn for decided in decisions(EDITION, both, seed, plies)]
    armies = {
        side: dict(ComputerPlayer(EDITION, side, Level.MARSHAL, seed + (side is Side.BLUE)).setup)
        for side in Side
    }
    return turns, armies


def seen_by(referee: Referee, armies: Armies) -> None:
    """Begin a game in which the referee knows Blue's ranks, as in a single-player game."""
    red, blue = (set_of(armies[side]) for side in Side)
    referee.push(PlaceArmies(red, blue, {}, armies[Side.BLUE]))


def choices(turns: list[Turn], armies: Armies) -> list[Turn | None]:
    """Return Red's choice at each of its turns."""
    referee = Referee.waiting(EDITION)
    seen_by(referee, armies)
    player = ComputerPlayer(EDITION, Side.RED, Level.MARSHAL, 7)
    found: list[Turn | None] = []
    for turn in turns:
        if referee.to_move is Side.RED:
            knowledge = collect_knowledge(referee, Side.RED, armies[Side.RED])
            found.append(player.choose(knowledge))
        make(referee, turn, armies)
    return found


def never_shown(turns: list[Turn], armies: Armies) -> list[Piece]:
    """Return Blue's pieces that neither move nor fight."""
    referee = Referee.waiting(EDITION)
    seen_by(referee, armies)
    touched = set()
    for turn in turns:
        pieces = referee.position.pieces
        touched |= {pieces[turn.source], pieces[turn.target]}
        make(referee, turn, armies)
    return [piece for piece in armies[Side.BLUE] if piece not in touched]


def differing(seed: int, plies: int) -> tuple[list[Turn], Armies, Armies]:
    """Return the turns of a game, its armies, and the armies with other hidden ranks for Blue."""
    turns, armies = recorded(seed, plies)
    hidden = never_shown(turns, armies)
    ranks = [armies[Side.BLUE][piece] for piece in hidden]
    others = {
        **armies,
        Side.BLUE: {**armies[Side.BLUE], **dict(zip(hidden, ranks[::-1], strict=True))},
    }
    assert others != armies
    return turns, armies, others


@pytest.mark.parametrize("seed", slow_after_first("opponent", range(3)))
def test_turns_do_not_depend_on_hidden_ranks(seed: int) -> None:
    turns, armies, others = differing(seed, plies=60)
    assert choices(turns, armies) == choices(turns, others)


def test_planted_leak_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The test above would fail if the computer used the real ranks that the referee knows."""
    honest: Callable[[Referee, Side, Mapping[Piece, Rank]], Knowledge] = collect_knowledge

    def leaking(referee: Referee, side: Side, own_ranks: Mapping[Piece, Rank]) -> Knowledge:
        real = honest(referee, side, own_ranks)
        possible: dict[Square, RankSet] = {
            square: referee.position.ranks_at(square) for square in real.pieces
        }
        state = replace(real.state, possible=possible)
        return Knowledge(state, real.pieces, real.history)

    turns, armies, others = differing(seed=0, plies=60)
    monkeypatch.setitem(globals(), "collect_knowledge", leaking)
    assert choices(turns, armies) != choices(turns, others)
