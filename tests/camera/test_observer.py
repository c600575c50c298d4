"""Read boards from rendered images with varying positions, arms, light and camera poses."""

from copy import deepcopy
from dataclasses import replace
from random import Random

import numpy as np
import pytest

from engine.board.geometry import Side, square
from firmware_bridge.camera.notices import LearningPhase, Notice, NoticeKind
from firmware_bridge.camera.observer import Observer
from firmware_bridge.camera.pose import find_markers, find_pose
from firmware_bridge.image import ARMIES, Image
from tests.camera.renderer import WOOD, Arm, Look, Shot, Standing
from tests.camera.scenes import LOOKS, SHOTS, Studio, army_blocks, image_of, random_blocks
from tests.campaigns import RARE, Campaign

STILLS = Campaign("camera-stills", part=1, whole=200)
SHOT = SHOTS[0]


STUDIO = Studio(Look(), SHOT)
BLOCKS = army_blocks(Random(1))


@pytest.fixture(scope="module")
def learned() -> Observer:
    """Observer that has seen the empty board and both armies."""
    observer = Observer()
    assert observer.take(0.0, STUDIO.picture()).image == Image()
    seen = observer.take(1.0, STUDIO.picture(BLOCKS.values()))
    assert (seen.phase, seen.image, seen.notice) == (LearningPhase.PLAYING, ARMIES, None)
    return observer


@pytest.fixture
def observer(learned: Observer) -> Observer:
    return deepcopy(learned)


@STILLS
def test_stills_are_read_without_errors() -> None:
    wrong = withheld = squares = 0
    for number in range(STILLS.size):
        dice = Random(number)
        name = list(LOOKS)[number % len(LOOKS)]
        shot = SHOTS[number // len(LOOKS) % len(SHOTS)] if number >= len(LOOKS) else SHOT
        studio = Studio(LOOKS[name], shot, number)
        observer = Observer()
        observer.take(0.0, studio.picture())
        observer.take(1.0, studio.picture(army_blocks(dice).values()))
        assert observer.phase is LearningPhase.PLAYING, (name, shot)
        for at in range(2, 6):
            studio.light(brightness=dice.uniform(0.6, 1.15), warmth=dice.uniform(-0.08, 0.08))
            blocks = random_blocks(dice)
            picture = studio.picture(blocks.values())
            # The previous states of the squares have expired by the time of the second image.
            observer.take(at, picture)
            image = observer.take(at + 0.7, picture).image
            assert image is not None, (name, shot)
            truth = image_of(blocks)
            differing = image.differing(truth)
            squares += 100
            withheld += (differing & image.unknown).bit_count()
            wrong += (differing & ~image.unknown).bit_count()
    assert wrong <= squares / 10_000, f"{wrong} of {squares} squares are wrong"
    assert withheld <= squares / 20, f"{withheld} of {squares} squares are withheld"


def test_armies_are_enough_on_a_plain_board() -> None:
    studio = Studio(LOOKS["green"], SHOT)
    observer = Observer()
    assert observer.take(0.0, studio.picture(army_blocks(Random(1)).values())).image == ARMIES
    blocks = random_blocks(Random(2))
    image = observer.take(1.0, studio.picture(blocks.values())).image
    assert image is not None
    assert not image.differing(image_of(blocks)) & ~image.unknown


@pytest.mark.parametrize(
    "look",
    [
        Look(board=(50, 60, 90), pattern="chequered", blue=(24, 44, 100)),
        Look(homes=((150, 40, 40), (30, 50, 110))),
    ],
)
def test_armies_are_not_enough_on_a_board_of_several_colours(look: Look) -> None:
    studio, blocks = Studio(look, replace(SHOTS[2], width=800, height=600)), BLOCKS.values()
    observer = Observer()
    for at in (0.0, 1.0):
        seen = observer.take(at, studio.picture(blocks))
        assert (seen.image, seen.notice) == (None, Notice(NoticeKind.SHOW_EMPTY))


@pytest.mark.parametrize(
    ("sleeve", "speed"),
    [(None, 0.0), ((200, 200, 200), 0.0), ((160, 40, 40), 2.0)],
)
def test_pictures_with_an_arm_are_ignored(
    observer: Observer, sleeve: tuple[int, int, int] | None, speed: float
) -> None:
    blocks = dict(BLOCKS)
    dice = Random(3)
    for at in range(2, 5):
        reach = (dice.uniform(1, 9), dice.uniform(2, 6))
        arms = [Arm((dice.uniform(2, 8), -6), reach, sleeve=sleeve, speed=speed, watch=True)]
        if at % 2:
            arms.append(Arm((dice.uniform(2, 8), 16), (dice.uniform(1, 9), 7), sleeve=sleeve))
        assert observer.take(at, STUDIO.picture(blocks.values(), arms=arms)).image is None
    moved = {**blocks, square("a5"): Standing(Side.RED, 0.5, 4.5)}
    del moved[square("a4")]
    assert observer.take(9.0, STUDIO.picture(moved.values())).image == image_of(moved)


@RARE
def test_far_arm_in_a_flat_view_is_detected() -> None:
    studio = Studio(Look(), replace(SHOT, tilt=45, focal=0.9, distance=21))
    observer, blocks = Observer(), BLOCKS.values()
    observer.take(0.0, studio.picture())
    assert observer.take(1.0, studio.picture(blocks)).image == ARMIES
    for at, sleeve in ((2.0, (186, 42, 40)), (3.0, None), (4.0, (128, 128, 128))):
        arm = Arm((4, 16), (at + 1, 3), height=0.6, sleeve=sleeve)
        assert observer.take(at, studio.picture(blocks, arms=[arm])).image is None


def test_a_low_camera_beside_the_board_sees_the_frame() -> None:
    studio = Studio(Look(), Shot(tilt=45, azimuth=90, distance=20, width=800, height=600), 3)
    assert Observer().take(0.0, studio.picture()).image == Image()


def test_tall_pieces_that_hide_the_frame_are_reported() -> None:
    studio = Studio(Look(high=0.95), Shot(tilt=45, distance=20, width=800, height=600), 3)
    observer = Observer()
    observer.take(0.0, studio.picture())
    for at in (1.0, 7.0):
        seen = observer.take(at, studio.picture(BLOCKS.values()))
    assert seen.notice is not None
    assert seen.notice.kind is NoticeKind.HIDDEN
    assert {each // 10 for each in seen.notice.squares} == {9}


def test_resting_arm_is_reported(observer: Observer) -> None:
    blocks = BLOCKS.values()
    resting = STUDIO.picture(blocks, arms=[Arm((4, -6), (4, 2))])
    assert observer.take(2.0, resting).notice is None
    notice = observer.take(8.0, resting).notice
    assert notice is not None
    assert notice.kind is NoticeKind.COVERED
    assert {each // 10 for each in notice.squares} == {0}
    assert observer.take(9.0, STUDIO.picture(blocks)).notice is None


@pytest.mark.parametrize(
    ("azimuth", "arm"),
    [
        (0, Arm((3.5, 16), (4.5, 9.9), sleeve=(40, 60, 150), wide=1.4)),
        (180, Arm((-6, 3), (0.5, 3.5), sleeve=(128, 128, 128), wide=1.2)),
    ],
)
def test_small_pictures_show_the_tip_of_a_hand_and_grey_sleeves(azimuth: float, arm: Arm) -> None:
    shot = replace(SHOT, width=640, height=480, azimuth=azimuth, noise=4)
    studio, observer, blocks = Studio(Look(off=0.02), shot), Observer(), BLOCKS.values()
    observer.take(0.0, studio.picture())
    assert observer.take(1.0, studio.picture(blocks)).image == ARMIES
    assert observer.take(2.0, studio.picture(blocks, arms=[arm])).image is None
    assert observer.take(3.0, studio.picture(blocks)).image == ARMIES


def test_a_change_is_confirmed_by_the_next_picture(observer: Observer) -> None:
    moved = {**BLOCKS, square("a5"): Standing(Side.RED, 0.5, 4.5)}
    del moved[square("a4")]
    before, after = STUDIO.picture(BLOCKS.values()), STUDIO.picture(moved.values())
    shown = [(2.0, before), (2.1, after), (2.2, before), (2.3, after), (2.4, after)]
    images = [observer.take(at, picture).image for at, picture in shown]
    assert images == [ARMIES, None, ARMIES, None, image_of(moved)]


def test_armies_that_are_being_set_up_are_not_refused() -> None:
    observer, blocks = Observer(), list(BLOCKS.values())
    observer.take(0.0, STUDIO.picture())
    for at, count in enumerate((50, 60, 70), start=1):
        # Both armies are being set up at the same time.
        picture = STUDIO.picture([*blocks[: count // 2], *blocks[40 : 40 + count // 2]])
        notice = observer.take(3.0 * at, picture).notice
        assert notice
        assert notice.kind is NoticeKind.SET_UP
    assert observer.take(20.0, picture).notice == Notice(NoticeKind.ALIKE)
    assert observer.take(21.0, STUDIO.picture(blocks)).image == ARMIES


def test_arms_during_the_setup_do_not_end_the_request() -> None:
    observer, some = Observer(), list(BLOCKS.values())[:25]
    observer.take(0.0, STUDIO.picture())
    assert observer.take(1.0, STUDIO.picture(some)).notice == Notice(NoticeKind.SET_UP)
    resting = STUDIO.picture(some, arms=[Arm((4, -6), (4, 2))])
    observer.take(2.0, resting)
    notice = observer.take(8.0, resting).notice
    assert notice
    assert notice.kind is NoticeKind.COVERED
    assert observer.take(9.0, STUDIO.picture(some)).notice == Notice(NoticeKind.SET_UP)


def test_another_set_of_blocks_is_learned() -> None:
    """The old blocks' colours and height are forgotten."""
    shot = replace(SHOT, tilt=45)
    old, new = Studio(Look(), shot), Studio(Look(red=(220, 200, 40), blue=(40, 140, 60)), shot)
    observer = Observer()
    observer.take(0.0, old.picture())
    observer.take(1.0, old.picture(BLOCKS.values()))
    assert observer.phase is LearningPhase.PLAYING
    observer.learn_again()
    observer.take(2.0, new.picture())
    assert observer.take(3.0, new.picture(BLOCKS.values())).phase is LearningPhase.PLAYING


def test_camera_that_returns_with_another_size_has_no_frame(observer: Observer) -> None:
    blank = np.zeros((480, 640, 3), np.uint8) + 90
    for at in (2.0, 9.0):
        seen = observer.take(at, blank)
        assert seen.image is None
        assert seen.notice == Notice(NoticeKind.NO_FRAME)


def test_pictures_on_blocks_may_have_the_colour_of_the_board() -> None:
    studio = Studio(Look(board=(225, 205, 150)), replace(SHOT, azimuth=180))
    observer = Observer()
    observer.take(0.0, studio.picture())
    assert observer.take(1.0, studio.picture(BLOCKS.values())).image == ARMIES


def test_shadow_is_no_piece(observer: Observer) -> None:
    blocks = BLOCKS.values()
    for at, place in enumerate(((0, 5, 4.0), (5, 5, 3.0), (9, 9, 5.0)), start=2):
        assert observer.take(at, STUDIO.picture(blocks, shadow=place)).image == ARMIES


def test_an_object_that_is_no_piece_is_unknown(observer: Observer) -> None:
    picture = STUDIO.picture(BLOCKS.values(), covered=[(0.5, 4.5, 0.35)])
    assert observer.take(2.0, picture).image == ARMIES
    image = observer.take(3.0, picture).image
    assert image is not None
    assert image.differing(ARMIES) == image.unknown == 1 << square("a5")


def test_lying_blocks_are_seen(observer: Observer) -> None:
    blocks = dict(BLOCKS)
    for name in ("b4", "f7", "k1"):
        old = blocks[square(name)]
        blocks[square(name)] = Standing(old.side, old.x, old.y, old.yaw, lies=True)
    image = observer.take(2.0, STUDIO.picture(blocks.values())).image
    assert image is not None
    assert not image.differing(ARMIES) & ~image.unknown


def test_darkness_is_reported(observer: Observer) -> None:
    blocks = BLOCKS.values()
    STUDIO.light(brightness=0.02)
    for at in (2.0, 4.0):
        seen = observer.take(at, STUDIO.picture(blocks))
        assert seen.image is None
    assert seen.notice is not None
    assert seen.notice.kind is NoticeKind.TOO_DARK
    STUDIO.light(brightness=0.8, warmth=0.1)
    seen = observer.take(5.0, STUDIO.picture(blocks))
    STUDIO.light(brightness=SHOT.brightness, warmth=SHOT.warmth)
    assert (seen.image, seen.notice) == (ARMIES, None)


def test_moved_camera_is_reported_and_followed(observer: Observer) -> None:
    blocks = dict(BLOCKS)
    elsewhere = Studio(Look(), replace(SHOT, tilt=27, azimuth=4, distance=18.5))
    picture = elsewhere.picture(blocks.values())
    seen = observer.take(2.0, picture)
    assert seen.image is None
    assert seen.notice is not None
    assert seen.notice.kind is NoticeKind.MOVED
    observer.take(2.4, picture)
    seen = observer.take(2.8, picture)
    assert (seen.image, seen.notice) == (ARMIES, None)


def test_half_of_the_markers_are_enough() -> None:
    hidden = [(x, y, 0.9) for x in (1.0, 4.0, 7.0) for y in (-0.65, 10.65)]
    hidden += [(x, y, 0.9) for x in (-0.65, 10.65) for y in (2.5, 8.0)]
    picture = STUDIO.picture(covered=hidden)
    seen = find_markers(picture)
    assert 5 <= len(seen) <= 16
    pose = find_pose(seen, picture.shape[1::-1])
    assert pose is not None
    assert np.abs(pose.camera - STUDIO._renderer.eye).max() < 1.0


def test_board_in_the_blocks_colour_is_refused() -> None:
    studio = Studio(Look(red=(150, 112, 70)), SHOT)
    observer = Observer()
    observer.take(0.0, studio.picture())
    picture = studio.picture(army_blocks(Random(1)).values())
    for at in (1.0, 100.0):
        seen = observer.take(at, picture)
        assert (seen.phase, seen.image) == (LearningPhase.ARMIES, None)
    assert seen.notice is not None
    assert seen.notice.kind is NoticeKind.ALIKE


def test_a_board_with_painted_home_areas_is_learned_empty() -> None:
    look = Look(homes=((150, 40, 40), (30, 50, 110)), red=(230, 200, 60), blue=(220, 220, 220))
    studio = Studio(look, replace(SHOTS[2], width=800, height=600))
    observer = Observer()
    assert observer.take(0.0, studio.picture()).image == Image()
    assert observer.take(1.0, studio.picture(BLOCKS.values())).image == ARMIES


def test_army_in_the_board_colour_is_not_an_empty_board() -> None:
    studio = Studio(Look(blue=WOOD), replace(SHOTS[2], width=800, height=600))
    observer = Observer()
    seen = observer.take(0.0, studio.picture(BLOCKS.values()))
    assert (seen.image, seen.notice) == (None, Notice(NoticeKind.SHOW_EMPTY))
    assert observer.take(1.0, studio.picture()).image == Image()


def test_nothing_is_read_without_a_frame() -> None:
    seen = Observer().take(0.0, STUDIO.picture(frame=False))
    assert (seen.phase, seen.image) == (LearningPhase.LOCATING, None)
    assert seen.notice is not None
    assert seen.notice.kind is NoticeKind.NO_FRAME
