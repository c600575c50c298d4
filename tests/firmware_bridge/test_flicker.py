"""Tests for the flicker filter. It detects flickering sensors, and accepts changes on their squares
only after a delay."""

import pytest

from engine.board.geometry import ALL, Side, square
from firmware_bridge.image import Image
from firmware_bridge.sensing.change_detector import FlickerFilter
from firmware_bridge.sensing.sensing_limits import SENSING_LIMITS

E4, E5 = square("e4"), square("e5")
NOTHING = Image()
RED_ON_E5, BLUE_ON_E5, UNKNOWN_ON_E5 = (
    Image(red=1 << E5),
    Image(blue=1 << E5),
    Image(unknown=1 << E5),
)
APART = 3.0
"""Time between two blinks, in seconds. If it were shorter, the pause would itself count as a
blink."""


class Frames:
    """Feeds timed frames of a board to a flicker filter."""

    def __init__(self, first: Image = NOTHING) -> None:
        self.at = 100.0
        self.flicker = FlickerFilter()
        self.expected = first
        self.flicker.see(self.at, first, self.expected)

    def show(self, image: Image, after: float) -> Image:
        """Show an image `after` seconds after the last one."""
        self.at += after
        return self.flicker.see(self.at, image, self.expected)

    def blink(
        self,
        times: int = 1,
        lasting: float = 0.2,
        *,
        over: Image = RED_ON_E5,
        rest: Image = NOTHING,
        apart: float = APART,
    ) -> "Frames":
        """Show the image `over` for `lasting` seconds and then the image `rest`, repeatedly."""
        for _ in range(times):
            self.show(over, apart)
            self.show(rest, lasting)
        return self

    @property
    def known(self) -> dict[int, float]:
        return dict(self.flicker.squares)


class TestLearning:
    def test_five_blinks_make_a_flicker(self) -> None:
        frames = Frames().blink(SENSING_LIMITS.flicker_blinks - 1)
        assert not frames.known
        assert frames.blink().known == {E5: SENSING_LIMITS.flicker_stable_seconds}

    def test_occupied_square_can_flicker(self) -> None:
        frames = Frames(RED_ON_E5).blink(
            SENSING_LIMITS.flicker_blinks, over=NOTHING, rest=RED_ON_E5
        )
        assert list(frames.known) == [E5]

    @pytest.mark.parametrize(("over", "rest"), [(BLUE_ON_E5, RED_ON_E5), (UNKNOWN_ON_E5, NOTHING)])
    def test_kinds_of_blinks(self, over: Image, rest: Image) -> None:
        assert list(
            Frames(rest).blink(SENSING_LIMITS.flicker_blinks, over=over, rest=rest).known
        ) == [E5]

    def test_blinks_are_counted_per_square(self) -> None:
        frames = (
            Frames()
            .blink(SENSING_LIMITS.flicker_blinks - 1)
            .blink(SENSING_LIMITS.flicker_blinks - 1, over=Image(red=1 << E4))
        )
        assert not frames.known

    def test_two_flickering_squares(self) -> None:
        both = Image(red=1 << E4 | 1 << E5)
        assert set(Frames().blink(SENSING_LIMITS.flicker_blinks, over=both).known) == {E4, E5}

    def test_lasting_change_is_no_blink(self) -> None:
        assert (
            not Frames()
            .blink(SENSING_LIMITS.flicker_blinks, SENSING_LIMITS.longest_blink_seconds + 0.01)
            .known
        )

    def test_longest_blink(self) -> None:
        assert (
            Frames()
            .blink(SENSING_LIMITS.flicker_blinks, SENSING_LIMITS.longest_blink_seconds - 0.01)
            .known
        )

    def test_blink_returns_to_the_same_state(self) -> None:
        """The square changes from red to blue to empty, and the cycle repeats. Such changes occur
        in a game and do not count as blinks."""
        frames = Frames()
        for _ in range(SENSING_LIMITS.flicker_blinks):
            for image in (RED_ON_E5, BLUE_ON_E5, NOTHING):
                frames.show(image, 0.3)
        assert not frames.known

    def test_old_blinks_expire(self) -> None:
        frames = Frames().blink(SENSING_LIMITS.flicker_blinks - 1)
        frames.show(NOTHING, SENSING_LIMITS.blink_remembered_seconds)
        assert not frames.blink(SENSING_LIMITS.flicker_blinks - 1).known

    def test_recent_blinks_count(self) -> None:
        """The first blink is only just recent enough to count."""
        apart = (SENSING_LIMITS.blink_remembered_seconds - 0.1) / (
            SENSING_LIMITS.flicker_blinks - 1
        ) - 0.2
        assert Frames().blink(SENSING_LIMITS.flicker_blinks, apart=apart).known

    def test_wait_exceeds_the_longest_blink(self) -> None:
        frames = Frames().blink(SENSING_LIMITS.flicker_blinks - 1).blink(1, 1.2)
        assert frames.known[E5] == pytest.approx(SENSING_LIMITS.flicker_stable_factor * 1.2)

    def test_wait_grows_with_blinks(self) -> None:
        frames = Frames().blink(SENSING_LIMITS.flicker_blinks).blink(1, 1.2)
        assert frames.known[E5] == pytest.approx(SENSING_LIMITS.flicker_stable_factor * 1.2)
        frames.show(NOTHING, SENSING_LIMITS.blink_remembered_seconds)
        assert frames.blink(SENSING_LIMITS.flicker_blinks).known[E5] == pytest.approx(
            SENSING_LIMITS.flicker_stable_factor * 1.2
        )

    def test_single_blink_of_a_flickering_square_counts(self) -> None:
        frames = Frames().blink(SENSING_LIMITS.flicker_blinks)
        frames.show(NOTHING, SENSING_LIMITS.blink_remembered_seconds)
        assert frames.blink(1, 1.2).known[E5] == pytest.approx(
            SENSING_LIMITS.flicker_stable_factor * 1.2
        )

    def test_flicker_is_remembered(self) -> None:
        frames = Frames().blink(SENSING_LIMITS.flicker_blinks)
        frames.show(Image(red=1 << E4), SENSING_LIMITS.flicker_quiet_seconds - 0.01)
        assert list(frames.known) == [E5]

    def test_quiet_square_recovers(self) -> None:
        """After a quiet period, a square must blink several times before it counts as flickering
        again."""
        frames = Frames().blink(SENSING_LIMITS.flicker_blinks)
        frames.show(Image(red=1 << E4), SENSING_LIMITS.flicker_quiet_seconds + 0.01)
        assert not frames.known
        frames.show(NOTHING, 0.5)
        assert not frames.blink(SENSING_LIMITS.flicker_blinks - 1).known
        assert frames.blink().known

    def test_blinks_after_placement_are_ignored(self) -> None:
        frames = Frames()
        frames.show(RED_ON_E5, APART)
        frames.flicker.play(frames.at, NOTHING)
        frames.expected = RED_ON_E5
        frames.flicker.play(frames.at, RED_ON_E5)
        frames.blink(SENSING_LIMITS.flicker_blinks + 1, over=NOTHING, rest=RED_ON_E5, apart=0.3)
        assert not frames.known
        frames.show(RED_ON_E5, SENSING_LIMITS.played_square_seconds)
        assert frames.blink(
            SENSING_LIMITS.flicker_blinks, over=NOTHING, rest=RED_ON_E5, apart=0.3
        ).known


class TestBelieving:
    @pytest.fixture
    def frames(self) -> Frames:
        """Return frames in which e5 flickers and then stays empty for a while."""
        frames = Frames().blink(SENSING_LIMITS.flicker_blinks)
        frames.show(NOTHING, APART)
        return frames

    def test_good_sensor_is_trusted_at_once(self) -> None:
        frames = Frames()
        assert frames.show(RED_ON_E5, 0.02) == RED_ON_E5
        assert frames.show(NOTHING, 0.02) == NOTHING
        assert frames.flicker.due is None

    @pytest.mark.parametrize("shown", [RED_ON_E5, BLUE_ON_E5, UNKNOWN_ON_E5])
    def test_flickering_sensor_is_delayed(self, frames: Frames, shown: Image) -> None:
        assert frames.show(shown, 0.02) == NOTHING
        assert frames.show(shown, SENSING_LIMITS.flicker_stable_seconds - 0.02) == NOTHING

    def test_change_elsewhere_confirms_nothing(self, frames: Frames) -> None:
        frames.show(RED_ON_E5, 0.02)
        both = Image(red=1 << E4 | 1 << E5)
        assert frames.show(both, SENSING_LIMITS.flicker_stable_seconds - 0.02) == Image(red=1 << E4)

    def test_steady_reading_is_accepted(self, frames: Frames) -> None:
        frames.show(RED_ON_E5, 0.02)
        began = frames.at
        assert frames.flicker.due == pytest.approx(began + SENSING_LIMITS.flicker_stable_seconds)
        assert frames.show(RED_ON_E5, SENSING_LIMITS.flicker_stable_seconds) == RED_ON_E5
        assert frames.flicker.due is None
        assert frames.show(RED_ON_E5, 0.02) == RED_ON_E5

    def test_change_restarts_the_wait(self, frames: Frames) -> None:
        frames.show(RED_ON_E5, 0.02)
        assert frames.show(BLUE_ON_E5, 0.8) == NOTHING
        assert frames.show(BLUE_ON_E5, 0.8) == NOTHING
        assert frames.show(BLUE_ON_E5, 0.3) == BLUE_ON_E5

    def test_blinking_square_keeps_its_state(self, frames: Frames) -> None:
        for _ in range(20):
            assert frames.show(RED_ON_E5, 0.4) == NOTHING
            assert frames.show(NOTHING, 0.4) == NOTHING

    @pytest.mark.parametrize("colour", ["red", "blue", "unknown"])
    def test_blinking_piece_keeps_its_colour(self, colour: str) -> None:
        shows = Image(**{colour: 1 << E5})
        frames = Frames(shows).blink(SENSING_LIMITS.flicker_blinks, over=NOTHING, rest=shows)
        frames.show(shows, APART)
        assert frames.show(NOTHING, 0.02) == shows
        assert frames.show(NOTHING, SENSING_LIMITS.flicker_stable_seconds) == NOTHING

    def test_other_squares_are_trusted_at_once(self, frames: Frames) -> None:
        others = Image(red=Side.RED.home, blue=ALL & ~(Side.RED.home | 1 << E5))
        whole = Image(others.red | 1 << E5, others.blue)
        assert frames.show(whole, 0.02) == others

    def test_earliest_deadline_is_due(self) -> None:
        on_e4, both = Image(red=1 << E4), Image(red=1 << E4 | 1 << E5)
        frames = (
            Frames()
            .blink(SENSING_LIMITS.flicker_blinks)
            .blink(SENSING_LIMITS.flicker_blinks, over=on_e4)
        )
        frames.show(NOTHING, APART)
        frames.show(on_e4, 0.02)
        first = frames.at
        frames.show(both, 0.5)
        assert frames.flicker.due == pytest.approx(first + SENSING_LIMITS.flicker_stable_seconds)
        assert frames.show(both, 0.5) == on_e4
        assert frames.flicker.due == pytest.approx(
            first + 0.5 + SENSING_LIMITS.flicker_stable_seconds
        )
        assert frames.show(both, 0.5) == both


class TestAnotherBoard:
    """The connection was lost and restored."""

    def test_change_times_are_reset_with_the_board(self) -> None:
        """A piece is set down, the board is reconnected, and the piece is lifted soon
        afterwards."""
        frames = Frames().blink(SENSING_LIMITS.flicker_blinks - 1)
        frames.show(RED_ON_E5, APART)
        frames.flicker.forget()
        frames.show(RED_ON_E5, 0.1)
        frames.show(NOTHING, 0.1)
        assert not frames.known

    def test_first_image_of_a_found_board_is_accepted(self) -> None:
        frames = Frames(RED_ON_E5)
        frames.flicker.forget()
        assert frames.show(BLUE_ON_E5, 0.02) == BLUE_ON_E5
        assert frames.flicker.due is None

    def test_blinks_survive_a_lost_board(self) -> None:
        frames = Frames().blink(SENSING_LIMITS.flicker_blinks - 1)
        frames.flicker.forget()
        frames.show(NOTHING, 0.02)
        assert frames.blink().known == {E5: SENSING_LIMITS.flicker_stable_seconds}


class TestLooks:
    """A lifted or tilted piece must not be mistaken for a loose contact."""

    def test_look_is_no_blink(self) -> None:
        frames = Frames(RED_ON_E5).blink(
            2 * SENSING_LIMITS.flicker_blinks,
            SENSING_LIMITS.shortest_look_seconds + 0.01,
            over=NOTHING,
            rest=RED_ON_E5,
        )
        assert not frames.known

    def test_tilts_before_a_look(self) -> None:
        frames = Frames(RED_ON_E5)
        for _ in range(SENSING_LIMITS.flicker_blinks):
            frames.blink(1, 0.1, over=NOTHING, rest=RED_ON_E5)
            frames.blink(
                1,
                SENSING_LIMITS.shortest_look_seconds + 0.1,
                over=NOTHING,
                rest=RED_ON_E5,
                apart=SENSING_LIMITS.tilt_around_look_seconds / 2,
            )
        assert not frames.known

    def test_tilts_after_a_look(self) -> None:
        frames = Frames(RED_ON_E5)
        for _ in range(SENSING_LIMITS.flicker_blinks):
            frames.blink(
                1, SENSING_LIMITS.shortest_look_seconds + 0.1, over=NOTHING, rest=RED_ON_E5
            )
            frames.blink(
                1,
                0.1,
                over=NOTHING,
                rest=RED_ON_E5,
                apart=SENSING_LIMITS.tilt_around_look_seconds / 2,
            )
        assert not frames.known

    def test_blinks_long_after_a_look(self) -> None:
        frames = Frames(RED_ON_E5).blink(
            1, SENSING_LIMITS.shortest_look_seconds + 0.01, over=NOTHING, rest=RED_ON_E5
        )
        assert list(
            frames.blink(SENSING_LIMITS.flicker_blinks, over=NOTHING, rest=RED_ON_E5).known
        ) == [E5]

    def test_flickering_square_is_no_look(self) -> None:
        frames = Frames(RED_ON_E5).blink(
            SENSING_LIMITS.flicker_blinks, over=NOTHING, rest=RED_ON_E5
        )
        frames.blink(1, 1.2, over=NOTHING, rest=RED_ON_E5)
        assert frames.known[E5] == pytest.approx(SENSING_LIMITS.flicker_stable_factor * 1.2)
