"""Back up a hall and restore it on another computer."""

from pathlib import Path
from zipfile import ZipFile

import pytest

from companion.cli import main
from companion.hall.publisher.hall_file import read_hall_file
from companion.hall.server import hall_folder
from companion.hall.server.store import NewItem, Store

GAME = "2026-01-02 18:30:00/1"
CERTIFICATES = ("broker.pem", "broker.key", "ca.pem")


@pytest.fixture
def certified(tmp_path: Path, folder: Path, hall: hall_folder.Hall) -> hall_folder.Hall:
    """Hall on a network, with a game and a tournament. Its certificates are outside its folder."""
    for name in CERTIFICATES:
        (tmp_path / name).write_text(f"this is {name}")
    paths = (str(tmp_path / name) for name in CERTIFICATES)
    hall_folder.make_hall(
        folder, hall_folder.BrokerListener("hall.example", 8883, *paths), [], ["hall"], []
    )
    store = Store(str(folder / "hall.sqlite"))
    store.add([NewItem("table-1", GAME, 1, "one"), NewItem("table-1", GAME, 2, "two")])
    store.record("table-1", GAME, "Anna", {"what": "pause"})
    store.close()
    cup = str(tmp_path / "cup.jsonl")
    assert main(["tournament", "new", "--file", cup, "--name", "Cup"]) == 0
    return hall_folder.read_hall(folder)


@pytest.fixture
def backup(tmp_path: Path, folder: Path, certified: hall_folder.Hall) -> Path:
    """Backup of a hall whose files have been deleted."""
    file = tmp_path / "evening.zip"
    further = ("--tournament", str(tmp_path / "cup.jsonl"), "--with", str(tmp_path / "pages.pem"))
    (tmp_path / "pages.pem").write_text("these are the pages")
    assert main(["hall", "backup", str(folder), str(file), *further]) == 0
    for path in (*folder.iterdir(), *(tmp_path / name for name in (*CERTIFICATES, "cup.jsonl"))):
        path.unlink()
    return file


def test_a_restored_hall_has_everything(
    backup: Path, tmp_path: Path, certified: hall_folder.Hall, codes: dict[str, str]
) -> None:
    there = tmp_path / "there"
    assert main(["hall", "restore", str(backup), str(there)]) == 0
    hall = hall_folder.read_hall(there)
    assert (hall.passwords, hall.tables) == (certified.passwords, certified.tables)
    assert hall.arbiters[hall_folder.hash_code(codes["Anna"], hall.signing_key)] == "Anna"
    table = read_hall_file(there / "table-2.json")
    assert table.broker.address == "mqtts://hall.example:8883"
    assert table.broker.authority == "this is ca.pem"
    configuration = (there / "mosquitto.conf").read_text()
    assert f"certfile {there / 'certificate.pem'}" in configuration
    assert (there / "key.pem").read_text() == "this is broker.key"
    assert (there / "files" / "pages.pem").read_text() == "these are the pages"
    assert "Cup" in (there / "tournament.jsonl").read_text()
    store = Store(str(there / "hall.sqlite"))
    assert [each.body for each in store.items("table-1", GAME)] == ["one", "two"]
    assert [each.author for each in store.acts("table-1", GAME)] == ["Anna"]
    assert store.add([NewItem("table-1", GAME, 3, "three")]) == {("table-1", GAME): 3}
    store.close()


def test_further_files_cannot_collide_with_the_halls_own(
    tmp_path: Path, folder: Path, certified: hall_folder.Hall
) -> None:
    (tmp_path / "pages").mkdir()
    names = ("key.pem", "access", "passwords", "table-1.json", "tournament.jsonl")
    command = ["hall", "backup", str(folder), str(tmp_path / "evening.zip")]
    for name in names:
        (tmp_path / "pages" / name).write_text(f"another {name}")
        command += ["--with", str(tmp_path / "pages" / name)]
    there = tmp_path / "there"
    assert main(command) == 0
    assert main(["hall", "restore", str(tmp_path / "evening.zip"), str(there)]) == 0
    assert (there / "key.pem").read_text() == "this is broker.key"
    for name in names:
        assert (there / "files" / name).read_text() == f"another {name}"


def test_further_files_of_one_name_are_refused(
    tmp_path: Path,
    folder: Path,
    certified: hall_folder.Hall,
    capsys: pytest.CaptureFixture[str],
) -> None:
    command = ["hall", "backup", str(folder), str(tmp_path / "evening.zip")]
    for place in ("here", "there"):
        (tmp_path / place).mkdir()
        (tmp_path / place / "key.pem").write_text(place)
        command += ["--with", str(tmp_path / place / "key.pem")]
    assert main(command) == 2
    assert "two of the further files have the same name" in capsys.readouterr().err
    assert not (tmp_path / "evening.zip").exists()


def test_missing_database_is_refused(
    tmp_path: Path,
    folder: Path,
    certified: hall_folder.Hall,
    capsys: pytest.CaptureFixture[str],
) -> None:
    missing, file = tmp_path / "hal.sqlite", tmp_path / "evening.zip"
    assert main(["hall", "backup", str(folder), str(file), "--database", str(missing)]) == 2
    assert f"{missing} does not exist; give the hall's database" in capsys.readouterr().err
    assert not missing.exists()
    assert not file.exists()


def test_secrets_are_private(backup: Path, tmp_path: Path) -> None:
    there = tmp_path / "there"
    assert main(["hall", "restore", str(backup), str(there)]) == 0
    database = {path for path in there.iterdir() if path.name.startswith("hall.sqlite")}
    secret = {backup, there, *there.iterdir()} - database
    assert {path.stat().st_mode & 0o077 for path in secret} == {0}


def test_a_hall_moves_to_another_address(backup: Path, tmp_path: Path) -> None:
    there = tmp_path / "there"
    command = ["hall", "restore", str(backup), str(there), "--listen", "new.example:8884"]
    assert main(command) == 0
    assert read_hall_file(there / "table-1.json").broker.address == "mqtts://new.example:8884"


@pytest.mark.parametrize("missing", ["hall.json", "key.pem", "database.jsonl", ""])
def test_a_damaged_backup_leaves_nothing_behind(
    missing: str, backup: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with ZipFile(backup) as archive:
        parts = {name: archive.read(name) for name in archive.namelist() if name != missing}
    with ZipFile(backup, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    if not missing:
        backup.write_bytes(backup.read_bytes()[:-30])
    there = tmp_path / "there"
    assert main(["hall", "restore", str(backup), str(there)]) == 2
    assert "is not a backup of a hall" in capsys.readouterr().err
    assert not there.exists()


def test_a_restore_replaces_nothing(
    backup: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    there = tmp_path / "there"
    there.mkdir()
    kept = there / "hall.json"
    kept.write_text("kept")
    assert main(["hall", "restore", str(backup), str(there)]) == 2
    assert kept.read_text() == "kept"
    assert "cannot be restored" in capsys.readouterr().err
