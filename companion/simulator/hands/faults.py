"""Disturbances of the image without any touch: unreliable sensors and lost frames."""

from companion.simulator.hands.behaviours import Behaviour, Habit
from companion.simulator.hands.room import Room
from companion.simulator.hands.world import Act
from engine.board.geometry import ALL, LAKES, Square, squares_in


def flicker(room: Room, square: Square, lasts: int) -> Act:
    """Make a sensor drop out for a moment, or show a piece on an empty square."""
    is_empty = room.board.felt(square) is None
    colours = ("r", "b") if room.profile.sees_colours else ("?",)
    token = room.dice.choice(colours) if is_empty else "."
    room.sensors.force(square, token, room.world.now)
    yield lasts
    room.sensors.force(square, None, room.world.now)


def flicker_somewhere(room: Room, habit: Habit) -> Act:
    """Make the sensor of a random square flicker once, sometimes twice."""
    square = room.dice.choice(list(squares_in(ALL & ~LAKES)))
    yield room.dice.randint(0, 1500)
    room.did(Behaviour.FLICKER)
    for _ in range(room.dice.choice((1, 1, 1, 2))):
        yield from flicker(room, square, room.draw(habit.lasts))
        yield room.draw(habit.lasts)


def flicker_for_ever(room: Room, habit: Habit) -> Act:
    """Make one sensor flicker throughout the game, in bursts."""
    square = room.dice.choice(list(squares_in(ALL & ~LAKES)))
    while True:
        yield room.dice.choice((300, 1000, 3000, 8000))
        room.did(Behaviour.FAULTY)
        for _ in range(room.dice.randint(1, 4)):
            yield from flicker(room, square, room.draw(habit.lasts))
            yield room.draw(habit.lasts)


def lose_frames(room: Room, behaviour: Behaviour, habit: Habit) -> Act:
    """Lose one frame, or all frames for up to half a second, at a random time soon."""
    yield room.dice.randint(0, 1500)
    room.did(behaviour)
    lost = 20 if behaviour is Behaviour.LOST_FRAME else room.draw(habit.lasts)
    room.sensors.silence(room.world.now, lost)
