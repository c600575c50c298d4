"""Reads an SD card image: its partitions and the kernel that a Pi would boot."""

import hashlib
import json
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path


def run(*command: str) -> bytes:
    """Run a Debian tool and return its output. Raise CalledProcessError if it fails."""
    return subprocess.run(command, check=True, capture_output=True).stdout  # noqa: S603 (our own)


@dataclass(frozen=True)
class Partition:
    """Partition of an image, with its offset and size in bytes."""

    at: int
    size: int

    def digest(self, image: Path) -> str:
        """Return the SHA-256 digest of the partition's contents."""
        with image.open("rb") as file:
            file.seek(self.at)
            digest, left = hashlib.sha256(), self.size
            while left:
                block = file.read(min(left, 1 << 22))
                digest.update(block)
                left -= len(block)
        return digest.hexdigest()


def partitions(image: Path) -> list[Partition]:
    """Return the partitions of the image: boot, root and games."""
    table = json.loads(run("sfdisk", "--json", str(image)))["partitiontable"]
    sector = table["sectorsize"]
    return [Partition(sector * p["start"], sector * p["size"]) for p in table["partitions"]]


@dataclass(frozen=True)
class Kernel:
    """Kernel, initrd and kernel command line that a Pi's firmware would use."""

    kernel: Path
    initrd: Path
    command_line: str

    @classmethod
    def read(cls, image: Path, boot: Partition, folder: Path) -> "Kernel":
        """Copy the files named in config.txt from the boot partition to a folder."""

        def take(name: str) -> Path:
            run("mcopy", "-n", "-i", f"{image}@@{boot.at}", f"::/{name}", str(folder))
            return folder / name

        config = take("config.txt").read_text()
        [kernel] = re.findall(r"^kernel=(.+)$", config, re.MULTILINE)
        [initrd] = re.findall(r"^initramfs (.+)$", config, re.MULTILINE)
        return cls(take(kernel), take(initrd), take("cmdline.txt").read_text().strip())
