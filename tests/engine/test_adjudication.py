"""Judging recorded games: a real one, copies of it spoiled in one place, and random ones."""

import random
import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import cycle, islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.actions import Move, OpenAttack
from engine.adjudication import Verdict, action_of, judge
from engine.editions import EDITIONS, Edition
from engine.ranks import BARRAGE, DUEL, ORIGINAL, Army, Rank
from engine.record import Record, RecordedMove
from engine.records import read
from engine.records.gravon import write_field
from engine.records.gravon_xml import read_gravon_xml, write_gravon_xml
from engine.referee import Referee
from engine.rules import Fault, Rule
from engine.rulings import Combat, GameOver, Reason, Violation
from engine.squares import name, names, set_of, square
from tests.engine import obvious
from tests.engine.examples import examples
from tests.engine.games import Game, Way, shuffled
from tests.engine.tables import BLUE, RED, Setup

ISF = EDITIONS["isf"]
DRAW = GameOver(None, Reason.AGREED_DRAW)
LIMITS = [
    pytest.param(edition, limit, id=f"{edition.id}-{limit}")
    for edition in EDITIONS.values()
    for limit in edition.limits or (edition.two_squares_limit,)
]
editions = pytest.mark.parametrize("edition", EDITIONS.values(), ids=list(EDITIONS))


def gravon_name(place: str) -> str:
    """Write a square as the Gravon archive does."""
    return place[0].upper() + place[1:].replace("10", ":")


def with_moves(recorded: bytes, ways: Iterable[Way]) -> Record:
    """Read the recorded game with other moves."""
    head, tail = recorded.split(b"  <move", 1)[0], b"  <player" + recorded.split(b"<player", 1)[1]
    moves = [
        f'<move id="{number}" source="{gravon_name(source)}" target="{gravon_name(target)}"/>\n'
        for number, (source, target) in enumerate(ways, start=1)
    ]
    return read_gravon_xml(head + "".join(moves).encode() + tail)


def ways_of(record: Record) -> list[Way]:
    return [(name(move.source), name(move.target)) for move in record.moves]


def record_of(setup: Setup, ways: Iterable[Way], result: GameOver | None = None) -> Record:
    moves = tuple(RecordedMove(square(source), square(target)) for source, target in ways)
    return Record(setup.ranks, setup.placing.red, setup.placing.blue, moves, result)


def setup_of(record: Record) -> Setup:
    return Setup(
        {
            place: (RED if record.red >> place & 1 else BLUE, rank)
            for place, rank in record.ranks.items()
        }
    )


def obvious_after(record: Record, ways: Iterable[Way], limit: int = 3) -> obvious.ObviousGame:
    """Play moves before the second referee."""
    game = setup_of(record).obvious(limit)
    for way in ways:
        game.play(*way)
    return game


def only(verdict: Verdict) -> tuple[int | None, Fault, Rule]:
    (violation,) = verdict.violations
    return verdict.ply, violation.fault, violation.fault.rule


# -- the real game


@editions
def test_the_real_game_is_legal(recorded: bytes, edition: Edition) -> None:
    verdict = judge(read_gravon_xml(recorded), edition)

    assert verdict == Verdict(plies=206, outcome=GameOver(BLUE, Reason.FORFEIT))


@editions
def test_every_combat_of_the_real_game(recorded: bytes, edition: Edition) -> None:
    record = read_gravon_xml(recorded)
    game = setup_of(record).obvious(edition.two_squares_limit)
    referee = Referee(edition, known=record.ranks)
    referee.apply(setup_of(record).placing)
    fought: list[tuple[str, str, str | None]] = []
    expected: list[tuple[str, str, str | None]] = []
    remains = {"attacker-wins": "attacker", "defender-wins": "defender", "both-fall": "nobody"}

    for move, way in zip(record.moves, ways_of(record), strict=True):
        ranks = [game.standing[place].rank for place in way if place in game.standing]
        result = game.play(*way)
        if result:
            expected.append((ranks[0], ranks[1], result))
        action = action_of(move, referee)
        combat = referee.apply(action)[-1]
        assert isinstance(combat, Combat) == isinstance(action, OpenAttack) == bool(result)
        if isinstance(combat, Combat):
            assert combat.defender is not None
            ranks = [combat.attacker.name.lower(), combat.defender.name.lower()]
            fought.append((ranks[0], ranks[1], remains[combat.result.value]))

    assert fought == expected
    results = Counter(result for _, _, result in fought)
    assert results == {"defender": 16, "attacker": 8, "nobody": 4}


@editions
def test_the_beginning_of_the_real_game_is_legal(recorded: bytes, edition: Edition) -> None:
    ways = ways_of(read_gravon_xml(recorded))

    for plies in (0, 1, 2, 50, 205):
        verdict = judge(with_moves(recorded, ways[:plies]), edition)
        assert (verdict.violations, verdict.plies) == ((), plies)


def test_a_result_that_the_record_does_not_tell_is_none(recorded: bytes) -> None:
    record = replace(read_gravon_xml(recorded), result=None)

    assert judge(record, ISF).outcome is None


# -- copies spoiled in one place


@editions
@pytest.mark.parametrize("ply", [1, 2, 57, 120, 206])
def test_a_move_turned_into_a_diagonal_step(recorded: bytes, edition: Edition, ply: int) -> None:
    source, target = ways_of(read_gravon_xml(recorded))[ply - 1]
    column, row = obvious.COLUMNS.index(source[0]), int(source[1:])
    diagonal = obvious.COLUMNS[column + (1 if column < 9 else -1)] + str(row + 1 if row < 10 else 9)
    old, new = (
        f'id="{ply}" source="{gravon_name(source)}" target="{gravon_name(end)}"'.encode()
        for end in (target, diagonal)
    )
    assert recorded.count(old) == 1

    verdict = judge(read_gravon_xml(recorded.replace(old, new)), edition)

    assert only(verdict) == (ply, Fault.NOT_STRAIGHT, Rule.MOVEMENT)
    assert verdict.outcome is None
    assert verdict.violations[0].squares == set_of(map(square, (source, diagonal)))
    assert verdict.violations[0].source == edition.cite(Rule.MOVEMENT)


@editions
@pytest.mark.parametrize("rank", ["bomb", "flag"])
@pytest.mark.parametrize("ply", [1, 2, 57, 120, 206])
def test_a_bomb_or_the_flag_is_moved(
    recorded: bytes, edition: Edition, rank: str, ply: int
) -> None:
    record = read_gravon_xml(recorded)
    before = ways_of(record)[: ply - 1]
    game = obvious_after(record, before)
    where = [p for p, x in game.standing.items() if (x.side, x.rank) == (game.to_move, rank)]
    for direction in obvious.DIRECTIONS:
        for target in islice(obvious.ahead(where[0], direction), 1):
            verdict = judge(with_moves(recorded, [*before, (where[0], target)]), edition)

            assert only(verdict) == (ply, Fault.IMMOBILE, Rule.IMMOBILE_PIECE)
            loses = edition.id in ("gravopedia-2006", "travel-2017")
            lost = GameOver(BLUE if game.to_move == "red" else RED, Reason.MOVED_BOMB)
            assert verdict.outcome == (lost if loses else None)


@editions
@pytest.mark.parametrize("ply", [1, 2, 57, 120, 206])
def test_the_other_side_moves(recorded: bytes, edition: Edition, ply: int) -> None:
    record = read_gravon_xml(recorded)
    before = ways_of(record)[: ply - 1]
    game = obvious_after(record, before)
    game.to_move = "blue" if game.to_move == "red" else "red"

    verdict = judge(with_moves(recorded, [*before, game.legal_moves()[0]]), edition)

    assert only(verdict) == (ply, Fault.NOT_YOUR_PIECE, Rule.OUT_OF_TURN)


def to_and_fro(record: Record, plies: int, crossings: int) -> list[Way]:
    """Let the next side cross one border over and over, and the other take walks meanwhile."""
    ways = ways_of(record)[:plies]
    game = obvious_after(record, ways, limit=99)
    mover = game.to_move
    there = next(
        way
        for way in game.legal_moves()
        if way[1] not in game.standing and len(obvious.path(*way)) == 2
    )
    own = islice(cycle([there, there[::-1]]), crossings)
    for way in own:
        game.play(*way)
        ways.append(way)
        walk = next(
            way
            for way in game.legal_moves()
            if way[1] not in game.standing
            and way[1] not in there
            and all(way != (made.target, made.source) for made in game.moves[game.to_move][-1:])
        )
        game.play(*walk)
        ways.append(walk)
    assert mover == game.to_move
    return ways[:-1]


@pytest.mark.parametrize(("edition", "limit"), LIMITS)
@pytest.mark.parametrize("plies", [0, 57, 120])
def test_one_crossing_too_many(recorded: bytes, plies: int, edition: Edition, limit: int) -> None:
    record = read_gravon_xml(recorded)
    border = {*to_and_fro(record, plies, 6)[plies]}
    edition = replace(edition, two_squares_limit=limit)

    def verdict(crossings: int) -> Verdict:
        return judge(with_moves(recorded, to_and_fro(record, plies, crossings)), edition)

    assert verdict(limit).violations == ()
    worn = (plies + 2 * limit + 1, Fault.TO_AND_FRO, Rule.TWO_SQUARES)
    assert only(verdict(limit + 1)) == worn
    assert only(verdict(limit + 3)) == worn
    (violation,) = verdict(limit + 1).violations
    assert {*names(violation.squares).split()} == border
    assert (violation.count, violation.source) == (limit, edition.cite(Rule.TWO_SQUARES))


# -- chases

CHASE = """
    10   .   .   .   .   .   .   .   .   .  bF
     9   .   .   .   .   .   .   .   .   .   .
     8   .   .   .   .   .   .   .   .   .   .
     7   .   .   .   .   .  b3   .   .  b9  b2
     6   .   .   ~   ~   .   .   ~   ~   .   .
     5   .   .   ~   ~   .   .   ~   ~   .   .
     4   .   .   .   .  r2  r9   .   .   .   .
     3   .   .   .   .   .   .   .   .   .   .
     2   .   .   .   .   .   .   .   .   .   .
     1  rF   .   .   .   .   .  r3   .   .   .
         a   b   c   d   e   f   g   h   i   k
"""
CHASES = {
    "a scout chases around four squares": """
        e4-e5 f7-f6 e5-e6 f6-f5 e6-f6 f5-e5 f6-f5 e5-e6 f5-e5 e6-f6 e5-e6
    """,
    "two chasers take turns": """
        e4-e5 f7-f6 e5-e6 f6-f5 e6-f6 f5-e5 f4-e4 e5-f5 e4-e5 f5-f4 e5-e4 f4-f5 e4-f4
    """,
    "a scout that runs chases three pieces": """
        e4-e5 f7-f6 e5-e6 f6-f7 e6-e7 f7-f6 e7-h7 i7-i6 h7-i7 k7-k1 i7-f7 f6-e6 f7-e7 e6-f6 e7-i7
    """,
}
"""The last move threatens a piece that has evaded, in a position that has stood before."""


@editions
@pytest.mark.parametrize("chase", CHASES.values(), ids=list(CHASES))
def test_a_chase_is_endless_where_the_edition_has_the_rule(edition: Edition, chase: str) -> None:
    ways = [(move[:2], move[3:]) for move in chase.split()]
    setup = Setup.parse(CHASE)
    edition = replace(edition, army=setup.army, armies=())

    verdict = judge(record_of(setup, ways), edition)

    assert judge(record_of(setup, ways[:-1]), edition).violations == ()
    if edition.id in ("compact-1992", "original-1992"):
        assert verdict == Verdict(len(ways))
    else:
        assert only(verdict) == (len(ways), Fault.CHASE_REPEATS, Rule.MORE_SQUARES)
        assert verdict.violations[0].source == edition.cite(Rule.MORE_SQUARES)


# -- setups


def with_field(recorded: bytes, changes: dict[str, str]) -> Record:
    """Read the recorded game with other letters on some squares."""
    found = re.search(rb'content="(.{100})"', recorded)
    assert found
    letters = [*found[1].decode()]
    for place, letter in changes.items():
        letters[square(place)] = letter
    return read_gravon_xml(recorded.replace(found[1], "".join(letters).encode()))


def place_of(recorded: bytes, side: str, rank: str) -> str:
    game = setup_of(read_gravon_xml(recorded)).obvious(3)
    return next(p for p, piece in game.standing.items() if (piece.side, piece.rank) == (side, rank))


def faults(verdict: Verdict) -> list[tuple[Fault, str]]:
    return [(violation.fault, names(violation.squares)) for violation in verdict.violations]


@editions
def test_a_second_marshal_instead_of_the_general(recorded: bytes, edition: Edition) -> None:
    general, marshal = (place_of(recorded, "red", rank) for rank in ("general", "marshal"))

    verdict = judge(with_field(recorded, {general: "L"}), edition)

    squares = names(set_of(map(square, (general, marshal))))
    assert faults(verdict) == [(Fault.WRONG_ARMY, squares)]
    assert (verdict.ply, verdict.plies, verdict.outcome) == (None, 206, None)
    assert verdict.violations[0].fault.rule is Rule.SETUP


@editions
def test_everything_that_is_wrong_with_a_setup_at_once(recorded: bytes, edition: Edition) -> None:
    """Red: a bomb for the spy. Blue: one piece in a lake, one among Red's rows, one missing."""
    spy = place_of(recorded, "red", "spy")
    bombs = [p for p, r in read_gravon_xml(recorded).ranks.items() if r is Rank.BOMB]
    red_bombs = [place for place in bombs if RED.home >> place & 1]
    changes = {spy: "B", "a10": "A", "k10": "A", "b10": "A", "c5": "O", "a5": "O"}

    record = with_field(recorded, changes)
    verdict = judge(record, edition)

    assert faults(verdict) == [
        (Fault.WRONG_ARMY, names(set_of([*red_bombs, square(spy)]))),
        (Fault.WRONG_COUNT, names(record.blue)),
        (Fault.OUTSIDE_HOME, "a5"),
        (Fault.ON_LAKE, "c5"),
    ]
    assert {violation.source for violation in verdict.violations} == {edition.cite(Rule.SETUP)}
    assert verdict.ply is None


@editions
def test_sides_that_have_changed_places(recorded: bytes, edition: Edition) -> None:
    record = read_gravon_xml(recorded)

    verdict = judge(replace(record, red=record.blue, blue=record.red), edition)

    assert [fault for fault, _ in faults(verdict)] == [Fault.OUTSIDE_HOME] * 2


def test_an_empty_board(recorded: bytes) -> None:
    verdict = judge(Record({}, 0, 0, (), None), ISF)

    assert faults(verdict) == [(Fault.WRONG_COUNT, "")] * 2


# -- small armies


def as_chase(record: Record) -> bytes:
    """Write a game as the chase files do (RULES §11)."""
    lines = [write_field(record)]
    for ply, move in enumerate(record.moves):
        ends = move.source, move.target
        (row, column), (to_row, to_column) = (divmod(99 - e if ply % 2 else e, 10) for e in ends)
        along_a_column = column == to_column
        code = to_row - (to_row > row) if along_a_column else to_column - (to_column > column) + 9
        lines.append(str(100 * code + 10 * row + column))
    return "\n".join(lines).encode()


FORMATS = {"Gravon XML": write_gravon_xml, "chase": as_chase}


@editions
@pytest.mark.parametrize("army", [DUEL, BARRAGE], ids=lambda army: army.name)
@pytest.mark.parametrize("write", FORMATS.values(), ids=list(FORMATS))
def test_a_game_of_a_small_army_is_judged_where_the_edition_has_it(
    edition: Edition, army: Army, write: Callable[[Record], bytes]
) -> None:
    chance = random.Random(1)
    game = Game(shuffled(army, chance), ISF.with_army(army.name), chance, peaceful=True)
    game.play(12)

    record = read(write(record_of(game.setup, game.ways, DRAW)))
    assert isinstance(record, Record)
    verdict = judge(record, edition)

    assert verdict.plies == len(game.ways) == 12
    assert verdict.ply is None
    if army in edition.armies:
        assert verdict.violations == ()
    else:
        assert {violation.fault.rule for violation in verdict.violations} == {Rule.SETUP}
        assert [fault for fault, _ in faults(verdict)] == [Fault.WRONG_COUNT] * 2


# -- endings

ENDS = """
    10  bF   .   .   .   .   .   .   .   .   .
     9   .   .   .   .   .   .   .   .   .   .
     8   .   .   .   .   .   .   .   .   .   .
     7   .   .   .   .   .   .   .   .   .  b2
     6   .   .   ~   ~   .   .   ~   ~   .   .
     5   .   .   ~   ~   .   .   ~   ~   .   .
     4  r2   .   .   .   .   .   .   .   .   .
     3   .   .   .   .   .   .   .   .   .   .
     2   .   .   .   .   .   .   .   .   .   .
     1   .   .   .   .   .   .   .   .   .  rF
         a   b   c   d   e   f   g   h   i   k
"""


def test_what_the_rules_prove_counts_more_than_what_the_record_says() -> None:
    setup = Setup.parse(ENDS)

    verdict = judge(record_of(setup, [("a4", "a10")], DRAW), setup.edition())

    assert verdict == Verdict(1, outcome=GameOver(RED, Reason.FLAG_CAPTURED))


def test_what_the_record_says_counts_where_the_rules_prove_nothing() -> None:
    setup = Setup.parse(ENDS)

    assert judge(record_of(setup, [("a4", "a9")], DRAW), setup.edition()).outcome == DRAW


def test_a_move_after_the_end() -> None:
    setup = Setup.parse(ENDS)
    ways = [("a4", "a10"), ("k7", "k6"), ("a10", "a9")]

    verdict = judge(record_of(setup, ways, DRAW), setup.edition())

    assert only(verdict) == (2, Fault.GAME_IS_OVER, Rule.OUT_OF_TURN)


def test_a_recorded_move_is_an_attack_exactly_if_it_ends_on_an_opposing_piece() -> None:
    setup = Setup.parse(ENDS)
    referee = Referee(setup.edition())
    referee.apply(setup.placing)

    def action(source: str, target: str) -> type[Move | OpenAttack]:
        return type(action_of(RecordedMove(square(source), square(target)), referee))

    assert action("a4", "a10") is OpenAttack
    assert action("k1", "k7") is OpenAttack
    assert action("a4", "a9") is Move
    assert action("k7", "a4") is Move  # Red's turn
    referee.apply(Move(square("a4"), square("a5")))
    assert action("k7", "k1") is OpenAttack
    assert action("a5", "a10") is Move


SHUT_IN = """
    10  b3  bF   .   .   .   .   .   .   .   .
     9  bB   .   .   .   .   .   .   .   .   .
     8   .   .   .   .   .   .   .   .   .   .
     7   .   .   .   .   .   .   .   .  b2  bB
     6   .   .   ~   ~   .   .   ~   ~   .   .
     5   .   .   ~   ~   .   .   ~   ~   .   .
     4   .   .   .   .   .   .   .   .  rB  r2
     3   .   .   .   .   .   .   .   .   .   .
     2  rB   .   .   .   .   .   .   .   .   .
     1  r3  rF   .   .   .   .   .   .   .   .
         a   b   c   d   e   f   g   h   i   k
"""


@editions
def test_who_is_shut_in_has_lost_and_a_further_move_is_illegal_for_its_own_reason(
    edition: Edition,
) -> None:
    setup = Setup.parse(SHUT_IN)
    edition = replace(edition, army=setup.army, armies=())
    ways = [("k4", "k7"), ("i7", "i6")]
    lost = GameOver(BLUE, Reason.NO_LEGAL_MOVE)

    assert judge(record_of(setup, ways, DRAW), edition) == Verdict(2, outcome=lost)
    for way, fault in {
        ("a1", "a2"): Fault.ONTO_OWN_PIECE,
        ("a1", "b2"): Fault.NOT_STRAIGHT,
        ("a2", "a3"): Fault.IMMOBILE,
        ("i6", "i5"): Fault.NOT_YOUR_PIECE,
    }.items():
        verdict = judge(record_of(setup, [*ways, way]), edition)
        assert (only(verdict), verdict.outcome) == ((3, fault, fault.rule), lost)


@editions
def test_both_sides_shut_in(edition: Edition) -> None:
    setup = Setup.parse(SHUT_IN)
    ways = [("k4", "k7"), ("i7", "i4")]

    verdict = judge(record_of(setup, ways), replace(edition, army=setup.army, armies=()))

    draw, lost = GameOver(None, Reason.BOTH_IMMOBILE), GameOver(BLUE, Reason.NO_LEGAL_MOVE)
    assert verdict == Verdict(2, outcome=draw if edition.id == "isf" else lost)


# -- random games as records


@editions
@given(st.integers(0, 2**32 - 1), st.integers(1, 120), st.data())
@examples(6)
def test_random_games_are_legal_up_to_the_move_that_is_spoiled(
    edition: Edition, seed: int, plies: int, data: st.DataObject
) -> None:
    chance = random.Random(seed)
    edition = edition.with_army("original")
    game = Game(shuffled(ORIGINAL, chance), edition, chance)
    game.play(plies)
    record = record_of(game.setup, game.ways)
    verdict = judge(record, edition)
    assert (verdict.violations, verdict.plies) == ((), len(game.ways))

    spoiled = data.draw(st.integers(0, len(game.ways) - 1))
    before = game.setup.obvious(edition.two_squares_limit, edition.more_squares)
    for way in game.ways[:spoiled]:
        before.play(*way)
    wrong = chance.choice(obvious.SQUARES), chance.choice(obvious.SQUARES)
    broken = before.broken_rules(*wrong)
    ways = [*game.ways[:spoiled], wrong, *game.ways[spoiled + 1 :]]
    verdict = judge(record_of(game.setup, ways), edition)
    if broken:
        ply, _, rule = only(verdict)
        assert ply == spoiled + 1
        assert rule.value in broken
    else:
        assert verdict.ply != spoiled + 1


def test_the_verdict_is_about_the_first_illegal_ply(recorded: bytes) -> None:
    ways = ways_of(read_gravon_xml(recorded))
    ways[100] = ways[50] = ("a1", "b2")

    assert judge(with_moves(recorded, ways), ISF).ply == 51


def test_violations_are_rulings_like_those_at_the_board(recorded: bytes) -> None:
    verdict = judge(with_moves(recorded, [("e4", "e5"), ("e4", "e5")]), ISF)

    squares = set_of(map(square, ("e4", "e5")))
    assert verdict.violations == (Violation(Fault.NO_PIECE, squares, ISF.cite(Rule.MOVEMENT)),)
