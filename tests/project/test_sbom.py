"""Tests that the bill of materials lists everything that players receive."""

import json
import os
import subprocess
import sys
from importlib import metadata

import pytest

from tests.project import ROOT
from tools.sbom.cyclonedx_file import cyclonedx
from tools.sbom.page import page
from tools.sbom.parts import PARTS, described_packages, libraries, packages, pinned, scripts

NEVER_LOADED = "comes with Kivy; never loaded"
IMPORT_ALL = """
import importlib, pkgutil, sys
for name in ("engine", "firmware_bridge", "companion"):
    package = importlib.import_module(name)
    for module in pkgutil.walk_packages(package.__path__, name + "."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
print(*sorted({name.split(".")[0] for name in sys.modules}))
"""


def test_bill_lists_exactly_the_packages() -> None:
    assert described_packages() == set(pinned()), f"{PARTS.name} and the pins differ"


def test_bill_matches_the_pins() -> None:
    docs = ROOT / "docs"
    assert (docs / "bill.md").read_text(encoding="utf-8") == page(), "run make bill"
    assert (docs / "bill.cdx.json").read_text(encoding="utf-8") == cyclonedx(), "run make bill"


def test_bill_has_versions_and_licences() -> None:
    bill = json.loads(cyclonedx())
    assert bill["specVersion"] == "1.6"
    found = {(part["name"], part["version"]) for part in bill["components"] if part["licenses"]}
    parts = (*packages(), *libraries().values(), *scripts())
    assert found == {(part.name, part.version) for part in parts}


def test_vendored_script_versions() -> None:
    files = (ROOT / "companion/pads/page").glob("*.README.txt")
    about = [file.read_text(encoding="utf-8") for file in files]
    assert len(about) == len(scripts())
    for script in scripts():
        source = f"npmjs.com/package/{script.name}/v/{script.version},"
        assert any(source in each for each in about)


def test_bundled_kivy_libraries() -> None:
    held = [
        path.name
        for path in metadata.files("kivy") or ()
        if path.parts[0].casefold() == "kivy.libs"
    ]
    listed = {(key, part.file) for key, part in libraries().items()}
    assert {(name.rpartition("-")[0], name.partition(".so.")[2]) for name in held} == listed


@pytest.mark.parametrize("name", sorted(described_packages()))
def test_licences_match_the_packages(name: str) -> None:
    (part,) = (part for part in packages() if part.name == name)
    try:
        found = metadata.metadata(name)
    except metadata.PackageNotFoundError:
        assert name in {"lgpio", "rpi-lgpio", "setuptools"}, "only packages for a Pi may be missing"
        return
    assert found.json.get("license_expression") in {None, part.licence}


def test_unloaded_packages_are_not_loaded() -> None:
    quiet = {"KIVY_NO_ARGS": "1", "KIVY_NO_CONFIG": "1", "KIVY_NO_CONSOLELOG": "1"}
    done = subprocess.run(
        [sys.executable, "-c", IMPORT_ALL],
        cwd=ROOT,
        env={**os.environ, **quiet},
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = set(done.stdout.split())
    unused = {part.name for part in packages() if part.purpose == NEVER_LOADED}
    assert {"kivy", "serial", "cobs"} <= loaded
    assert unused == {
        *("certifi", "charset-normalizer", "docutils", "idna", "kivy-garden", "requests", "urllib3")
    }
    assert not loaded & {name.replace("-", "_") for name in unused}
