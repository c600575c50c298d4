"""Boot an SD card image in an emulated computer, cut the power, and boot it again.

    python -m hardware.pi.boot_image build/image/boomboard.img

If a check fails, the program reports it and exits with status 1. The computer's console output is
saved next to the image as a .log file, and a screenshot of its display as a .png file. Only a copy
of the image is booted, so the image itself is not modified.
"""

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final, TextIO

from hardware.pi import checks, power_cut_game
from hardware.pi.checks import CheckError
from hardware.pi.qemu import check, computer, on_copy_of_image, report
from hardware.pi.sd_image import Kernel, Partition, partitions, run

PLIES: Final = 20
"""Minimum number of plies that are played before the power is cut."""
AFTER_THE_FIRST_START: Final = (
    checks.it_starts,
    checks.it_runs_as_an_unprivileged_user,
    checks.it_sends_heartbeats,
    checks.it_starts_after_its_dependencies,
    checks.no_unit_has_failed,
    checks.the_root_is_not_written_to,
    checks.the_games_can_be_written_and_are_private,
    checks.the_service_is_sandboxed,
    checks.nothing_listens_on_the_network,
    checks.the_watchdog_restarts_a_frozen_companion,
)
AFTER_THE_POWER_CUT: Final = (
    checks.it_starts,
    checks.it_sends_heartbeats,
    checks.no_unit_has_failed,
    checks.writes_to_the_root_are_discarded,
)


def boot(image: Path, picture: Path, log: TextIO) -> None:
    """Boot an image, cut the power, boot the image again, and run all checks.

    Args:
        image: The image, which is modified.
        picture: The file in which the screenshot is saved as PNG.
        log: The file to which the console output is written.

    Raises:
        CheckError: A check failed.
        ShellError: The computer stopped, or a command failed.
    """
    first, root, games = partitions(image)
    unwritten = root.digest(image)
    with tempfile.TemporaryDirectory() as name:
        kernel = Kernel.read(image, first, Path(name))
        with computer(image, kernel, Path(name), log) as started, started.shell() as shell:
            for each in AFTER_THE_FIRST_START:
                check(each, shell)
            # The screen is drawn only after the first watchdog ping. Drawing it takes a long time,
            # because there is no graphics card.
            shell.ask("sleep 10")
            started.photograph(picture)
            announced = power_cut_game.play_until_cut_off(shell, PLIES, started.pull_the_plug)
        report(f"the power was cut after {len(announced)} announced plies")
        with computer(image, kernel, Path(name), log) as started:
            with started.shell() as shell:
                for each in AFTER_THE_POWER_CUT:
                    check(each, shell)
                report("the game is saved", power_cut_game.the_game_is_saved(shell, announced))
                report("the game resumes", power_cut_game.the_game_resumes(shell, announced))
                checks.switch_off(shell)
            started.wait_until_off()
            report("the companion has switched the computer off")
    if root.digest(image) != unwritten:
        raise CheckError("The root file system was modified.")
    report("the root is unchanged, byte for byte")
    check_whole(image, games)
    report("the games' partition is undamaged")


def check_whole(image: Path, part: Partition) -> None:
    """Check a file system that should have been unmounted cleanly. Raise CheckError if it is
    damaged."""
    try:
        run("e2fsck", "-fn", f"{image}?offset={part.at}")
    except subprocess.CalledProcessError as error:
        raise CheckError(f"The games partition is damaged: {error.stdout.decode()}") from error


def main(image: str) -> int:
    """Boot a copy of an image and report the results."""
    path = Path(image)
    return on_copy_of_image(path, lambda copy, log: boot(copy, path.with_suffix(".png"), log))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
