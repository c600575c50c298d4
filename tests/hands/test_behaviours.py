"""Tests for activities that consist of several movements: attacks, cleanup, sleeves, hesitation
and mistakes."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from engine import Side
from engine.board.geometry import set_of, square
from tests.hands.accidents import Sleeve, adjust, find_slip
from tests.hands.attacks import Choice, Strike, make_move
from tests.hands.behaviours import STYLES, Behaviour, Habit, Habits
from tests.hands.board import GroundTruth, Turn
from tests.hands.clearing import clear, put_right
from tests.hands.film import EDITION, hand, pictures, room_with
from tests.hands.profiles import ADJUSTS, DROPOUTS, PAUSES, PROFILES, STANDS
from tests.hands.scheduler import Act, Duration
from tests.hands.shared_state import SharedState

E4, E5, E6, E7, F5 = map(square, ("e4", "e5", "e6", "e7", "f5"))
STEP = Turn(E4, E5, attacks=False)
RUN = Turn(E4, E7, attacks=False)
STRIKE = Turn(E4, E5, attacks=True)
CHOICE = Choice(
    set_of([square("d4")]),
    (
        Turn(E4, square("f4"), attacks=False),
        Turn(E4, E6, attacks=False),
        Turn(square("d4"), square("d5"), attacks=False),
    ),
)


def with_habits(habits: Habits, *pieces: str, seed: int = 0) -> SharedState:
    return room_with(*pieces, profile=replace(PROFILES["clean"], habits=habits), seed=seed)


def moved(habits: Habits, turn: Turn = STEP, seed: int = 0, ms: int = 9000) -> list[str]:
    room = with_habits(habits, "red e4", "red d4", seed=seed)
    act = make_move(hand(room), turn, CHOICE)
    shown = pictures(room, act, "d4 e4 e5 e6 e7 f4 f5", ms)
    assert [*room.done] == [each.value for each in habits]
    return shown


def test_plain_move() -> None:
    assert moved({}) == ["rr.....", "r......", "r.r...."]


def test_reconsidered_move() -> None:
    seen = {tuple(moved({Behaviour.RECONSIDER: Habit(1, STANDS)}, seed=n)) for n in range(8)}
    others = {picture for each in seen for picture in each} - {"rr.....", "r......", "r.r...."}
    assert others == {"r....r.", "r..r..."}


def test_tried_piece_is_put_back() -> None:
    room = with_habits({Behaviour.GIVE_UP: Habit(1, STANDS)}, "red e4", "red d4")
    act = make_move(hand(room), STEP, CHOICE)
    shown = pictures(room, act, "d4 d5 e4 e5", 9000)
    assert shown == ["r.r.", "..r.", ".rr.", "..r.", "r.r.", "r...", "r..r"]


def test_another_piece_is_touched() -> None:
    shown = moved({Behaviour.TOUCH: Habit(1, PAUSES)})
    assert shown == ["rr.....", ".r.....", "rr.....", "r......", "r.r...."]


def test_neighbour_is_lifted_too() -> None:
    shown = moved({Behaviour.TWO_UP: Habit(1, PAUSES)})
    assert shown[0] == "rr....."
    assert "......." in shown
    assert shown[-1] == "r.r...."


def test_scout_stops_on_its_way() -> None:
    seen = [tuple(moved({Behaviour.RUN_PAUSE: Habit(1, PAUSES)}, RUN, n)) for n in range(8)]
    assert ("rr.....", "r......", "r.r....", "r......", "r...r..") in seen
    assert {each[-1] for each in seen} == {"r...r.."}


def test_off_centre_piece_is_nudged() -> None:
    room = with_habits({Behaviour.DROPOUT: Habit(1, DROPOUTS)}, "red e4")
    by = hand(room)
    shown = pictures(room, make_move(by, STEP, Choice()), "e4 e5", 9000)
    assert shown == ["r.", "..", ".r"]
    assert by.task.over_at is not None
    assert by.task.release_at is not None
    assert 200 <= by.task.over_at - by.task.release_at <= 3000
    assert not room.disturbance


def strike(style: Behaviour, seed: int) -> tuple[SharedState, list[str]]:
    room = room_with("red e4", "blue e5", seed=seed)
    attacker = room.board.at(E4)
    assert attacker
    by, other = hand(room), hand(room, Side.BLUE)
    attack = Strike(by, other, attacker, STRIKE, set_of([E6, F5]), Choice())
    shown = pictures(room, attack.perform(style), "e4 e5 e6 f5", 6000)
    assert room.done == {style.value: 1}
    assert by.task.over_at
    return room, shown


ENDS: Mapping[Behaviour, set[str]] = {
    Behaviour.SET_DOWN: {".r..", ".b.."},
    Behaviour.OTHER_HAND: {".r.."},
    Behaviour.BOTH_UP: {"...."},
    Behaviour.BOTH_UP_DEFENDER: {"...."},
    Behaviour.TAP: {"rb.."},
    Behaviour.LEAN: {"rb..", ".b..", ".r.."},
    Behaviour.SHOVE: {".r..", ".rb.", ".r.b"},
    Behaviour.DEFENDER_LIFTS: {".r..", "...."},
    Behaviour.ON_SCREEN: {"rb..", ".b.."},
    Behaviour.OWNER_FIRST: {".r..", "...."},
}


@pytest.mark.parametrize("style", STYLES)
def test_styles_of_attack(style: Behaviour) -> None:
    ends = {strike(style, seed)[1][-1] for seed in range(40)}
    assert ends == ENDS[style]


def test_first_lift_is_visible() -> None:
    assert strike(Behaviour.BOTH_UP, 0)[1] == ["rb..", ".b..", "...."]
    assert strike(Behaviour.BOTH_UP_DEFENDER, 0)[1] == ["rb..", "r...", "...."]


def test_attack_by_screen() -> None:
    room, _ = strike(Behaviour.ON_SCREEN, 0)
    command = {"side": "red", "what": "attack", "source": "e4", "target": "e5"}
    assert room.commands == [{"say": command}]


def test_scout_stops_and_attacks() -> None:
    seen = set()
    for seed in range(20):
        room = with_habits({Behaviour.STRIKE_ON: Habit(1, PAUSES)}, "red e4", "blue e6", seed=seed)
        attacker = room.board.at(E4)
        assert attacker
        turn = Turn(E4, E6, attacks=True)
        attack = Strike(hand(room), hand(room, Side.BLUE), attacker, turn, 0, Choice())
        shown = pictures(room, attack.perform(Behaviour.BOTH_UP), "e4 e5 e6", 9000)
        assert shown[:4] == ["r.b", "..b", ".rb", "..b"]
        seen.add(shown[-1])
    assert seen == {".rb", "..r", "..b"}


def after(habits: Habits, seed: int = 0) -> tuple[SharedState, list[str]]:
    """Clean up after an attack from e4 on e5 that Red wins, and return the images."""
    room = with_habits(habits, "red e4", "blue e5", "blue e7", seed=seed)
    at = {where: room.board.at(where) for where in (E4, E5, E7)}
    before = {where: (piece.side, piece.origin) for where, piece in at.items() if piece}
    wanted = {E5: before[E4], E7: before[E7]}
    room.board.lift(E4)
    room.board.lift(E5)
    act = clear(hand(room), hand(room, Side.BLUE), STRIKE, wanted, before)
    shown = pictures(room, act, "e4 e5 e6 f5 e7", 15000)
    assert shown[-1] == ".r..b"
    assert not room.disturbance
    return room, shown


def test_winner_is_placed() -> None:
    _, shown = after({})
    assert shown[-2:] == ["....b", ".r..b"]


def test_winner_is_lifted_again() -> None:
    room, shown = after({Behaviour.RETAKE: Habit(1, PAUSES)})
    assert shown[-4:] == ["....b", ".r..b", "....b", ".r..b"]
    assert room.done == {"clear-retake": 1}


def test_both_are_put_back() -> None:
    room, shown = after({Behaviour.BOTH_BACK: Habit(1, PAUSES)})
    assert "rb..b" in shown
    assert room.done == {"clear-both-back": 1}


def test_loser_stays_on_the_board() -> None:
    shown = {tuple(after({Behaviour.LATE_LOSER: Habit(1, PAUSES)}, n)[1]) for n in range(20)}
    strays = {picture for each in shown for picture in each}
    assert ".rb.b" in strays
    assert ".r.bb" in strays
    # The piece for the next turn is lifted before the loser is removed.
    assert {".rb..", ".r.b."} & strays


def test_opponent_clears_the_board() -> None:
    room, _ = after({Behaviour.OTHER_PLACES: Habit(1), Behaviour.WINNER_FIRST: Habit(1)})
    assert room.done == {"clear-other-places": 1, "clear-winner-first": 1}


def test_restoring_the_board() -> None:
    room = room_with("red e4", "blue e5", "blue e7")
    at = {each: room.board.at(each) for each in (E4, E5, E7)}
    wanted = {where: (piece.side, piece.origin) for where, piece in at.items() if piece}
    room.board.put(room.board.lift(E4), E7)
    room.board.put(room.board.lift(E5), E6)
    shown = pictures(room, put_right(hand(room), wanted), "e4 e5 e6 e7", 9000)
    assert shown[-1] == "rb.b"


@pytest.mark.parametrize(
    ("behaviour", "harmed"),
    [
        (Behaviour.SLEEVE_TIP, {"..."}),
        (Behaviour.SLEEVE_HALF, {"..."}),
        (Behaviour.SLEEVE_NEXT, {".r.", "..r"}),
    ],
)
def test_sleeve_displaces_pieces(behaviour: Behaviour, harmed: set[str]) -> None:
    seen = set()
    for seed in range(12):
        room = with_habits({behaviour: Habit(1, Duration.even(3000, 4000))}, "red e4", seed=seed)
        sleeve = Sleeve(room, Side.RED)
        sweep = sleeve.sweep(behaviour, set_of([E4]), set_of([E5, square("f4")]))
        room.world.start(sweep)
        room.world.advance(room.world.now + 1500)
        assert room.disturbance
        seen.add(pictures(room, iter_nothing(), "e4 e5 f4", 40)[-1])
        assert pictures(room, iter_nothing(), "e4 e5 f4", 9000)[-1] == "r.."
        assert not room.disturbance
        assert room.done == {behaviour.value: 1}
    assert seen == harmed


def iter_nothing() -> Act:
    yield 0


def test_reported_displacement_is_restored() -> None:
    room = with_habits({Behaviour.SLEEVE_TIP: Habit(1, Duration.even(60000, 70000))}, "red e4")
    sleeve = Sleeve(room, Side.RED)
    room.world.start(sleeve.sweep(Behaviour.SLEEVE_TIP, set_of([E4]), 0))
    room.world.advance(room.world.now + 1000)
    sleeve.has_complained = True
    assert pictures(room, iter_nothing(), "e4", 5000)[-1] == "r"


def test_owner_straightens_a_piece() -> None:
    room = with_habits({Behaviour.ADJUST_OTHER: Habit(1, ADJUSTS)}, "red e4", "blue e5")
    act = adjust(room, Side.BLUE, Behaviour.ADJUST_OTHER, set_of([E5]))
    assert pictures(room, act, "e4 e5") == ["rb", "r.", "rb"]


def test_used_piece_is_not_straightened() -> None:
    room = with_habits({Behaviour.ADJUST_OWN: Habit(1, ADJUSTS)}, "red e4")
    room.busy = {E4}
    assert pictures(room, adjust(room, Side.RED, Behaviour.ADJUST_OWN, set_of([E4])), "e4") == ["r"]


@pytest.mark.parametrize(
    ("behaviour", "by", "owner"),
    [
        (Behaviour.WRONG_PIECE, Side.RED, Side.BLUE),
        (Behaviour.OUT_OF_TURN, Side.BLUE, Side.BLUE),
        (Behaviour.ILLEGAL, Side.RED, Side.RED),
    ],
)
def test_slips(behaviour: Behaviour, by: Side, owner: Side) -> None:
    room = room_with()
    truth = GroundTruth(EDITION, room.ranks)
    for _ in range(20):
        slip = find_slip(room, truth, behaviour)
        assert slip
        assert slip.by is by
        assert truth.side_at(slip.source) is owner
        assert truth.side_at(slip.target) is None
        if behaviour is Behaviour.ILLEGAL:
            assert truth.referee.find_violation(slip.source, slip.target)
