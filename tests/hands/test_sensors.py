import random
from itertools import groupby

from engine import Side
from engine.board.geometry import square
from tests.hands.accidents import flicker, lose_frames
from tests.hands.behaviours import Behaviour, Habit
from tests.hands.film import film, pictures, room_with, watch
from tests.hands.profiles import BURSTS, PROFILES
from tests.hands.scheduler import Act, Duration
from tests.hands.sensors import FRAME_MS, draw

E4, E5 = square("e4"), square("e5")


def test_frame_order() -> None:
    room = room_with("red a1", "blue k10", "red e4")
    (frame,) = room.sensors.heard
    rows = [frame.board[at : at + 10] for at in range(0, 100, 10)]
    assert rows[0] == ".........b"
    assert rows[6] == "....r....."
    assert rows[9] == "r........."


def test_sensor_latency() -> None:
    for seed in range(20):
        room = room_with("red e4", seed=seed)
        room.world.advance(room.world.now + random.Random(seed).randint(1, 19))
        happened = room.world.now
        room.board.lift(E4)
        room.world.advance(happened + 9)
        assert not room.sensors.look(room.world.now)
        room.world.advance(happened + 20)
        assert room.sensors.look(room.world.now)
        assert room.sensors.at(E4) == "."


def test_changes_below_10_ms_are_unseen() -> None:
    room = room_with("red e4")

    def touch() -> Act:
        piece = room.board.lift(E4)
        yield 9
        room.board.put(piece, E4)

    assert film(room, touch(), "e4", 200) == [("r", 200)]


def test_board_without_colours() -> None:
    room = room_with("red e4", "blue e7", profile=PROFILES["no-colours"])
    assert watch(room, ["e4", "e5", "e7"], 20) == [("?.?", 20)]


def test_stacked_pieces_show_one_colour() -> None:
    room = room_with("red e4", "blue e5")

    def set_down() -> Act:
        yield 50
        room.board.put(room.board.lift(E4), E5)
        yield 100
        room.board.cover(E5, is_covered=True)
        yield 100
        room.board.lift(E5)

    shown = film(room, set_down(), "e4 e5", 400)
    # Squares are read at different times. One square may therefore change a frame later than
    # another.
    assert [picture for picture, ms in shown if ms > 20] == ["rb", ".r", ".b"]


def test_lying_piece_is_unseen() -> None:
    room = room_with("red e4")
    piece = room.board.at(E4)
    assert piece
    room.board.feel(E4, piece, is_felt=False)
    assert watch(room, ["e4"], 100)[-1][0] == "."
    room.board.put(room.board.lift(E4), E5)
    assert watch(room, ["e4", "e5"], 100)[-1][0] == ".r"


def test_loose_sensor_drops_a_piece() -> None:
    room = room_with("red e4")
    shown = film(room, flicker(room, E4, 100), "e4", 400)
    assert [each for each, _ in shown] in (["r", ".", "r"], [".", "r"])
    assert sum(ms for each, ms in shown if each == ".") in (80, 100, 120)


def test_loose_sensor_shows_a_ghost() -> None:
    room = room_with("red e4")
    shown = pictures(room, flicker(room, E5, 100), "e5", 400)
    assert {*shown} in ({"r", "."}, {"b", "."})


def test_changes_appear_after_a_loose_sensor() -> None:
    room = room_with("red e4")
    room.sensors.force(E4, ".", room.world.now)
    room.board.lift(E4)
    room.sensors.force(E4, None, room.world.now)
    assert watch(room, ["e4"], 100)[-1][0] == "."


def test_silent_line() -> None:
    room = room_with("red e4")
    room.world.start(lose_frames(room, Behaviour.LOST_BURST, Habit(1, BURSTS)))
    heard = []
    for _ in range(100):
        watch(room, [], FRAME_MS)
        heard.append(bool(room.sensors.heard))
    silent = [len(list(frames)) for gets_through, frames in groupby(heard) if not gets_through]
    assert [60 <= FRAME_MS * frames <= 520 for frames in silent] == [True]
    assert room.done == {"lost-burst": 1}


def test_time_spans_are_kept() -> None:
    dice = random.Random(1)
    drawn = [Duration(100, 200, 900).draw(dice) for _ in range(500)]
    assert 100 <= min(drawn) < 150
    assert 800 < max(drawn) <= 900


def test_drawn_board_at_rest() -> None:
    room = room_with("red e4", "blue e7")
    standing = {square("e4"): Side.RED, square("e7"): Side.BLUE}
    assert [draw(standing.get, sees_colours=True)] == [each.board for each in room.sensors.heard]
