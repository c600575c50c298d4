"""Tests for silent defence: an unnamed winner's rank stays secret in all later actions."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from engine.board.geometry import Side, square
from engine.board.ranks import Rank
from engine.board.visibility import Private
from engine.game import actions, rulings
from engine.rules.rules import Violation
from tests.engine.cases import each
from tests.engine.examples import examples
from tests.engine.secrecy_pairs import CASES, DEFENDER, GamePair
from tests.engine.tables import BLUE, RED, way

Case = tuple[Rank, Rank, Rank]
"""Rank of an attacker, and two ranks that could have beaten it."""


def unnamed(case: Case, seed: int = 0) -> GamePair:
    """Return two games. In each game, a different rank in `case` has beaten the attacker."""
    attacker, *ranks = case
    return GamePair.of(attacker, (ranks[0], ranks[1]), seed)


@given(st.sampled_from(CASES), st.integers(0, 2**32 - 1))
@examples(12)
def test_silent_winner_stays_hidden_in_random_games(case: Case, seed: int) -> None:
    unnamed(case, seed).play(20)


def test_random_games_use_every_action() -> None:
    done: Counter[str] = Counter()
    for seed, case in enumerate(CASES):
        pair = unnamed(case, seed)
        pair.play(25)
        done += pair.done

    kinds = {"Move", "Attack", "Amend", "Infiltrate", "Override", "Touch", "TakeBack", "Correct"}
    kinds |= {"AdoptBoard"}
    assert all(done[kind] >= 2 for kind in kinds), done
    assert done["again unnamed"] >= 2


# -- former leaks of information, each tested for every pair of ranks

ATTACKERS = (Rank.SPY, Rank.COLONEL, Rank.GENERAL)
"""Attackers chosen so that scouts, other movable ranks and bombs can each beat at least one of
them."""


each_won_attack = each("case", [case for case in CASES if case[0] in ATTACKERS])


def done(pair: GamePair, action: actions.Action) -> list[type[rulings.Ruling]]:
    """Perform the action in both games, and return the types of the public rulings."""
    return [type(ruling) for ruling in pair.do(action) or ()]


def awaited(pair: GamePair) -> list[Side]:
    assert pair.one.referee.open_attack
    return list(pair.one.referee.open_attack.awaited)


@each("move", ["b7-b6", "b7-b8"])
@each_won_attack
def test_silent_piece_moves(case: Case, move: str) -> None:
    """A bomb cannot move, but only its owner may be told that the piece is a bomb."""
    pair = unnamed(case)
    assert done(pair, actions.Move(*way(move))) == [rulings.Moved], "publicly the move is legal"


@each_won_attack
def test_silent_piece_amends_a_move(case: Case) -> None:
    pair = unnamed(case)
    assert done(pair, actions.Move(*way("b7-b6"))) == [rulings.Moved]
    assert done(pair, actions.Amend(*way("b6-b8"))) == [rulings.Moved]


@each("target", ["b5", "b1", "d7", "b10"])
@each_won_attack
def test_silent_piece_is_played_to_a_distant_square(case: Case, target: str) -> None:
    """Only a scout may move to a distant square. The referee judges the move by the possible ranks,
    not the real one."""
    pair = unnamed(case)
    far = square(target)
    may_be_scout = Rank.SCOUT in pair.one.referee.possible("b7")

    assert (pair.one.referee.find_violation(DEFENDER, far) is None) is may_be_scout
    assert done(pair, actions.Move(DEFENDER, far)) == [rulings.Moved if may_be_scout else Violation]


@each_won_attack
def test_silent_piece_attacks(case: Case) -> None:
    pair = unnamed(case)
    for move in ["b7-b6", "e4-d4", "b6-b5", "d4-c4", "b5-b4", "f4-f5"]:
        assert done(pair, actions.Move(*way(move))) == [rulings.Moved]

    known = len(pair.one.referee.possible("b4")) == 1
    assert done(pair, actions.Attack(*way("b4-c4"))) == [rulings.AttackOpened]
    assert awaited(pair) == ([RED] if known else [BLUE, RED])
    assert done(pair, actions.WithdrawAttack()) == [rulings.AttackWithdrawn]


@each_won_attack
def test_moved_silent_piece_is_attacked(case: Case) -> None:
    """If the owner were asked again only after moving a bomb, the question would reveal the
    bomb."""
    pair = unnamed(case)
    assert done(pair, actions.Move(*way("b7-b6"))) == [rulings.Moved]
    assert done(pair, actions.Override(*way("h4-b5"))) == [rulings.Overridden, rulings.Moved]
    assert done(pair, actions.Move(*way("k9-k8"))) == [rulings.Moved]

    known = len(pair.one.referee.possible("b6")) == 1
    assert done(pair, actions.Attack(*way("b5-b6"))) == [rulings.AttackOpened]
    assert awaited(pair) == ([RED] if known else [RED, BLUE])


@each_won_attack
def test_moved_silent_piece_is_guessed(case: Case) -> None:
    pair = unnamed(case)
    assert done(pair, actions.Move(*way("b7-b8"))) == [rulings.Moved]
    assert done(pair, actions.Override(*way("f4-d8"))) == [rulings.Overridden, rulings.Moved]
    assert done(pair, actions.Move(*way("k9-k8"))) == [rulings.Moved]

    for guess in (Rank.MARSHAL, Rank.COLONEL, Rank.SPY):
        heard = done(pair, actions.Infiltrate(*way("d8-b8"), guess))
        assert heard[0] in (rulings.InfiltrationOpened, Violation)
        pair.do(actions.TakeBack())
        if pair.one.referee.to_move is BLUE:
            pair.do(actions.Move(*way("k9-k8")))


@each_won_attack
def test_another_piece_is_guessed(case: Case) -> None:
    pair = unnamed(case)
    pair.do(actions.Override(*way("e4-a7")))
    for guess in Rank:
        pair.do(actions.Infiltrate(*way("a7-a9"), guess))
        pair.do(actions.AnswerGuess(right=False))
        pair.do(actions.Move(*way("k9-k8")))
        pair.do(actions.TakeBack())
        pair.do(actions.TakeBack())


def test_only_the_owner_learns_what_a_turn_disproves() -> None:
    pair = GamePair.of(Rank.COLONEL, (Rank.BOMB, Rank.MARSHAL))

    moved, other = (table.referee.apply(actions.Move(*way("b7-b6"))) for table in pair.both)

    assert moved[:1] == other
    (ruling,) = moved[1:]
    assert isinstance(ruling, rulings.Contradiction)
    assert isinstance(ruling, Private)
    assert ruling.owner is BLUE
