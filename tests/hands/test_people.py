"""Tests for inspections, the other hand, early lifts, short stops, bumps, and misplaced pieces."""

from dataclasses import replace
from random import Random

from engine import Side
from engine.board.geometry import SQUARES, set_of, square
from tests.hands import profiles
from tests.hands.accidents import Bump, beside, edge_ghost, fall
from tests.hands.attacks import Choice, Strike, make_move
from tests.hands.behaviours import Behaviour, Habit, Habits
from tests.hands.board import GroundTruth, Turn
from tests.hands.clearing import Looker, clear, look_at
from tests.hands.film import EDITION, film, hand, pictures, room_with, watch
from tests.hands.scheduler import Act
from tests.hands.shared_state import SharedState

D4, E4, E5, E6, E7, F5 = map(square, ("d4", "e4", "e5", "e6", "e7", "f5"))
STEP = Turn(E4, E5, attacks=False)
STRIKE = Turn(E4, E5, attacks=True)
CHOICE = Choice(set_of([D4]))


def with_habits(habits: Habits, *pieces: str, seed: int = 0) -> SharedState:
    return room_with(*pieces, profile=replace(profiles.PROFILES["clean"], habits=habits), seed=seed)


def game(habits: Habits, seed: int = 0) -> tuple[SharedState, GroundTruth]:
    """Return a board on which both armies are set up, and the real state of the game."""
    room = with_habits(habits, seed=seed)
    truth = GroundTruth(EDITION, room.ranks)
    room.board.stand((where, room.pieces[whom]) for where, whom in truth.standing().items())
    watch(room, [], 100)
    return room, truth


def view(room: SharedState) -> str:
    return "".join(map(room.sensors.at, SQUARES))


def moved(habits: Habits, seed: int = 0) -> list[tuple[str, int]]:
    room = with_habits(habits, "red e4", "red d4", seed=seed)
    shown = film(room, make_move(hand(room), STEP, CHOICE), "d4 e4 e5 d5 f5", 15000)
    assert room.done == {each.value: 1 for each in habits}
    return shown


def test_duration_of_a_look() -> None:
    room = with_habits({}, "red e4")
    shown = film(room, look_at(room, E4, 1000, Random(1)), "e4")
    assert [each for each, _ in shown] == [".", "r"]
    assert 960 <= shown[0][1] <= 1040
    assert not room.looked_at


def test_tilted_piece_flickers() -> None:
    room = with_habits({Behaviour.TILT: Habit(1)}, "red e4")
    shown = pictures(room, look_at(room, E4, 1000, Random(1)), "e4")
    assert len(shown) > 5
    assert shown[-1] == "r"


def test_held_piece_is_not_looked_at() -> None:
    room = with_habits({}, "red e4")
    piece = room.board.at(E4)
    assert piece
    room.in_other_hands.add(piece)
    assert pictures(room, look_at(room, E4, 1000, Random(1)), "e4") == ["r"]


def test_frequency_of_looks() -> None:
    looks = {Behaviour.LOOK: Habit(5 / 60, profiles.LOOKS), Behaviour.LOOK_SEVERAL: Habit(0.2)}
    room, truth = game(looks)
    room.is_calm = False
    room.is_logged = True
    room.busy = {D4}
    room.world.start(Looker(room, truth, Side.RED, Random(3)).act())
    watch(room, [], 600_000)
    assert 35 <= room.done["look"] <= 65
    assert 3 <= room.done["look-several"] <= 25
    lifted = [each for each in room.log if each.get("did") == "lift"]
    assert {each["side"] for each in lifted} == {"red"}
    assert "d4" not in {each["square"] for each in lifted}
    assert len(lifted) > room.done["look"]


def test_look_during_a_move() -> None:
    shown = [each for each, _ in moved({Behaviour.OTHER_HAND_LOOKS: Habit(1, profiles.LOOKS)})]
    assert shown == ["rr...", "r....", ".....", "r....", "r.r.."]


def test_second_piece_held_during_a_move() -> None:
    ends = {
        tuple(each for each, _ in moved({Behaviour.HELD_ALONG: Habit(1, profiles.HELD)}, n))[-2:]
        for n in range(9)
    }
    assert ("..r..", "r.r..") in ends


def test_glimpse_is_short() -> None:
    lasted = []
    for seed in range(40):
        shown = moved({Behaviour.GLIMPSE: Habit(1, profiles.GLIMPSES)}, seed)
        assert shown[-1][0] == "r.r.."
        lasted += [ms for each, ms in shown if "r" in each[3:]]
    assert lasted
    assert max(lasted) <= 180


def test_trembling_hand_flickers() -> None:
    below = set()
    for seed in range(60):
        shown = [each for each, _ in moved({Behaviour.TREMBLE: Habit(1, profiles.TREMBLES)}, seed)]
        assert shown[-1] == "r.r.."
        below |= {each for each in shown if shown.count(each) > 2}
    assert {"r.r..", "r...r"} <= below


def test_wrong_stop_is_corrected() -> None:
    seen = set()
    for seed in range(30):
        shown = moved({Behaviour.WRONG_STOP: Habit(1, profiles.WRONG_STOPS)}, seed)
        names = [each for each, _ in shown]
        assert names[-1] == "r.r.."
        seen |= set(names)
        assert sum(ms for _, ms in shown[1:-1]) <= 2040
    assert "r...r" in seen


def test_defender_is_lifted_before_the_attacker() -> None:
    seen = set()
    for seed in range(20):
        habits = {
            Behaviour.STRIKE_ON: Habit(1, profiles.PAUSES),
            Behaviour.OWNER_LIFTS_AT_STOP: Habit(1),
        }
        room = with_habits(habits, "red e4", "blue e7", seed=seed)
        attacker = room.board.at(E4)
        assert attacker
        turn = Turn(E4, E7, attacks=True)
        attack = Strike(hand(room), hand(room, Side.BLUE), attacker, turn, 0, Choice())
        shown = pictures(room, attack.perform(Behaviour.BOTH_UP), "e4 e6 e7", 9000)
        assert shown[:5] == ["r.b", "..b", ".rb", ".r.", "..."]
        seen.add(shown[-1])
    assert seen == {"...", "..r"}


def test_bump_is_restored() -> None:
    for seed in range(12):
        room, truth = game({}, seed)
        before = view(room)
        room.world.start(Bump(room, truth).act())
        most = 0
        for _ in range(60):
            watch(room, [], 60)
            pairs = zip(before, view(room), strict=True)
            most = max(most, sum(was != now for was, now in pairs))
        assert most >= 9
        assert room.disturbance == {"bump"}
        watch(room, [], 60_000)
        assert view(room) == before
        assert not room.disturbance
        assert not room.in_other_hands


def test_bump_during_a_move() -> None:
    room, truth = game({})
    shown = pictures(room, Bump(room, truth, STEP).act(), "e4 e5", 200)
    assert shown == [".r"]
    watch(room, [], 60_000)
    assert room.board.at(E4)
    assert not room.board.at(E5)
    assert room.done == {"bump-after-move": 1}


def test_play_waits_for_a_restored_bump() -> None:
    room, truth = game({})
    room.busy = {E4, E5}
    room.world.start(Bump(room, truth).act())
    watch(room, [], 100)
    by = hand(room)
    room.world.start(make_move(by, STEP, Choice()))
    for _ in range(6000):
        watch(room, [], 20)
        if not room.is_bumped:
            break
        assert room.board.at(E4)
    watch(room, [], 6000)
    assert room.board.at(E5)


def captured(room: SharedState) -> None:
    for each in ("b2", "c9"):
        room.captured.add(room.board.lift(square(each)))


def test_captured_piece_falls_beside_an_attack() -> None:
    room, _ = game({})
    captured(room)
    where = beside(STRIKE, set_of([F5, E6]))
    assert where == [F5, E6]
    shown = pictures(room, fall(room, where), "e4 f5 e6", 6000)
    assert shown in (["rr.", "r.."], ["r.r", "r.."])
    assert room.done == {"fall": 1}


def test_no_piece_falls_during_the_attacker_lift() -> None:
    sides = set()
    for seed in range(20):
        room, _ = game({}, seed)
        captured(room)
        room.board.lift(E4)
        room.world.start(fall(room, [E6, F5], not_of=Side.RED))
        watch(room, [], 100)
        sides |= {room.sensors.at(E6), room.sensors.at(F5)}
    assert sides == {"b", "."}


def ghosts(behaviour: Behaviour, *, has_complained: bool = False) -> list[tuple[str, int]]:
    room, truth = game({behaviour: Habit(1, profiles.EDGES)})
    room.world.start(edge_ghost(room, truth, behaviour, Side.BLUE))
    watch(room, [], 60)
    (where,) = room.ghosts
    assert where in map(square, ("a5", "a6", "k5", "k6"))
    room.has_complained = has_complained
    shown = watch(room, ["a5", "a6", "k5", "k6"], 20_000)
    assert shown[-1][0] == "...."
    assert not room.ghosts
    assert not room.disturbance
    return shown


def test_magnet_beside_the_board() -> None:
    assert len(ghosts(Behaviour.EDGE_STEADY)) <= 3
    assert len(ghosts(Behaviour.EDGE_FLICKER)) > 4


def test_reported_magnet_is_removed() -> None:
    assert (
        sum(ms for each, ms in ghosts(Behaviour.EDGE_STEADY, has_complained=True) if "b" in each)
        <= 2000
    )


def test_losers_lie_on_free_squares() -> None:
    seen = set()
    for seed in range(20):
        room = with_habits(
            {Behaviour.TIE_LAID: Habit(1, profiles.LAID)}, "red e4", "blue e5", seed=seed
        )
        at = {where: room.board.at(where) for where in (E4, E5)}
        before = {where: (piece.side, piece.origin) for where, piece in at.items() if piece}
        for each in at:
            room.board.lift(each)
        act = clear(hand(room), hand(room, Side.BLUE), STRIKE, {}, before)
        shown = pictures(room, act, "d4 f4 e3 d5 f5 e6", 15000)
        assert shown[-1] == "......"
        assert not room.disturbance
        seen |= {"".join(sorted(each.replace(".", ""))) for each in shown}
    assert seen == {"", "r", "b", "br"}


def test_reply_waits_for_the_turn() -> None:
    room = with_habits({}, "red e4", "blue d4")
    mover, answering = hand(room), hand(room, Side.BLUE)
    answering.task.waits_for, answering.task.reach_ms = mover.task, 0

    def slowly() -> Act:
        piece = yield from mover.lift(E4)
        yield 2000
        yield from mover.put(piece, E5, finally_=True)

    room.world.start(slowly())
    act = make_move(answering, Turn(D4, square("d5"), attacks=False), Choice())
    assert pictures(room, act, "d4 d5 e4 e5", 6000)[-3:] == ["....", "...r", ".b.r"]
