"""Tests for hand motions, recorded as successive images of a few squares."""

import pytest

from engine.board.geometry import square
from tests.hands.film import film, hand, pictures, room_with
from tests.hands.motions import Hand
from tests.hands.profiles import ADJUSTS, HOVERS, SLIDES
from tests.hands.scheduler import Act
from tests.hands.shared_state import SharedState

E4, E5, E6, F5 = map(square, ("e4", "e5", "e6", "f5"))


def carry(by: Hand) -> Act:
    piece = yield from by.lift(E4)
    yield from by.put(piece, E5, finally_=True)


def test_carried_piece_is_on_no_square() -> None:
    room = room_with("red e4")
    by = hand(room)
    shown = film(room, carry(by), "e4 e5")
    assert [each for each, _ in shown] == ["r.", "..", ".r"]
    assert 300 <= shown[0][1] <= 740
    assert 280 <= shown[1][1] <= 920
    assert by.task.release_at == by.task.over_at


@pytest.mark.parametrize("stands", [5, 22, 28, 34, 60, 200])
def test_unseen_piece_is_taken_unseen(stands: int) -> None:
    for seed in range(20):
        room = room_with("red e4", seed=seed)
        by, again = hand(room), hand(room)

        def twice(by: Hand = by, again: Hand = again) -> Act:
            yield from carry(by)
            again.task.reach_ms = stands
            yield from again.lift(E5)

        shown = pictures(room, twice(), "e5", 2000)
        assert again.task.has_taken_unfelt == ("r" not in shown)


def test_release_is_announced() -> None:
    room = room_with("red e4")
    by = hand(room)
    room.world.start(carry(by))
    known = []
    while by.task.over_at is None:
        room.world.advance(room.world.now + 10)
        if by.task.release_at is not None:
            known.append((room.world.now, by.task.release_at))
    assert len({release for _, release in known}) == 1
    assert known[0][0] < known[0][1]
    assert by.task.over_at == known[0][1]


def slides(*, lagging: bool) -> list[list[tuple[str, int]]]:
    found = []
    for seed in range(30):
        room = room_with("red e4", seed=seed)
        act = hand(room).slide(E4, [E5, E6], SLIDES, lagging=lagging)
        found.append(film(room, act, "e4 e5 e6", 2000))
    return found


@pytest.mark.parametrize("lagging", [True, False])
def test_slid_piece_between_squares(lagging: bool) -> None:
    found = slides(lagging=lagging)
    shown = {picture for each in found for picture, _ in each}
    assert shown == {"r..", "rr.", "...", ".r.", ".rr", "..r"}
    for each in found:
        assert each[0][0] == "r.."
        assert each[-1][0] == "..r"
        assert all(ms <= 160 for picture, ms in each if picture in ("rr.", ".rr", "..."))


def test_pushed_piece_lags() -> None:
    lagging, not_lagging = (
        sum(picture in ("rr.", ".rr", "...") for each in slides(lagging=lag) for picture, _ in each)
        for lag in (True, False)
    )
    assert lagging > not_lagging


def test_low_carried_piece_is_seen() -> None:
    room = room_with("red e4", "blue f5")
    by = hand(room)

    def look_around() -> Act:
        piece = yield from by.lift(E4)
        yield from by.hover(piece, [F5, E6], HOVERS)
        yield from by.put(piece, E5)

    shown = film(room, look_around(), "e4 e5 e6 f5")
    assert [each for each, _ in shown] == [
        "r..b", "...b", "...r", "...b", "..rb", "...b", ".r.b"
    ]  # fmt: skip
    assert 40 <= shown[2][1] <= 320


def test_tapped_piece() -> None:
    seen = set()
    for seed in range(20):
        room = room_with("red e4", "blue e5", seed=seed)
        by = hand(room)

        def touch(by: Hand = by) -> Act:
            piece = yield from by.lift(E4)
            yield from by.tap(piece, E5)
            yield from by.put(piece, E4)

        seen.add(tuple(pictures(room, touch(), "e4 e5")))
    assert seen == {("rb", ".b", "rb"), ("rb", ".b", ".r", ".b", "rb")}


def test_stacked_pieces() -> None:
    seen = set()
    for seed in range(40):
        room = room_with("red e4", "blue e5", seed=seed)
        by = hand(room)

        def put_upon(by: Hand = by) -> Act:
            piece = yield from by.lift(E4)
            yield from by.put_upon(piece, E5)

        seen.add(pictures(room, put_upon(), "e4 e5")[-1])
        assert len(room.board.all_at(E5)) == 2
    assert seen == {".r", ".b"}


def test_straightened_piece() -> None:
    room = room_with("red e4")
    shown = film(room, hand(room).straighten(E4, ADJUSTS), "e4")
    assert [each for each, _ in shown] == ["r", ".", "r"]
    assert 40 <= shown[1][1] <= 620


def test_held_piece_is_not_straightened() -> None:
    room: SharedState = room_with("red e4")
    room.world.start(hand(room).straighten(E4, ADJUSTS))
    assert pictures(room, hand(room).straighten(E4, ADJUSTS), "e4").count(".") <= 2
    assert room.board.at(E4)
    assert not room.in_other_hands
