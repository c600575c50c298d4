"""Tests for misuse of the library: each call must do what its name says, or fail helpfully."""

import copy
import pickle
import random
from collections.abc import Callable
from typing import Any, Final

import pytest

import engine
from engine import (
    EDITIONS,
    Action,
    AnswerGuess,
    Attack,
    Blue,
    Declare,
    EngineError,
    Forfeit,
    IllegalActionError,
    Infiltrate,
    Move,
    NotationError,
    Opening,
    OutOfPhaseError,
    Phase,
    Position,
    Rank,
    RankCorrection,
    Red,
    Referee,
    Resign,
    Secret,
    SettleDispute,
    TimeExpired,
    Touch,
    UpholdDeclaration,
    parse_action,
)
from engine.records.transcript import transcribe
from tests.campaigns import Campaign
from tests.engine.cases import each
from tests.engine.test_library import OPTIONS, begin, play

RESTORED: Final = Campaign("texts", part=1, whole=3)
"""Number of games per set of options in which every position is restored."""

ATTACK = ("a4-a5", "a7-a6", "a5xa6")


def after(*lines: str, edition: str = "isf") -> Referee:
    game = Referee(edition)
    for line in lines:
        game.push(line)
    return game


def mistaken(value: Any) -> Any:
    return value


REFUSED: dict[str, tuple[type[EngineError], Callable[[], object], str, object]] = {
    "edition": (NotationError, lambda: Referee("original"), "an edition: compact", "original"),
    "no edition": (NotationError, lambda: Referee(mistaken(None)), "an edition or its id", None),
    "army": (NotationError, lambda: Referee("isf", army="few"), "the army original", "few"),
    "picture": (NotationError, lambda: Referee(board="r1"), "rows 10 to 1", ["r1"]),
    "no picture": (NotationError, lambda: Referee(board=mistaken(5)), "a picture of", 5),
    "transcript": (
        NotationError,
        lambda: Referee(record=mistaken(transcribe(EDITIONS["isf"], []))),
        "a record that states every rank",
        "Transcript",
    ),
    "number": (NotationError, lambda: after().push(mistaken(4)), "an action, or the text of", 4),
    "nothing": (NotationError, lambda: after().push(mistaken(None)), "an action, or", None),
    "bytes": (NotationError, lambda: after().push(mistaken(b"a4-a5")), "an action", b"a4-a5"),
    "no line": (NotationError, lambda: parse_action(mistaken(None)), "a line of text", None),
    "one word": (NotationError, lambda: parse_action("resign"), "1 word after 'resign'", 0),
    "two words": (NotationError, lambda: parse_action("agree-draw now"), "no words after", 1),
    "no turn": (NotationError, lambda: parse_action("offer-draw"), "a turn such as", "offer-draw"),
    "no text": (NotationError, lambda: Referee.from_text(mistaken(None)), "one line of text", None),
    "raw text": (
        NotationError,
        lambda: Position.from_text(mistaken(b"x")),
        "one line of text",
        b"x",
    ),
    "empty square": (NotationError, lambda: after().possible("a5"), "the square of a piece", "a5"),
    "empty at": (NotationError, lambda: after().position.ranks_at("a5"), "the square", "a5"),
    "side": (NotationError, lambda: after().information_state("green"), "red or blue", "green"),
    "own ranks": (
        NotationError,
        lambda: after().information_state(Red, {"a4": "king"}),
        "a rank: flag, spy",
        "king",
    ),
    "declarer": (NotationError, lambda: after(*ATTACK).declare("green", "spy"), "red or", "green"),
    "declared": (NotationError, lambda: after(*ATTACK).declare(Red, "king"), "a rank", "king"),
    "number declared": (
        NotationError,
        lambda: after(*ATTACK).declare(Red, mistaken(10)),
        "a rank",
        10,
    ),
    "loser": (NotationError, lambda: Resign(mistaken("green")), "red or blue", "green"),
    "late": (NotationError, lambda: TimeExpired(mistaken("none")), "red or blue", "none"),
    "guess": (NotationError, lambda: Infiltrate("a8", "a9", "king"), "a rank: flag", "king"),
    "carried": (NotationError, lambda: Touch("a4", mistaken("yes")), "True or False", "yes"),
    "answer": (NotationError, lambda: AnswerGuess(mistaken("no")), "True or False", "no"),
    "settled": (NotationError, lambda: SettleDispute(mistaken(0)), "True or False", 0),
    "open rank": (
        NotationError,
        lambda: Declare(mistaken(Rank.SPY)),
        "a secret rank such as Secret(Red, Rank.MINER)",
        "another value",
    ),
    "secret text": (
        NotationError,
        lambda: UpholdDeclaration(mistaken(Secret(Red, "spy"))),
        "a secret rank such as Secret",
        "another value",
    ),
    "salt": (NotationError, lambda: Opening(Rank.SPY, "00"), "a salt of 32", "another string"),
    "own rules": (
        NotationError,
        lambda: Referee(OPTIONS["silent"]).to_text(),
        "a published edition",
        "nordic-2015",
    ),
    "early": (OutOfPhaseError, after().undo, "a turn to take back", "none"),
    "phase": (
        OutOfPhaseError,
        lambda: after(*ATTACK).push("b4-b5"),
        "declare, uphold-declaration in the phase 'attack'",
        Move("b4", "b5"),
    ),
    "over": (
        OutOfPhaseError,
        lambda: after("resign red").push("a4-a5"),
        "open-army in the phase 'over'",
        Move("a4", "a5"),
    ),
    "twice": (
        OutOfPhaseError,
        lambda: after(*ATTACK, "declare red spy").push("declare red spy"),
        "a declaration from blue",
        Declare(Secret(Red, Rank.SPY)),
    ),
    "illegal": (
        IllegalActionError,
        lambda: after().push("a4-b5"),
        "a legal action",
        Move("a4", "b5"),
    ),
    "own setup": (
        IllegalActionError,
        lambda: Referee("isf", army="duel"),
        "a legal action",
        engine.PlaceArmies(Red.home, Blue.home),
    ),
}


@each("mistake", REFUSED)
def test_errors_have_expected_and_found(mistake: str) -> None:
    kind, make, expected, found = REFUSED[mistake]
    with pytest.raises(EngineError) as refused:
        make()
    error = refused.value
    assert type(error) is kind
    assert isinstance(error, ValueError)
    assert error.expected.startswith(expected)
    assert error.found == found
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again)) == (kind, str(error))
    assert (again.expected, again.found) == (error.expected, error.found)
    assert copy.copy(error).args == error.args


def test_an_error_from_a_text_keeps_its_place() -> None:
    with pytest.raises(NotationError) as refused:
        Referee.from_text("x" * 11)
    again = pickle.loads(pickle.dumps(refused.value))
    assert (again.position, again.place, str(again)) == (
        11,
        "",
        "column 11: expected '/', found 'x'",
    )


def test_names_are_accepted_for_values() -> None:
    assert Resign(mistaken("red")) == Resign(Red)
    assert Forfeit(mistaken("blue")) == Forfeit(Blue)
    assert Infiltrate("a8", "a10", "spy") == Infiltrate(70, 90, Rank.SPY)
    assert RankCorrection("a4", "spy") == RankCorrection(30, Rank.SPY)
    game = after(*ATTACK)
    game.declare("red", "Miner")
    assert (
        game.declare(Blue, Rank.CAPTAIN)[-1]
        == after(*ATTACK, "declare red miner", "declare blue captain").ruled[-1]
    )
    by_name = game.information_state("red", {"b4": "spy"})
    assert by_name == game.information_state(Red, {31: Rank.SPY})
    assert by_name.ranks[31] is Rank.SPY
    assert hash(by_name) == hash(game.information_state(Red, {31: Rank.SPY}))


@each("make", [copy.copy, copy.deepcopy, Referee.copy, lambda g: pickle.loads(pickle.dumps(g))])
def test_a_copy_of_a_referee_is_independent(make: Callable[[Referee], Referee]) -> None:
    game = after("a4-a5", "a7-a6")
    other = make(game)
    other.push("a5xa6")
    assert (game.phase, other.phase) == (Phase.PLAY, Phase.ATTACK)
    other.push("withdraw-attack")
    assert other.position == game.position
    assert hash(other.position) == hash(game.position)
    other.undo()
    assert (game.plies, other.plies) == (2, 1)


def pushed(game: Referee, action: Action | str) -> str:
    other = game.copy()
    other.push(action)
    return other.to_text()


@RESTORED
@each("options", [name for name, rules in OPTIONS.items() if not rules.silent_defence])
def test_text_and_repr_restore_every_phase(options: str) -> None:
    """A referee that is read from text must accept every listed action, as an object and as text.

    Secret actions have no text. The text of a position omits declarations in an open attack or in a
    silent defence.
    """
    chance, phases = random.Random(options), set()
    for _ in range(RESTORED.size):
        game, armies = begin(OPTIONS[options], chance)
        for actions in play(game, armies, chance, 400):
            if Phase.PLAY in phases and game.phase is Phase.PLAY and chance.random() < 0.8:
                continue
            phases.add(game.phase)
            again = eval(repr(game), vars(engine).copy())
            assert again.to_text() == game.to_text()
            position = eval(repr(game.position), vars(engine).copy())
            assert position == game.position
            assert hash(position) == hash(game.position)
            if game.phase not in (Phase.ATTACK, Phase.DISPUTE):
                assert again.legal_actions(armies) == actions
            for action in chance.sample(actions, min(6, len(actions))):
                text = pushed(game, action)
                if not isinstance(action, Declare | UpholdDeclaration | AnswerGuess):
                    assert pushed(game, str(action)) == text
                if game.phase is not Phase.ATTACK and game.phase is not Phase.DISPUTE:
                    assert pushed(again, action) == text
    assert {Phase.PLAY, Phase.ATTACK} <= phases


def test_lines_are_read_in_any_case() -> None:
    assert parse_action(" A4XA7 ".replace("X", "x")) == Attack("a4", 60)
    for turn in after().legal_moves():
        assert parse_action(str(turn)) == turn
