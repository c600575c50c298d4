"""Tests that updates of the appliance are atomic. If a new release does not work, the update must
be rolled back.

The releases are small, so that they are set up quickly, and systemd's answers are simulated.
"""

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.project import ROOT

PI = ROOT / "hardware" / "pi"
SETUP = """#!/bin/sh
mkdir -p .venv/bin
printf '#!/bin/sh\\n' >.venv/bin/boomboard
printf '#!/bin/sh\\n' >.venv/bin/python
chmod +x .venv/bin/*
"""
NO_NETWORK = "#!/bin/sh\nmkdir .venv\necho 'The packages could not be downloaded.' >&2\nexit 1\n"


def service(state: str, began: int, latest: int) -> str:
    """Return a service's properties as reported by systemd: its state, start and last watchdog
    ping.

    Times are given in seconds; systemd uses microseconds.
    """
    return (
        f"ActiveState={state}\n"
        f"ActiveEnterTimestampMonotonic={began}000000\n"
        f"WatchdogTimestampMonotonic={latest}000000"
    )


LIVES = service("active", 5, 9)
FROZE = service("active", 5, 6)
FELL = service("activating", 5, 9)
NEVER_UP = service("activating", 0, 0)


class Appliance:
    """Folder with the releases, and the source repository."""

    def __init__(self, root: Path) -> None:
        self.root, self.source = root / "root", root / "source"
        self.opt = self.root / "opt" / "boomboard"
        (self.opt / "releases").mkdir(parents=True)
        self.source.mkdir()
        (root / "bin").mkdir()
        self._bin, self._commands = root / "bin", root / "said"
        self.git("init", "--quiet")

    def git(self, *arguments: str) -> str:
        who = ["-c", "user.name=a", "-c", "user.email=a@b"]
        done = subprocess.run(
            ["git", *who, "-C", str(self.source), *arguments],
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout.strip()

    def publish(self, version: str, setup: str = SETUP) -> str:
        """Commit a release. Return the name that its folder will have."""
        (self.source / "tools").mkdir(exist_ok=True)
        pin = f'    "boomboard-engine[gravon]=={version}",\n'
        (self.source / "pyproject.toml").write_text(f"dependencies = [\n{pin}]\n")
        script = self.source / "tools" / "setup.sh"
        script.write_text(setup)
        script.chmod(0o755)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", version)
        return f"{version}-{self.git('rev-parse', '--short=10', 'HEAD')}"

    def update(self, *source: str) -> subprocess.CompletedProcess[str]:
        return self._run(PI / "update.sh", *source)

    def trial(self, status: str) -> subprocess.CompletedProcess[str]:
        """Run the trial while systemd reports the given status."""
        systemctl = self._bin / "systemctl"
        systemctl.write_text(
            f'#!/bin/sh\n[ "$1" = show ] || echo "$*" >>{self._commands}\necho "{status}"\n'
        )
        systemctl.chmod(0o755)
        return self._run(PI / "trial.sh", "0", "3")

    @property
    def asked(self) -> list[str]:
        """Commands that systemd has received."""
        return self._commands.read_text().splitlines() if self._commands.exists() else []

    @property
    def links(self) -> dict[str, str]:
        return {
            name: Path(os.readlink(self.opt / name)).name
            for name in ("current", "previous")
            if (self.opt / name).is_symlink()
        }

    @property
    def releases(self) -> set[str]:
        return {path.name for path in (self.opt / "releases").iterdir()}

    def _run(self, script: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
        path = f"{self._bin}:{os.environ['PATH']}"
        return subprocess.run(
            [str(script), *arguments],
            env=os.environ | {"DESTDIR": str(self.root), "PATH": path},
            capture_output=True,
            text=True,
            check=False,
        )


@pytest.fixture
def appliance(tmp_path: Path) -> Appliance:
    return Appliance(tmp_path)


@pytest.fixture
def old(appliance: Appliance) -> str:
    """Install a release and return its name."""
    name = appliance.publish("1.0")
    assert appliance.update(str(appliance.source)).returncode == 0
    return name


def test_first_release_has_no_trial(appliance: Appliance, old: str) -> None:
    assert appliance.links == {"current": old}
    assert not (appliance.opt / "trial").exists()
    assert (appliance.opt / "source").read_text() == f"{appliance.source}\n"


def test_relative_source_is_stored_as_a_path(
    appliance: Appliance, monkeypatch: pytest.MonkeyPatch
) -> None:
    appliance.publish("1.0")
    monkeypatch.chdir(appliance.source)
    assert appliance.update(".").returncode == 0
    assert (appliance.opt / "source").read_text() == f"{appliance.source}\n"


def test_next_release_is_on_trial(appliance: Appliance, old: str) -> None:
    new = appliance.publish("1.1")
    assert appliance.update().returncode == 0
    assert appliance.links == {"current": new, "previous": old}
    assert (appliance.opt / "trial").read_text() == f"{new}\n"
    assert appliance.releases == {old, new}


def test_current_release_is_not_rebuilt(appliance: Appliance, old: str) -> None:
    done = appliance.update()
    assert (done.returncode, appliance.links) == (0, {"current": old})
    assert "in use already" in done.stdout


@pytest.mark.parametrize("source", ["/no/such/folder", "https://boomboard.invalid/boomboard.git"])
def test_offline_update_keeps_the_old_release(appliance: Appliance, old: str, source: str) -> None:
    done = appliance.update(source)
    assert done.returncode == 1
    [sentence] = done.stderr.splitlines()
    assert sentence.endswith("on the network? The release in use is unchanged.")
    assert (appliance.links, appliance.releases) == ({"current": old}, {old})


def test_failed_build_keeps_the_old_release(appliance: Appliance, old: str) -> None:
    appliance.publish("1.1", NO_NETWORK)
    done = appliance.update()
    assert done.returncode == 1
    assert "could not be downloaded" in done.stderr
    assert (appliance.links, appliance.releases) == ({"current": old}, {old})
    assert not (appliance.opt / "trial").exists()
    new = appliance.publish("1.2")
    assert appliance.update().returncode == 0
    assert appliance.links["current"] == new


def test_leftovers_of_a_power_cut_are_removed(appliance: Appliance, old: str) -> None:
    for left in (".incoming", "1.05-half"):
        (appliance.opt / "releases" / left).mkdir()
    new = appliance.publish("1.1")
    assert appliance.update().returncode == 0
    assert appliance.releases == {old, new}


def test_no_update_during_a_trial(appliance: Appliance, old: str) -> None:
    new = appliance.publish("1.1")
    appliance.update()
    appliance.publish("1.2")
    done = appliance.update()
    assert done.returncode == 1
    assert "on trial; wait two minutes" in done.stderr
    assert appliance.links == {"current": new, "previous": old}


def test_release_with_heartbeats_is_kept(appliance: Appliance, old: str) -> None:
    new = appliance.publish("1.1")
    appliance.update()
    assert appliance.trial(LIVES).returncode == 0
    assert appliance.links == {"current": new, "previous": old}
    assert not (appliance.opt / "trial").exists()
    assert appliance.asked == []


@pytest.mark.parametrize("status", [FROZE, FELL, NEVER_UP], ids=["frozen", "fallen", "never up"])
def test_release_without_heartbeats_is_rolled_back(
    appliance: Appliance, old: str, status: str
) -> None:
    new = appliance.publish("1.1")
    appliance.update()
    done = appliance.trial(status)
    assert done.returncode == 0
    assert f"{new} does not work; returning to {old}." in done.stdout
    assert appliance.links["current"] == old
    assert appliance.releases == {old}
    assert appliance.asked == ["reset-failed boomboard", "restart boomboard"]
    assert not (appliance.opt / "trial").exists()
    after = appliance.publish("1.2")
    assert appliance.update().returncode == 0
    assert appliance.links == {"current": after, "previous": old}


def test_rollback_to_the_previous_release(appliance: Appliance, old: str) -> None:
    new = appliance.publish("1.1")
    appliance.update()
    appliance.trial(LIVES)
    appliance.git("checkout", "--quiet", "HEAD~1")
    assert appliance.update().returncode == 0
    assert appliance.links == {"current": old, "previous": new}


def test_no_question_without_a_trial(appliance: Appliance, old: str) -> None:
    before: Sequence[object] = (appliance.links, appliance.releases)
    done = appliance.trial(NEVER_UP)
    assert (done.returncode, done.stdout, appliance.asked) == (0, "", [])
    assert (appliance.links, appliance.releases) == (*before,)
