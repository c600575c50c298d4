"""Tests for the PettingZoo environment: PettingZoo's own tests, secrecy, and rules."""

import random
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

import numpy as np
import pytest
from numpy.typing import NDArray
from pettingzoo.test import api_test, performance_benchmark, render_test, seed_test

from engine import EDITIONS, Attack, Edition, IllegalActionError, Move, Rank, Referee, Side
from engine.board import board_text
from engine.board.geometry import SQUARES, name, square, squares_in
from engine.board.ranks import Army
from engine.game.actions import Infiltrate
from engine.pettingzoo_env import ACTIONS, PLANES, StrategoEnv, action_of, env
from engine.rules.editions import Handicap
from tests.campaigns import RARE, Campaign, slow_after_first

KNOWN: Final = Campaign("plies", part=2, whole=6)
"""Number of games per edition that are compared with a referee that knows all ranks."""
RED, BLUE = "red", "blue"
SILENT: Final = replace(EDITIONS["nordic-2015"], silent_defence=True).with_army("infiltrator")


def army(**counts: int) -> Army:
    return Army("small", {rank: counts.get(rank.name.lower(), 0) for rank in Rank})


INFILTRATORS: Final = replace(
    EDITIONS["nordic-2015"],
    id="infiltrators",
    army=army(flag=1, scout=2, miner=2, captain=2, marshal=1, bomb=2, infiltrator=3),
)
"""Edition in which infiltrators reach the enemy's rows quickly."""
GAMES: Final[list[tuple[Edition, str | None]]] = [
    (EDITIONS["original-1992"], None),
    (EDITIONS["isf"], "barrage"),
    (EDITIONS["isf"], "duel"),
    (EDITIONS["travel-2017"], None),
    (EDITIONS["nordic-2015"], "infiltrator"),
    (SILENT, None),
    (INFILTRATORS, None),
]
ids: Final[Callable[[object], str]] = lambda each: str(getattr(each, "id", each))  # noqa: E731

BOARD: Final = """
    10   .   .  bF  bB   .   .   .   .   .   .
     9   .   .  b3   .   .   .   .   .   .   .
     8   .   .   .   .   .   .   .   .   .   .
     7   .  b2   .   .  b9 b10   .  b1   .  b2
     6   .   .   ~   ~   .   .   ~   ~   .   .
     5   .   .   ~   ~   .   .   ~   ~   .   .
     4   .  r2   .   .  r9 r10   .  r1   .  r2
     3   .   .   .   .   .   .   .   .   .   .
     2   .   .  r3   .   .   .   .   .   .   .
     1   .   .  rF  rB   .   .   .   .   .   .
"""


def barrage(**options: Any) -> StrategoEnv:
    game = StrategoEnv("isf", army="barrage", board=BOARD, **options)
    game.reset()
    return game


def play(game: StrategoEnv, *ways: str) -> None:
    for way in ways:
        source, target = way[:2], way[3:]
        turn = (Attack if "x" in way else Move)(square(source), square(target))
        game.step(action_of(turn, game.game.to_move))


def plane(game: StrategoEnv, agent: str, title: str) -> dict[str, float]:
    """Return the non-zero values in a plane, keyed by square name."""
    values = game.observe(agent)["observation"][PLANES.index(title)].ravel()
    if agent == BLUE:
        values = values[::-1]
    return {name(at): float(values[at]) for at in SQUARES if values[at]}


def legal(game: StrategoEnv, agent: str) -> list[int]:
    return [int(each) for each in np.flatnonzero(game.observe(agent)["action_mask"])]


def picture(game: StrategoEnv) -> str:
    return board_text.draw(
        {
            at: f"{side.value[0]}{game._rank_on(at).symbol}"
            for side in Side
            for at in squares_in(game.game.position.squares(side))
        }.get
    )


# PettingZoo's own tests. They warn about agents whose names are not like player_0. Outside
# PettingZoo's own environments, they also warn about observations with a mask.


@pytest.mark.filterwarnings(
    "ignore:We recommend agents to be named",
    "ignore:Observation is not a NumPy array",
    "ignore:Observation space for each agent probably should be",
)
@pytest.mark.parametrize(("edition", "army"), GAMES, ids=ids)
@pytest.mark.parametrize("made", slow_after_first("variants", [env, StrategoEnv]))
def test_pettingzoo_api(made: Any, edition: Edition, army: str | None) -> None:
    api_test(made(edition=edition, army=army), num_cycles=300)


@pytest.mark.parametrize(("edition", "army"), slow_after_first("variants", GAMES), ids=ids)
def test_seed_is_reproducible(edition: Edition, army: str | None) -> None:
    seed_test(lambda: env(edition=edition, army=army), num_cycles=200)


def test_text_rendering() -> None:
    render_test(lambda render_mode: env(render_mode=render_mode))


@RARE
def test_minimum_speed(capsys: pytest.CaptureFixture[str]) -> None:
    """An idle computer plays several thousand turns per second. The limit is low enough for a busy
    computer."""
    performance_benchmark(env())
    (speed,) = re.findall(r"([\d.]+) turns per second", capsys.readouterr().out)
    assert float(speed) > 100


# Comparison with a referee that knows all ranks


def infiltrations(referee: Referee, ranks: StrategoEnv) -> set[tuple[int, int]]:
    position = referee.position
    return {
        (source, target)
        for source in squares_in(position.own)
        if ranks._rank_on(source) is Rank.INFILTRATOR
        for target in squares_in(position.enemy)
        if position.find_infiltration_violation(source, target) is None
    }


@KNOWN
@pytest.mark.parametrize(("edition", "army"), GAMES, ids=ids)
def test_env_matches_a_referee_with_known_ranks(edition: Edition, army: str | None) -> None:
    chance = random.Random(7)
    for seed in range(KNOWN.size):
        game = StrategoEnv(edition, army=army)
        game.reset(seed=seed)
        referee = Referee(edition, army=army, board=picture(game))
        while game.agents and not game.terminations[RED]:
            turns = {t for t in game._turns.values() if not isinstance(t, Infiltrate)}
            known = referee.legal_moves()
            assert turns == {t for t in known if not isinstance(t, Infiltrate)}
            guessed = {t for t in game._turns.values() if isinstance(t, Infiltrate)}
            assert {(t.source, t.target) for t in guessed} == infiltrations(referee, game)
            turn = chance.choice(sorted(guessed or turns, key=repr))
            game.step(action_of(turn, game.game.to_move))
            referee.apply(turn)
        assert referee.outcome
        assert game.game.outcome
        assert referee.outcome.winner is game.game.outcome.winner
        winner = referee.outcome.winner
        for side in Side:
            won = 0 if winner is None else 1 if winner is side else -1
            assert game.rewards[side.value] == won


# Secrecy: pairs of games that differ in two of Blue's ranks, but in no public fact


def pair(edition: Edition, army: str | None, chance: random.Random) -> list[StrategoEnv]:
    games = [StrategoEnv(edition, army=army) for _ in range(2)]
    seed = chance.randrange(10**9)
    for game in games:
        game.reset(seed=seed)
    blue = [*squares_in(games[0].game.position.squares(Side.BLUE))]
    while True:
        one, other = chance.sample(blue, 2)
        ranks = games[0]._ranks[one], games[0]._ranks[other]
        if ranks[0] is not ranks[1]:
            break
    exchanged = board_text.read(picture(games[1]))
    exchanged[one], exchanged[other] = exchanged[other], exchanged[one]
    games[1].reset(seed=seed, options={"board": board_text.draw(exchanged.get)})
    return games


def same(one: dict[str, NDArray[Any]], other: dict[str, NDArray[Any]]) -> bool:
    return all(np.array_equal(one[key], other[key]) for key in one)


@pytest.mark.parametrize(("edition", "army"), GAMES, ids=ids)
def test_no_observation_depends_on_a_hidden_rank(edition: Edition, army: str | None) -> None:
    chance = random.Random(11)
    compared = fights = 0
    for _ in range(8):
        games = pair(edition, army, chance)
        assert not same(*(game.observe(BLUE) for game in games))
        while games[0].game.ruled == games[1].game.ruled:
            assert same(*(game.observe(RED) for game in games))
            assert games[0].infos == games[1].infos
            compared += 1
            agent = games[0].agent_selection
            both = set(legal(games[0], agent)) & set(legal(games[1], agent))
            if not both or any(game.terminations[RED] for game in games):
                break
            action = chance.choice(sorted(both))
            fights += isinstance(games[0]._turns[action], Attack)
            for game in games:
                game.step(action)
    assert compared > 300
    assert fights > 20


# Observations


def test_observation_is_symmetric() -> None:
    game = StrategoEnv()
    game.reset(seed=3)
    red = {at: t for at, t in board_text.read(picture(game)).items() if t[0] == "r"}
    both = red | {99 - at: f"b{token[1:]}" for at, token in red.items()}
    game.reset(options={"board": board_text.draw(both.get)})
    chance = random.Random(3)
    for _ in range(10):
        seen = {agent: game.observe(agent)["observation"] for agent in (RED, BLUE)}
        assert np.array_equal(seen[RED], seen[BLUE])
        quiet = [action for action, turn in game._turns.items() if not isinstance(turn, Attack)]
        action = chance.choice(quiet)
        game.step(action)
        if action not in legal(game, BLUE):
            break
        game.step(action)
    assert game.game.plies >= 4


def test_observed_ranks() -> None:
    game = barrage()
    assert plane(game, RED, "own marshal") == {"f4": 1}
    assert plane(game, BLUE, "own marshal") == {"f7": 1}
    pieces = {"b7", "e7", "f7", "h7", "k7", "c9", "c10", "d10"}
    title = "piece of the opponent that can be a {}"
    assert plane(game, RED, title.format("flag")).keys() == pieces
    assert plane(game, RED, title.format("captain")) == {}

    play(game, "f4-f5", "k7-k5")

    assert plane(game, RED, title.format("scout")).keys() == pieces - {"k7"} | {"k5"}
    assert plane(game, RED, title.format("marshal")).keys() == pieces - {"k7"}
    assert plane(game, RED, "piece of the opponent that has moved") == {"k5": 1}
    assert plane(game, BLUE, "own piece that can be a scout to the opponent").keys() == (
        pieces - {"k7"} | {"k5"}
    )
    assert plane(game, BLUE, "own piece that can be a miner to the opponent").keys() == (
        pieces - {"k7"}
    )
    assert plane(game, RED, "source of the opponent's latest turn") == {"k7": 1}
    assert plane(game, BLUE, "target of the agent's latest turn") == {"k5": 1}
    assert plane(game, BLUE, "target of the opponent's latest turn") == {"f5": 1}
    lakes = {"c5", "c6", "d5", "d6", "g5", "g6", "h5", "h6"}
    assert plane(game, BLUE, "lake").keys() == lakes


def test_observed_captures() -> None:
    game = barrage()
    play(game, "b4xb7")
    for agent in (RED, BLUE):
        for whose in ("the agent's", "the opponent's"):
            fallen = plane(game, agent, f"fraction of {whose} scout pieces that have fallen")
            assert set(fallen.values()) == {0.5}
            assert len(fallen) == 100
    assert plane(game, RED, "fraction of the agent's spy pieces that have fallen") == {}


def test_observed_captures_of_a_reduced_army() -> None:
    """Blue plays with two of the four bombs."""
    edition = replace(
        EDITIONS["isf"],
        army=army(flag=1, miner=1, bomb=4),
        handicap=Handicap.parse("red+bombs"),
    )
    drawn = {"k1": "rF", "a4": "r3", "c1": "rB", "d1": "rB", "e1": "rB", "f1": "rB"}
    drawn |= {"k10": "bF", "k7": "b3", "a7": "bB", "b7": "bB"}
    board = board_text.draw({square(at): piece for at, piece in drawn.items()}.get)
    game = StrategoEnv(edition, board=board)
    game.reset()
    play(game, "a4-a5", "k7-k6", "a5-a6", "k6-k7", "a6xa7")
    fallen = plane(game, RED, "fraction of the opponent's bomb pieces that have fallen")
    assert set(fallen.values()) == {0.5}


def test_observed_repetitions() -> None:
    game = barrage()
    limit = EDITIONS["isf"].two_squares_limit
    title = "fraction of the two-squares limit that {} has used up"
    back = action_of(Move(square("e5"), square("e4")), Side.RED)
    there = action_of(Move(square("e4"), square("e5")), Side.RED)
    for count in range(1, limit + 1):
        assert {back, there} & {*legal(game, RED)}
        play(game, "e4-e5" if count % 2 else "e5-e4", "c9-c8" if count % 2 else "c8-c9")
        at = "e5" if count % 2 else "e4"
        used = plane(game, RED, title.format("the agent's piece"))
        assert used == {at: pytest.approx(count / limit)}
        assert plane(game, BLUE, title.format("the opponent's piece")) == used
    assert not {back, there} & {*legal(game, RED)}


def test_observed_evaders() -> None:
    game = barrage()
    play(game, "f4-f5", "k7-i7", "f5-f6", "f7-g7")
    evaded = {"g7": 1}
    title = "{} that has evaded in the current chase of the {}"
    assert plane(game, RED, title.format("piece of the opponent", "agent")) == evaded
    assert plane(game, BLUE, title.format("own piece", "opponent")) == evaded


def test_waiting_agent_has_an_empty_mask() -> None:
    game = barrage()
    assert legal(game, RED)
    assert legal(game, BLUE) == []


def test_a_picture_shows_all_ranks() -> None:
    game = barrage(render_mode="ansi")
    play(game, "b4-b5")
    picture = game.render()
    assert picture
    assert "\n 5   .  r2   ~   ~   .   .   ~   ~   .   .\n" in picture
    assert picture.endswith("1 plies, blue to move")
    assert barrage().render() is None


# Turns, setups and endings


def test_infiltration_guess_is_an_action() -> None:
    game = StrategoEnv(INFILTRATORS)
    chance = random.Random(5)
    made: list[Infiltrate] = []
    for seed in range(30):
        game.reset(seed=seed)
        while not game.terminations[RED] and not game.truncations[RED]:
            side = game.game.to_move
            numbers = legal(game, side.value)
            guesses = [each for each in numbers if each >= len(SQUARES) ** 2]
            action = chance.choice(guesses or numbers)
            turn = game._turns[action]
            assert action_of(turn, side) == action < ACTIONS
            wrong = isinstance(turn, Infiltrate) and game._rank_on(turn.target) != turn.guess
            game.step(action)
            if isinstance(turn, Infiltrate):
                made.append(turn)
                stays = bool(game.game.position.squares(side.other) >> turn.target & 1)
                assert stays == wrong
        if len(made) >= 20:
            return
    pytest.fail("no infiltrator has come near a piece")


def test_illegal_action_loses_with_the_usual_wrappers() -> None:
    with pytest.raises(ValueError, match="expected an action that red's mask allows, found 7"):
        barrage().step(7)
    wrapped = env(edition="isf", army="barrage", board=BOARD)
    wrapped.reset()
    wrapped.step(7)
    assert wrapped.rewards == {RED: -1, BLUE: 0}
    assert all(wrapped.terminations.values())


def test_long_game_is_truncated() -> None:
    game = barrage(max_plies=2)
    play(game, "e4-e5", "c9-c8")
    assert game.truncations == {RED: True, BLUE: True}
    assert game.terminations == {RED: False, BLUE: False}
    assert game.rewards == {RED: 0, BLUE: 0}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("b1 ", "b? ", "expected a rank for each piece on the board, found '1 without one'"),
        ("b1 ", "b4 ", "an army has too many or too few pieces of some ranks"),
        ("r3", " .", "an army does not have the number of pieces"),
    ],
)
def test_unknown_setup_is_refused(old: str, new: str, message: str) -> None:
    game = StrategoEnv("isf", army="barrage", board=BOARD.replace(old, new, 1))
    with pytest.raises(ValueError, match=message) as refused:
        game.reset()
    assert isinstance(refused.value, IllegalActionError) == message.startswith("an army")


@pytest.mark.parametrize(
    ("blue_bomb", "rewards"), [("c10", {RED: -1, BLUE: 1}), ("i10", {RED: 0, BLUE: 0})]
)
def test_side_without_moves_loses(blue_bomb: str, rewards: dict[str, float]) -> None:
    """The referee asks both sides, because it does not know which pieces are bombs."""
    shut_in = army(flag=1, bomb=2, captain=1)
    pieces = {"a1": "r6", "a2": "rB", "b1": "rB", "e1": "rF"}
    pieces |= {"k10": "b6", "k9": "bB", blue_bomb: "bB", "e10": "bF"}
    tokens = {square(at): token for at, token in pieces.items()}
    for edition in (EDITIONS["isf"], EDITIONS["original-1992"]):
        game = StrategoEnv(replace(edition, army=shut_in), board=board_text.draw(tokens.get))
        game.reset()
        assert game.rewards == rewards
        assert all(game.terminations.values())
