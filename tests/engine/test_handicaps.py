"""Tests for handicaps: notation, armies, setup, open ranks, records, positions and clocks."""

import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.board import NotationError
from engine.board.geometry import NEIGHBOURS, Side, square, squares_in
from engine.board.ranks import ORIGINAL, Rank, only_rank
from engine.board.visibility import Secret
from engine.deduction.commitment import ArmyCommitment, Opening
from engine.deduction.possible_ranks import Evidence
from engine.game.actions import Action, Attack, Declare, Move, OpenArmy, PlaceArmies, Resign
from engine.game.clocks import NO_CLOCK, TIME_CONTROLS, Clock, Limit
from engine.game.position import Position
from engine.game.position_updates import as_public
from engine.game.referee import Referee
from engine.game.rulings import ArmiesPlaced, ArmyOpened, Combat, Contradiction
from engine.game.views import public_view
from engine.records.adjudication import judge, judge_transcript
from engine.records.record_files import read_transcript, write_transcript
from engine.records.serialization import read_control, read_edition, write_control, write_edition
from engine.records.transcript import as_record, transcribe
from engine.rules.editions import EDITIONS, Edition, Handicap, Omission
from engine.rules.rules import Violation, ViolationKind
from engine.rules.setup import Placed, find_faults
from tests.engine.cases import each
from tests.engine.examples import examples
from tests.engine.games import shuffled
from tests.engine.tables import BLUE, RED, Setup
from tests.reference.armies import handicapped

ALL = [
    Handicap(side, omission, *switches)
    for side, omission in product(Side, Omission)
    for switches in product((False, True), repeat=3)
    if omission is not Omission.NOTHING or any(switches)
]
GAMES = [edition.with_army(army.name) for edition in EDITIONS.values() for army in edition.armies]
handicaps = st.sampled_from(ALL)
OPEN = Handicap.parse("red+marshal+open")
ISF = EDITIONS["isf"]


def full_setup(edition: Edition, seed: int = 1) -> Setup:
    return shuffled(edition.army, random.Random(seed), handicap=edition.handicap)


def ranks_of(setup: Setup, side: Side) -> dict[int, Rank]:
    return {at: rank for at, (owner, rank) in setup.pieces.items() if owner is side}


# -- the text


def test_handicap_texts_are_unique() -> None:
    assert [Handicap.parse(str(handicap)) for handicap in ALL] == ALL
    assert len({*map(str, ALL)}) == len(ALL)
    assert str(Handicap(RED, Omission.MARSHAL, double_time=True)) == "red+marshal+time"


@each(
    "text",
    ["", "red", "green+open", "red+", "red+queen", "red+open+marshal", "red+open+open", "Red+open"],
)
def test_malformed_handicaps(text: str) -> None:
    with pytest.raises(NotationError, match="expected the favoured side") as refused:
        Handicap.parse(text)
    assert refused.value.found == text


def test_empty_handicap_is_refused() -> None:
    with pytest.raises(NotationError, match=r"expected the favoured side.*, found 'red'"):
        Handicap(RED)


# -- armies and setup


@each("edition", GAMES, ids=[f"{each.id} {each.army.name}" for each in GAMES])
def test_second_referee_agrees_on_armies(edition: Edition) -> None:
    for side, omission in product(Side, [*Omission][1:]):
        played = replace(edition, handicap=Handicap(side, omission))
        counts = {r.name.lower(): n for r, n in played.army_of(side.other).counts.items() if n}
        expected = handicapped(edition.army.name, omission.value)
        assert counts == {rank: count for rank, count in expected.items() if count}
        assert played.army_of(side) == edition.army
        assert played.army_of(side.other).movable


@given(handicaps, st.sampled_from(GAMES), st.sampled_from([*Omission]), st.integers(0, 99))
@examples(60)
def test_exactly_the_armies_of_the_handicap_can_be_set_up(
    handicap: Handicap, edition: Edition, omission: Omission, seed: int
) -> None:
    """Set up armies with every possible omission. The referee must accept only the army that
    the handicap prescribes."""
    played, name = replace(edition, handicap=handicap), edition.army.name
    chance = random.Random(seed)
    placed = []
    for side in Side:
        given_up = omission if side is not handicap.favoured else Omission.NOTHING
        ranks = [
            Rank[rank.upper()]
            for rank, count in handicapped(name, given_up.value).items()
            for _ in range(count)
        ]
        squares = chance.sample([*squares_in(side.home)], len(ranks))
        placed += [Placed(at, side, rank) for at, rank in zip(squares, ranks, strict=True)]
    is_right = handicapped(name, omission.value) == handicapped(name, handicap.omission.value)
    assert (find_faults(played, placed) == ()) is is_right


def test_favoured_side_sets_up_its_whole_army() -> None:
    edition = replace(ISF, handicap=OPEN)
    placed = [Placed(at, side, rank) for at, (side, rank) in full_setup(edition).pieces.items()]
    assert len(placed) == 79
    assert find_faults(edition, placed) == ()


def test_full_army_is_refused_for_the_handicapped_side() -> None:
    edition = replace(ISF, handicap=OPEN)
    (fault,) = Referee.waiting(edition).apply(PlaceArmies(RED.home, BLUE.home))
    assert isinstance(fault, Violation)
    assert (fault.fault, fault.side, fault.count) == (ViolationKind.WRONG_COUNT, BLUE, 40)


def test_front_bombs_are_omitted() -> None:
    bombs = ("a1", "b1", "c2", "a3", "k3", "b4")
    whole = {square(at): Rank.BOMB for at in bombs} | {square("a4"): Rank.FLAG}
    kept = Handicap.parse("blue+bombs").thin_out(whole)
    assert kept == {square(at): whole[square(at)] for at in ("a1", "b1", "c2", "a4")}


def test_smaller_army_keeps_its_name() -> None:
    assert Handicap.parse("blue+spy").reduce(ORIGINAL).name == ORIGINAL.name


@given(handicaps, st.integers(0, 99))
@examples(20)
def test_setup_loses_its_front_pieces(handicap: Handicap, seed: int) -> None:
    whole = ranks_of(shuffled(ORIGINAL, random.Random(seed)), RED)
    kept = handicap.thin_out(whole)
    assert Counter(kept.values()) == Counter(handicap.reduce(ORIGINAL).pieces)
    for rank in Rank:
        left_out = [at for at in whole if whole[at] is rank and at not in kept]
        assert all(out > at for out in left_out for at in kept if kept[at] is rank)


# -- deduction


def start(edition: Edition, setup: Setup, ranks: Mapping[int, Rank] | None = None) -> Referee:
    referee = Referee.waiting(edition)
    assert referee.apply(replace(setup.placing, ranks=ranks or {})) == (ArmiesPlaced(),)
    return referee


def open_attack(referee: Referee) -> tuple[int, int]:
    """Advance both armies until Red attacks, and return the source and target of the attack."""
    for _ in range(60):
        turns = [turn for turn in referee.legal_moves() if turn.target in NEIGHBOURS[turn.source]]
        attack = next((turn for turn in turns if isinstance(turn, Attack)), None)
        if attack and referee.to_move is RED:
            referee.apply(attack)
            return attack.source, attack.target
        quiet = [turn for turn in turns if isinstance(turn, Move)]
        furthest = max if referee.to_move is RED else min
        referee.apply(furthest(quiet, key=lambda turn: turn.target // 10 - turn.source // 10))
    raise AssertionError("no piece attacked")


def test_omitted_rank_is_impossible() -> None:
    edition = replace(ISF, handicap=Handicap.parse("red+marshal"))
    referee = start(edition, full_setup(edition))
    _, target = open_attack(referee)
    assert not referee.position.ranks_at(target) >> Rank.MARSHAL & 1
    (refused,) = referee.apply(Declare(Secret(BLUE, Rank.MARSHAL)))
    assert isinstance(refused, Contradiction)
    assert refused.proof.ground is Evidence.NOT_IN_ARMY
    assert not isinstance(referee.apply(Declare(Secret(RED, Rank.MARSHAL)))[0], Contradiction)


def test_open_army_declares_nothing() -> None:
    edition = replace(ISF, handicap=OPEN)
    setup = full_setup(edition)
    seen = ranks_of(setup, BLUE)
    referee = start(edition, setup, ranks=seen)
    assert public_view(referee).open_ranks == seen
    source, target = open_attack(referee)
    assert referee.open_attack
    assert referee.open_attack.awaited == (RED,)
    piece = referee.position.board.piece_at(target)
    mine = setup.ranks[referee.position.board.piece_at(source)]
    (combat,) = [
        each for each in referee.apply(Declare(Secret(RED, mine))) if isinstance(each, Combat)
    ]
    assert combat.defender is seen[piece]
    shown = public_view(referee).open_ranks
    standing = referee.position.board.standing(BLUE)
    assert shown == {at: seen[each] for each, at in standing.items()}


def test_only_the_open_army_is_public() -> None:
    """A person alone on the simulated board, whose own ranks the referee can see as well."""
    edition = replace(ISF, handicap=OPEN)
    setup = full_setup(edition)
    referee = start(edition, setup, ranks=setup.ranks)
    public = as_public(referee.position)
    for at in squares_in(RED.home):
        assert only_rank(referee.position.ranks_at(at)) is setup.ranks[at]
        assert len(referee.possible(at)) > 1
        assert public.ranks_at(at) == edition.army_of(RED).ranks
    for at in squares_in(BLUE.home & public.board.of(BLUE)):
        assert only_rank(public.ranks_at(at)) is setup.ranks[at]


def test_unseen_ranks_stay_hidden() -> None:
    edition = replace(ISF, handicap=OPEN)
    assert not public_view(start(edition, full_setup(edition))).open_ranks
    alone = replace(ISF, handicap=Handicap.parse("red+marshal"))
    setup = full_setup(alone)
    assert not public_view(start(alone, setup, ranks=ranks_of(setup, BLUE))).open_ranks


def test_a_sealed_army_with_fewer_pieces_is_opened() -> None:
    edition = replace(ISF, handicap=Handicap.parse("red+general"), sealed_armies=True)
    setup = full_setup(edition)
    armies = {
        side: {at: Opening(rank, f"{at:032x}") for at, rank in ranks_of(setup, side).items()}
        for side in Side
    }
    commitments = {side: ArmyCommitment.of(side, army) for side, army in armies.items()}
    referee = Referee.waiting(edition)
    assert referee.apply(replace(setup.placing, commitments=commitments)) == (ArmiesPlaced(),)
    referee.apply(Resign(RED))
    (opened,) = referee.apply(OpenArmy(BLUE, armies[BLUE]))
    assert isinstance(opened, ArmyOpened)
    assert len(opened.army) == 38
    assert not opened.wrong


# -- records, positions, clocks


@given(handicaps, st.sampled_from(GAMES), st.integers(0, 99))
@examples(40)
def test_records_and_positions_keep_the_handicap(
    handicap: Handicap, edition: Edition, seed: int
) -> None:
    played = replace(edition, handicap=handicap)
    assert read_edition(write_edition(played)) == played
    setup = full_setup(played, seed)
    actions: list[Action] = [setup.placing, Resign(BLUE)]
    transcript = transcribe(played, list(enumerate(actions)), ranks=setup.ranks)
    kept = read_transcript(write_transcript(transcript).encode())
    assert kept == transcript
    assert not judge_transcript(kept, edition).violations
    record = as_record(transcript)
    assert not judge(record, played).violations
    assert bool(judge(record, edition).violations) is (
        handicap.omission.value in _omitting(edition)
    )
    referee = Referee.replay(played, actions[:1])
    text = referee.to_text()
    assert f"handicap={handicap}" in text
    assert Referee.from_text(text).position == referee.position
    assert Position.from_text(referee.position.to_text()).edition == played


def _omitting(edition: Edition) -> list[str]:
    """Return the names of the omissions that remove a piece from the edition's army."""
    whole = handicapped(edition.army.name, "nothing")
    names = [omission.value for omission in Omission]
    return [each for each in names if handicapped(edition.army.name, each) != whole]


def test_a_game_without_a_handicap_has_no_new_key() -> None:
    assert "handicap" not in write_edition(ISF)
    assert "doubled" not in write_control(NO_CLOCK.under(Handicap.parse("red+time")))


def test_the_favoured_side_has_twice_the_time() -> None:
    control = TIME_CONTROLS["bronstein"]
    doubled = control.under(Handicap.parse("blue+time"))
    assert (doubled.allowed(Limit.RED), doubled.allowed(Limit.BLUE)) == (720, 1440)
    assert doubled.allowed(Limit.WHOLE) == (control.whole or 0) + 720
    assert doubled.allowed(Limit.SETUP) == control.setup
    clock = Clock(doubled)
    clock.turn(BLUE, 0)
    assert clock.remaining(BLUE, 1000) == 440
    assert clock.remaining(RED, 1000) == 720
    assert control.under(None) == control.under(Handicap.parse("blue+open")) == control
    assert NO_CLOCK.under(Handicap.parse("blue+time")).allowed(Limit.BLUE) is None
    assert read_control(write_control(doubled)) == control


def test_players_who_swap_their_colours_keep_the_handicap() -> None:
    assert replace(ISF, handicap=OPEN).exchanged().handicap == Handicap.parse("blue+marshal+open")
    assert ISF.exchanged() is ISF
    assert Handicap.parse("red+open+take-backs+time").alone() == Handicap.parse("red+open")
    assert Handicap.parse("red+take-backs+time").alone() is None


def test_only_the_stronger_side_omits_pieces() -> None:
    edition = replace(ISF, handicap=Handicap.parse("blue+scouts"))
    whole = {square("a1"): Rank.FLAG, square("b1"): Rank.SCOUT}
    assert edition.without_omitted(RED, whole) == {square("a1"): Rank.FLAG}
    assert edition.without_omitted(BLUE, whole) == whole
