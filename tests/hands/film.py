"""Recordings of the sensor images of a few squares during an action."""

from itertools import groupby

from engine import EDITIONS, Side
from engine.board.geometry import square
from tests.hands.motions import Hand, HandTask
from tests.hands.profiles import PROFILES, Profile
from tests.hands.scheduler import Act
from tests.hands.sensors import FRAME_MS
from tests.hands.shared_state import SharedState

EDITION = EDITIONS["original-1992"]


def room_with(*pieces: str, profile: Profile | None = None, seed: int = 0) -> SharedState:
    """Return a shared state in which only the given pieces, such as ``"red e4"``, are on the
    board."""
    room = SharedState(profile or PROFILES["clean"], EDITION, str(seed))
    for each in pieces:
        colour, where = each.split()
        stand(room, Side(colour), where)
    room.is_calm = False
    watch(room, [], 100)
    return room


def stand(room: SharedState, side: Side, where: str) -> None:
    """Put a piece on a square. If possible, use the piece that stood on that square after setup."""
    pieces = [piece for (owner, _), piece in room.pieces.items() if owner is side]
    own = [piece for piece in pieces if piece.origin == square(where)]
    free = [piece for piece in pieces if room.board.square_of(piece) is None]
    room.board.put((own or free)[0], square(where))


def hand(room: SharedState, side: Side = Side.RED) -> Hand:
    return Hand(side, room, HandTask(side))


def watch(room: SharedState, squares: list[str], ms: int) -> list[tuple[str, int]]:
    """Advance time, and return the successive images of the squares with their durations in ms."""
    seen = []
    for _ in range(ms // FRAME_MS):
        room.world.advance(room.world.now + FRAME_MS)
        room.sensors.look(room.world.now)
        seen.append("".join(room.sensors.at(square(each)) for each in squares))
    return [(shown, FRAME_MS * len(list(frames))) for shown, frames in groupby(seen)]


def film(room: SharedState, act: Act, squares: str, ms: int = 4000) -> list[tuple[str, int]]:
    """Perform an activity, and return the successive images of the squares with their durations in
    milliseconds."""
    room.world.start(act)
    return watch(room, squares.split(), ms)


def pictures(room: SharedState, act: Act, squares: str, ms: int = 4000) -> list[str]:
    """Perform an activity, and return the successive images without their durations."""
    return [shown for shown, _ in film(room, act, squares, ms)]
