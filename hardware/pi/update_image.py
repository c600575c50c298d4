"""Boot an SD card image in an emulated computer and update it to a broken release.

    python -m hardware.pi.update_image build/image/boomboard.img

At the end of the test, the original release must be in use again. Only a copy of the image is
booted, so the image itself is not modified. The release's Python packages are in a folder named
wheels next to the image.
"""

import sys
import tempfile
from pathlib import Path
from typing import TextIO

from hardware.pi import checks, release
from hardware.pi.qemu import check, computer, on_copy_of_image
from hardware.pi.sd_image import Kernel, partitions


def update(image: Path, wheels: Path, log: TextIO) -> None:
    """Start the computer and install a broken release. Raise CheckError if that release remains in
    use.

    Args:
        image: The image, which is modified.
        wheels: The folder that contains the release's Python packages.
        log: The file to which the console output is written.
    """
    boot, *_ = partitions(image)
    with tempfile.TemporaryDirectory() as name:
        kernel = Kernel.read(image, boot, Path(name))
        disk = release.make_disk(wheels, Path(name))
        with computer(image, kernel, Path(name), log, disk) as started, started.shell() as shell:
            check(checks.it_starts, shell)
            check(checks.it_sends_heartbeats, shell)
            check(release.a_hanging_release_is_rolled_back, shell)


def main(image: str) -> int:
    """Update a copy of an image and report the results."""
    path = Path(image)
    return on_copy_of_image(path, lambda copy, log: update(copy, path.parent / "wheels", log))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
