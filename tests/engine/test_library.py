"""Tests for the library's interface: one call per action, complete lists of turns, and text."""

import json
import random
from collections.abc import Iterator, Mapping
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine import (
    EDITIONS,
    Action,
    AdoptBoard,
    AgreeDraw,
    Amend,
    AnswerGuess,
    AnswerStalemate,
    Attack,
    BreakSeals,
    ClaimStalemate,
    Correct,
    Declare,
    Edition,
    EngineError,
    Forfeit,
    FreeTouched,
    IllegalActionError,
    Infiltrate,
    Move,
    NotAScout,
    NotationError,
    OutOfPhaseError,
    Override,
    Phase,
    PlaceArmies,
    Rank,
    RankCorrection,
    Referee,
    Relocation,
    Resign,
    Secret,
    SettleDispute,
    Side,
    SwapCorrection,
    TakeBack,
    TimeExpired,
    Touch,
    UpholdDeclaration,
    WithdrawAttack,
    parse_action,
)
from engine.board.board import Piece
from engine.board.geometry import SQUARES, squares_in
from engine.deduction.commitment import ArmyCommitment, Opening
from engine.game.rulings import refuses
from engine.rules.editions import MovedBombPenalty
from tests.engine.cases import each
from tests.engine.tables import Table
from tests.engine.test_infiltration import BEHIND, THERE

# -- lines of text and repr

squares, sides = st.sampled_from(SQUARES), st.sampled_from(Side)
ranks, sets = st.sampled_from(Rank), st.integers(0, 2**100 - 1)
relocations = st.lists(st.builds(Relocation, squares, squares), max_size=4).map(tuple)
PRINTED = st.one_of(
    *(st.builds(kind, squares, squares) for kind in (Move, Attack, Amend, Override)),
    st.builds(Infiltrate, squares, squares, ranks),
    st.builds(Touch, squares, st.booleans()),
    *map(st.just, (FreeTouched(), WithdrawAttack(), TakeBack(), ClaimStalemate(), AgreeDraw())),
    st.builds(SettleDispute, st.booleans()),
    st.builds(AnswerGuess, st.booleans()),
    st.builds(AnswerStalemate, st.booleans()),
    st.builds(Correct, st.builds(RankCorrection, squares, ranks)),
    st.builds(Correct, st.builds(SwapCorrection, squares, squares)),
    st.builds(Correct, st.builds(NotAScout, squares)),
    st.builds(AdoptBoard, relocations, sets, sides),
    *(st.builds(kind, sides) for kind in (BreakSeals, Resign)),
    *(st.builds(kind, st.none() | sides) for kind in (TimeExpired, Forfeit)),
)
"""All actions without secret fields, except the setup of the armies."""


@given(PRINTED)
@settings(max_examples=400)
def test_text_and_repr_can_be_read_back(action: Action) -> None:
    assert parse_action(str(action)) == action
    assert eval(repr(action), vars(engine).copy()) == action


def test_repr_of_a_setup() -> None:
    placing = PlaceArmies(Side.RED.home, Side.BLUE.home, ranks={0: Rank.FLAG})
    assert eval(repr(placing), vars(engine).copy()) == placing


@given(sides, ranks, st.sampled_from(["", "0" * 32, "89abcdef" * 4]))
def test_secret_is_parsed_and_never_printed(side: Side, rank: Rank, salt: str) -> None:
    salted = Secret(side, salt) if salt else None
    for kind in (Declare, UpholdDeclaration):
        action = kind(Secret(side, rank), salted)
        word = str(action).split()[0]
        assert parse_action(f"{word} {side.value} {rank.name.lower()} {salt}") == action
        assert str(action) == f"{word} {side.value} ?"
        with pytest.raises(NotationError, match=r"expected a rank: .*, found 'another word'"):
            parse_action(str(action))


@each(
    "text",
    [
        *("", "a4", "a4-", "a4-a5-a6", "a4?a5", "a4-a5=spy", "a4?a5=king", "j4-a5", "a4-a11"),
        *("castle", "resign", "resign green", "resign red now", "settle-dispute maybe"),
        *("correct", "correct it", "correct not-a-scout", "correct rank-correction a4 king"),
        *("adopt-board", "adopt-board red a4-", "amend", "amend a4?a5", "touch", "touch a4 yes no"),
        *("declare red", "declare red king", "place-armies", "take-back now"),
    ],
)
def test_unknown_line_is_refused_with_its_place(text: str) -> None:
    with pytest.raises(NotationError, match=r"expected .*, found ") as refused:
        parse_action(text)
    assert refused.value.expected
    assert refused.value.expected in str(refused.value)


@given(st.text(max_size=20) | st.text("ak1-x?= 40", max_size=9))
def test_any_text_is_an_action_or_refused(text: str) -> None:
    try:
        action = parse_action(text)
    except NotationError:
        return
    assert parse_action(str(action)) == action


# -- squares and errors


def test_squares_are_names_or_numbers() -> None:
    assert Move("a4", "a5") == Move(30, 40) == Move("a4", 40)
    assert NotAScout("e4") == NotAScout(34)
    game = Referee("isf")
    assert game.possible("a4") == game.possible(30)
    assert game.position.ranks_at("a4") == game.position.ranks_at(30)
    for source, target in (("a4", "a5"), ("a4", "b5"), ("a1", "a2")):
        ends = Move(source, target)
        found = game.position.find_violation(ends.source, ends.target)
        assert game.find_violation(source, target) == found
        assert game.position.find_violation(source, target) == found


@each("square", ["j4", "a11", "", -1, 100, None, 4.0])
def test_invalid_square_is_refused(square: str) -> None:
    for take in (lambda s: Move("a4", s), NotAScout, Touch, Referee("isf").possible):
        with pytest.raises(NotationError, match=r"expected a square .*, found "):
            take(square)


def test_every_refusal_is_an_engine_error() -> None:
    game = Referee("isf")
    refused = {}
    for text in ("a4-b5", "declare red spy", "a4-j5", "a4xa5"):
        with pytest.raises(EngineError) as error:
            game.push(text)
        refused[text] = error.type, str(error.value)
    assert [kind for kind, _ in refused.values()] == [
        IllegalActionError,
        OutOfPhaseError,
        NotationError,
        IllegalActionError,
    ]
    assert "in the phase 'play', found declare red ?" in str(refused)
    assert issubclass(EngineError, ValueError)
    assert game.plies == 0


# -- complete lists

OPTIONS: dict[str, Edition] = {
    **EDITIONS,
    **{f"{e.id} {a.name}": replace(e, army=a) for e in EDITIONS.values() for a in e.armies[1:]},
    "silent": replace(EDITIONS["nordic-2015"], silent_defence=True, both_immobile_draw=True),
    "advantage": replace(EDITIONS["isf"], aggressor_advantage=True, two_squares_limit=5),
    "touch": replace(EDITIONS["nordic-2015"], touch_move=True, silent_defence=True),
    "bomb": replace(EDITIONS["travel-2017"], moved_bomb=MovedBombPenalty.LOSES),
    "sealed": replace(EDITIONS["nordic-2015"], sealed_armies=True, silent_defence=True),
}
Armies = Mapping[Side, Mapping[Piece, Opening]]


def begin(
    edition: Edition, chance: random.Random, *, known: bool = False
) -> tuple[Referee, Armies]:
    """Begin a game with randomly dealt armies. Return the game and the openings of both armies."""
    armies = {}
    for side in Side:
        places = chance.sample([*squares_in(side.home)], edition.army.size)
        dealt = chance.sample(edition.army.pieces, edition.army.size)
        openings = (Opening(rank, f"{chance.getrandbits(128):032x}") for rank in dealt)
        armies[side] = dict(zip(places, openings, strict=True))
    shown = {at: opening.rank for army in armies.values() for at, opening in army.items()}
    commitments = {side: ArmyCommitment.of(side, army) for side, army in armies.items()}
    game = Referee.waiting(edition, shown if known else {})
    red, blue = (sum(1 << at for at in army) for army in armies.values())
    game.push(PlaceArmies(red, blue, commitments if edition.sealed_armies else {}))
    return game, armies


def play(game: Referee, armies: Armies, chance: random.Random, most: int) -> Iterator[list[Action]]:
    """Play at random. Yield the list of legal actions before each action."""
    while (actions := game.legal_actions(armies)) and len(game.actions) < most:
        yield actions
        eager = [each for each in actions if not isinstance(each, Move)]
        rulings = game.push(chance.choice(eager if eager and chance.random() < 0.5 else actions))
        assert not refuses(rulings)
        if game.phase is Phase.PLAY and chance.random() < 0.02:
            game.push(ClaimStalemate())
        if game.open_attack and not game.edition.sealed_armies and chance.random() < 0.1:
            uphold(game, chance)


def uphold(game: Referee, chance: random.Random) -> None:
    """Uphold the declaration of an impossible rank, if there is one."""
    attack = game.open_attack
    assert attack
    side = attack.awaited[0]
    hidden = [rank for rank in Rank if not attack.possible[side] >> rank & 1]
    if hidden and game.edition.moved_bomb is not MovedBombPenalty.LOSES:
        try:
            game.push(UpholdDeclaration(Secret(side, chance.choice(hidden))))
        except OutOfPhaseError:  # no fact before this attack rules the rank out
            return


def compare(game: Referee, actions: list[Action], chance: random.Random) -> None:
    """Check that exactly the listed turns are accepted."""
    for action in chance.sample(actions, min(len(actions), 8)):
        assert not refuses(game.copy().apply(action)), action
    assert len(actions) == len({repr(each) + str(hash(each)) for each in actions})
    occupied = game.position.board.occupied
    for _ in range(12):
        source = chance.choice([*squares_in(occupied)])
        target = chance.choice([*squares_in(occupied), *SQUARES])
        rank = chance.choice([*Rank])
        could_be = occupied >> target & 1 and game.position.ranks_at(target) >> rank & 1
        turns: list[Action] = [Move(source, target), Attack(source, target)]
        turns += [Infiltrate(source, target, rank)] if could_be else []
        for turn in turns:
            try:
                accepted = not refuses(game.copy().apply(turn))
            except OutOfPhaseError:
                accepted = False
            # A bomb's move may be accepted because it ends the game, but it is not legal.
            lost = accepted and game.find_violation(source, target) is not None
            assert (turn in actions) is (accepted and (isinstance(turn, Infiltrate) or not lost))


@each("options", OPTIONS)
@each("known", [False, True], ids=["hidden", "known"])
def test_loop_over_legal_actions_ends_every_game(options: str, known: bool) -> None:
    phases = set()
    for seed in range(3):
        chance = random.Random(f"{options} {seed}")
        game, armies = begin(OPTIONS[options], chance, known=known)
        for actions in play(game, armies, chance, 3000):
            phases.add(game.phase)
            if chance.random() < 0.05:
                compare(game, actions, chance)
        assert game.outcome or len(game.actions) >= 3000
    assert Phase.PLAY in phases
    assert known or Phase.ATTACK in phases


@given(st.sampled_from(sorted(OPTIONS)), st.booleans(), st.integers(0, 2**32))
@settings(max_examples=40, deadline=None)
def test_exactly_the_listed_actions_are_accepted(options: str, known: bool, seed: int) -> None:
    chance = random.Random(seed)
    game, armies = begin(OPTIONS[options], chance, known=known)
    for actions in play(game, armies, chance, chance.randrange(300)):
        if chance.random() < 0.2 or game.phase not in (Phase.PLAY, Phase.ATTACK):
            compare(game, actions, chance)


def test_infiltrations_are_listed_for_possible_guesses() -> None:
    table = Table.of(BEHIND, rules=EDITIONS["nordic-2015"])
    table.play(THERE)
    game = table.referee

    listed = [str(turn) for turn in game.legal_moves() if isinstance(turn, Infiltrate)]
    assert listed == [f"a8?b8={rank.name.lower()}" for rank in sorted(game.possible("b8"))]
    for seed in range(20):
        chance, copy = random.Random(seed), game.copy()
        copy.push(chance.choice(listed))
        assert copy.phase is Phase.GUESS
        assert [*map(str, copy.legal_actions())] == ["answer-guess yes", "answer-guess no"]
        for actions in play(copy, {}, chance, 400):
            compare(copy, actions, chance)


# -- knowledge of a side


def dealt_again(armies: Armies, side: Side, chance: random.Random) -> dict[Piece, Rank]:
    """Return a side's pieces with shuffled ranks."""
    held = [opening.rank for opening in armies[side].values()]
    return dict(zip(armies[side], chance.sample(held, len(held)), strict=True))


@given(st.sampled_from(sorted(set(OPTIONS) - {"sealed"})), st.integers(0, 2**32))
@settings(max_examples=40, deadline=None)
def test_information_state_hides_secrets(options: str, seed: int) -> None:
    """In copies of the game, Blue declares different ranks, which must remain secret."""
    chance = random.Random(seed)
    game, armies = begin(OPTIONS[options], chance)
    own = {piece: opening.rank for piece, opening in armies[Side.RED].items()}
    for actions in play(game, armies, chance, chance.randrange(2, 200)):
        declared = [a for a in actions if isinstance(a, Declare) and a.rank.owner is Side.BLUE]
        others = [game.copy() for _ in declared]
        for other, action in zip(others, declared, strict=True):
            other.push(action)
        waiting = [other for other in others if other.open_attack]
        states = [other.information_state(Side.RED, own) for other in waiting]
        assert all(state == states[0] for state in states)
        assert len({json.dumps(state.to_plain()) for state in states}) <= 1
        blue = [other.information_state(Side.BLUE).declared for other in waiting]
        assert blue == [action.rank.unseal() for action in declared[: len(waiting)]]
    before = game.information_state(Side.RED, own)
    assert before.ranks == {
        at: own[piece] for piece, at in game.position.board.standing(Side.RED).items()
    }
    assert json.loads(json.dumps(before.to_plain())) == before.to_plain()
    assert set(before.turns) <= set(game.legal_moves())
    for turn in before.turns:
        assert own[game.position.pieces[turn.source]] not in (Rank.FLAG, Rank.BOMB)
    known = game.information_state(Side.BLUE).ranks
    assert not set(known) & {*squares_in(game.position.squares(Side.RED))}
