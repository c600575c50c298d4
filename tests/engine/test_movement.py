"""Tests for movement (rules.md §4). ``r10`` is a piece whose rank is proved, ``r?`` a piece of
unknown rank."""

from hypothesis import given
from hypothesis import strategies as st

from engine.board.board import Board
from engine.board.geometry import (
    BESIDE,
    LAKES,
    SQUARES,
    Side,
    name,
    names,
    set_of,
    square,
    squares_in,
)
from engine.board.ranks import ORIGINAL, Rank, RankSet
from engine.rules import movement
from engine.rules.rules import Rule, ViolationKind
from tests import reference
from tests.engine.cases import each
from tests.engine.examples import examples
from tests.engine.tables import RED, as_drawn

SKIRMISH = """
    10   .   .   .   .   .   .   .   .   .   .
     9   .   .   .   .   .   .   .   .   .   .
     8   .   .   .   .   .   .   .   .   .   .
     7   .   .   .   .  b7   .   .   .   .  b?
     6   .  r3   ~   ~   .   .   ~   ~   .   .
     5  r1  r2   ~   ~  r5   .   ~   ~  b?   .
     4   .   .   .   .   .  r8   .   .   .  r?
     3   .   .   .   .   .   .   .   .   .   .
     2  b2   .   .   .   .   .   .   .  rB   .
     1   .   .  r2   .   .  r2   .   .   .  rF
         a   b   c   d   e   f   g   h   i   k
"""


def fault(way: str, side: Side = RED, drawn: str = SKIRMISH) -> ViolationKind | None:
    board, ranks_at = as_drawn(drawn)
    source, target = map(square, way.split())
    return fault_on(board, side, source, target, ranks_at(source))


def fault_on(
    board: Board, side: Side, source: int, target: int, ranks: RankSet
) -> ViolationKind | None:
    own, enemy = board.of(side), board.of(side.other)
    wrong_piece = movement.find_owner_fault(own, enemy, source)
    return wrong_piece or movement.find_fault(own, enemy, source, target, ranks)


@each(
    "way",
    [
        "e5 e6",
        "e5 f5",
        "e5 e4",
        "a5 a6",
        "a5 a4",
        "f4 g4",
        "k4 k5",
        "k4 k3",
        "k4 k6",  # a long move
        "k4 k7",  # an attack by a long move
        "k4 g4",
        "f1 d1",  # a scout next to another scout of its side
        "f1 f3",
        "f1 i1",
        "b5 b1",
        "c1 c4",  # up to the lake
        "c1 a1",
    ],
)
def test_legal_moves(way: str) -> None:
    assert fault(way) is None


@each(
    ("way", "expected"),
    [
        # an empty source, or a piece that does not belong to the side to move
        ("d8 d9", ViolationKind.NO_PIECE),
        ("c5 c6", ViolationKind.NO_PIECE),
        ("e7 e6", ViolationKind.NOT_YOUR_PIECE),
        ("i5 i6", ViolationKind.NOT_YOUR_PIECE),
        # For bombs and flags, this violation takes precedence over all others.
        ("i2 i3", ViolationKind.IMMOBILE),
        ("k1 k2", ViolationKind.IMMOBILE),
        ("i2 h3", ViolationKind.IMMOBILE),
        ("i2 i5", ViolationKind.IMMOBILE),
        ("k1 f1", ViolationKind.IMMOBILE),
        # diagonal, oblique, or no movement
        ("e5 f6", ViolationKind.NOT_STRAIGHT),
        ("e5 f4", ViolationKind.NOT_STRAIGHT),
        ("f1 g3", ViolationKind.NOT_STRAIGHT),
        ("k4 i5", ViolationKind.NOT_STRAIGHT),
        ("a5 k6", ViolationKind.NOT_STRAIGHT),
        ("e5 e5", ViolationKind.NOT_STRAIGHT),
        # lakes
        ("e5 d5", ViolationKind.INTO_LAKE),
        ("b6 c6", ViolationKind.INTO_LAKE),
        ("b5 d5", ViolationKind.INTO_LAKE),
        ("c1 c5", ViolationKind.INTO_LAKE),
        ("b5 f5", ViolationKind.ACROSS_LAKE),
        ("b6 e6", ViolationKind.ACROSS_LAKE),
        ("c1 c7", ViolationKind.ACROSS_LAKE),
        ("e5 i5", ViolationKind.ACROSS_LAKE),
        # own pieces
        ("a5 b5", ViolationKind.ONTO_OWN_PIECE),
        ("b5 b6", ViolationKind.ONTO_OWN_PIECE),
        ("f1 c1", ViolationKind.ONTO_OWN_PIECE),
        # jumping over pieces of either side
        ("f1 b1", ViolationKind.PIECE_IN_THE_WAY),
        ("f1 f6", ViolationKind.PIECE_IN_THE_WAY),
        ("b5 b8", ViolationKind.PIECE_IN_THE_WAY),
        ("k4 k8", ViolationKind.PIECE_IN_THE_WAY),
        # only a piece that may be a scout may move several squares
        ("e5 e7", ViolationKind.TOO_FAR),
        ("f4 h4", ViolationKind.TOO_FAR),
        ("b6 b10", ViolationKind.TOO_FAR),
        ("a5 a2", ViolationKind.TOO_FAR),
    ],
)
def test_illegal_moves(way: str, expected: ViolationKind) -> None:
    assert fault(way) is expected


def test_blue_moves_likewise() -> None:
    blue = Side.BLUE

    assert fault("e7 e6", blue) is None
    assert fault("a2 a5", blue) is None
    assert fault("a2 a6", blue) is ViolationKind.PIECE_IN_THE_WAY
    assert fault("e5 e6", blue) is ViolationKind.NOT_YOUR_PIECE
    assert fault("i5 h5", blue) is ViolationKind.INTO_LAKE
    assert fault("e7 e5", blue) is ViolationKind.TOO_FAR


def test_edges_do_not_wrap() -> None:
    assert fault("k4 a5") is ViolationKind.NOT_STRAIGHT
    assert movement.is_long_move(square("k4"), square("a5"))


def test_long_move_requires_a_possible_scout() -> None:
    board, _ = as_drawn(SKIRMISH)
    source, target = square("k4"), square("k6")

    def goes_far(ranks: int) -> ViolationKind | None:
        return fault_on(board, RED, source, target, ranks)

    assert goes_far(ORIGINAL.ranks) is None
    assert goes_far(ORIGINAL.ranks & ~(1 << Rank.SCOUT)) is ViolationKind.TOO_FAR
    assert goes_far(1 << Rank.FLAG | 1 << Rank.BOMB) is ViolationKind.IMMOBILE
    assert goes_far(1 << Rank.BOMB | 1 << Rank.SCOUT) is None
    assert goes_far(1 << Rank.BOMB | 1 << Rank.SPY) is ViolationKind.TOO_FAR


@each(("way", "could"), [("i2 i3", True), ("i2 i5", True), ("i2 h3", False)])
def test_moved_bomb_is_judged_by_its_path(way: str, could: bool) -> None:
    board = Board.parse(SKIRMISH)

    assert movement.could_go(board.red, board.blue, *map(square, way.split())) == could


def test_violation_meanings_are_unique() -> None:
    assert {fault.rule for fault in ViolationKind} == set(Rule) - {Rule.COMBAT, Rule.ENDING}
    assert len({fault.meaning for fault in ViolationKind}) == len(ViolationKind)
    assert len({fault.value for fault in ViolationKind}) == len(list(ViolationKind))


def ways_of_a_scout(board: Board, place: str) -> list[int]:
    side = board.side_at(square(place))
    assert side
    return list(movement.scout_targets(board.of(side), board.of(side.other), square(place)))


def test_scout_targets() -> None:
    board = Board.parse(SKIRMISH)

    def scout_on(place: str) -> str:
        return names(set_of(ways_of_a_scout(board, place)))

    assert scout_on("f1") == "d1 e1 g1 h1 i1 f2 f3"
    assert scout_on("b5") == "b1 b2 b3 b4"
    assert scout_on("k4") == "k2 k3 g4 h4 i4 k5 k6 k7"
    assert scout_on("i5") == "i2 i3 i4 k5 i6 i7 i8 i9 i10"


def test_free_square_gives_neighbours_room() -> None:
    assert movement.has_free_neighbour(movement.LAND) == 0
    for place in squares_in(movement.LAND):
        assert (
            movement.has_free_neighbour(movement.LAND & ~(1 << place))
            == BESIDE[place] & movement.LAND
        ), name(place)


def test_step_targets() -> None:
    board = Board.parse(SKIRMISH)

    def steps_of(place: str) -> str:
        return names(set_of(movement.steps(board.red, square(place))))

    assert steps_of("e5") == "e4 f5 e6"
    assert steps_of("a5") == "a4 a6"
    assert steps_of("k4") == "k3 i4 k5"


@each(
    ("step", "ahead"),
    [
        ("e8 e9", ["e9", "e10"]),
        ("e4 d4", ["d4", "c4", "b4", "a4"]),
        ("h1 i1", ["i1", "k1"]),
        ("k3 k2", ["k2", "k1"]),
        ("b1 a1", ["a1"]),
    ],
)
def test_scout_path_ends_at_the_edge(step: str, ahead: list[str]) -> None:
    assert [name(place) for place in movement._ahead(*map(square, step.split()))] == ahead


@each(
    ("way", "onward"),
    [("e4 e5", "f5 e6"), ("e1 e3", "d3 f3 e4"), ("k1 k10", "i10"), ("e5 b1", "a1 c1 b2")],
)
def test_squares_onward_exclude_the_way_back(way: str, onward: str) -> None:
    source, target = map(square, way.split())
    assert names(movement._onward(source)[target]) == onward


def test_open_squares_exclude_lakes() -> None:
    between = movement._fault_or_path(square("a4"), square("a7"))

    assert isinstance(between, int)
    assert names(between) == "a5 a6"
    assert movement._fault_or_path(square("a4"), square("a5")) == 0
    assert movement._fault_or_path(square("c4"), square("c7")) is ViolationKind.ACROSS_LAKE


squares = st.sampled_from([place for place in SQUARES if not LAKES >> place & 1])
pieces = st.dictionaries(
    squares, st.tuples(st.sampled_from(Side), st.sampled_from(Rank)), min_size=1, max_size=60
)


@given(pieces)
@examples(25)
def test_second_referee_agrees_on_moves(
    standing: dict[int, tuple[Side, Rank]],
) -> None:
    board = Board(
        {place: place for place, (side, _) in standing.items() if side is RED},
        {place: place for place, (side, _) in standing.items() if side is not RED},
    )
    game = reference.ReferenceGame(
        {
            reference.SQUARES[place]: reference.Piece(side.value, rank.name.lower())
            for place, (side, rank) in standing.items()
        },
        limit=3,
    )
    game.ending = None  # the game continues even if neither side can move
    for source, (side, rank) in standing.items():
        free = [t for t in SQUARES if not fault_on(board, side, source, t, 1 << Rank.SCOUT)]
        assert sorted(ways_of_a_scout(board, name(source))) == free
        assert bool(movement.has_free_neighbour(board.of(side)) >> source & 1) == bool(free)
        for target in SQUARES:
            found = fault_on(board, RED, source, target, 1 << rank)
            broken = game.broken_rules(name(source), name(target))
            assert (found.rule.value in broken) if found else not broken
