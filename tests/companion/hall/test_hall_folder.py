"""Tests for a hall's files, including faulty ones."""

import hashlib
import json
import socket
from base64 import b64decode
from pathlib import Path

import pytest

from companion.cli import main
from companion.hall.publisher.hall_file import HallFileError, read_hall_file
from companion.hall.server.hall_folder import BrokerListener, Hall, hash_code, make_hall, read_hall
from tests.companion.web.certificates import make_certificate


def test_table_file(folder: Path, hall: Hall) -> None:
    file = read_hall_file(folder / "table-2.json")
    assert file.table == file.broker.user == "table-2"
    assert bytes.fromhex(file.signed_by) == hall.key.verify_key.encode()
    assert (file.broker.host, file.broker.port) == ("127.0.0.1", 1883)
    assert hall.signing_key not in (folder / "table-2.json").read_text()
    assert hall.passwords["table-1"] not in (folder / "table-2.json").read_text()


def test_secret_files_are_private(folder: Path, hall: Hall) -> None:
    assert {path.stat().st_mode & 0o077 for path in folder.iterdir()} == {0}
    kept = "".join(path.read_text() for path in folder.iterdir() if path.name != "hall.json")
    assert hall.signing_key not in kept


def test_codes_are_stored_as_hashes(folder: Path, hall: Hall, codes: dict[str, str]) -> None:
    assert sorted(hall.arbiters.values()) == ["Anna", "Bert"]
    assert hall.arbiters[hash_code(codes["Anna"], hall.signing_key)] == "Anna"
    assert codes["Anna"] not in (folder / "hall.json").read_text()


def test_recreated_hall_keeps_its_files(folder: Path, hall: Hall) -> None:
    listening = BrokerListener("hall.example", 8883, "c.pem", "k.pem")
    codes = make_hall(folder, listening, ["table-2", "table-3"], ["hall"], ["Anna", "Cleo"])
    again = read_hall(folder)
    assert list(codes) == ["Cleo"]
    assert again.tables == ("table-1", "table-2", "table-3")
    assert again.signing_key == hall.signing_key
    assert again.passwords["table-1"] == hall.passwords["table-1"]
    assert read_hall_file(folder / "table-1.json").broker.address == "mqtts://hall.example:8883"


def test_broker_files_have_permissions(folder: Path, hall: Hall) -> None:
    configuration = (folder / "mosquitto.conf").read_text().splitlines()
    assert "listener 1883 127.0.0.1" in configuration
    assert "allow_anonymous false" in configuration
    access = (folder / "access").read_text()
    assert "pattern write boomboard/tables/%u/items" in access
    assert "topic write boomboard/tables/+/orders" in access
    for line in (folder / "passwords").read_text().splitlines():
        user, _, written = line.partition(":")
        _, _, rounds, salt, digest = written.split("$")
        expected = hashlib.pbkdf2_hmac(
            "sha512", hall.passwords[user].encode(), b64decode(salt), int(rounds)
        )
        assert b64decode(digest) == expected


@pytest.mark.parametrize(
    "spoiled",
    [
        "",
        "[]",
        "{}",
        '{"broker": {}}',
        '{"broker": {"address": "http", "user": "", "password": ""}}',
        "[" * 100_000,
    ],
)
def test_invalid_file_is_refused(spoiled: str, tmp_path: Path) -> None:
    path = tmp_path / "table.json"
    path.write_text(spoiled)
    with pytest.raises(HallFileError, match=r"is not a hall file \(.*\); use the one that"):
        read_hall_file(path)
    with pytest.raises(HallFileError, match="cannot be read"):
        read_hall_file(tmp_path / "missing.json")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["broker-config", "{}", "--listen", "10.0.0.1:8883"], "codes must be encrypted"),
        (["serve", "{}", "--listen", "0.0.0.0:80"], "codes must be encrypted"),
        (["serve", "{}", "--certificate", "c.pem"], "must be used together"),
        (["serve", "{}"], "is not the folder of a hall"),
    ],
)
def test_impossible_requests_are_explained(
    arguments: list[str], expected: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["hall", *(each.format(tmp_path / "hall") for each in arguments)]) == 2
    assert expected in capsys.readouterr().err


@pytest.mark.parametrize(
    "address",
    ["mqtts://hall:88830", "mqtts://hall:port", "mqtts://hall:0", "mqtts://[::1", "mqtts://"],
)
def test_invalid_broker_address_is_refused(
    address: str, folder: Path, hall: Hall, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = folder / "table-1.json"
    path.write_text(path.read_text().replace("mqtt://127.0.0.1:1883", address))
    command = ["referee", "--simulate", "--hall", str(path), "--data", str(tmp_path)]
    assert main(command) == 2
    assert f"{path} is not a hall file" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("authority", "damaged"),
        ("authority", "-----BEGIN CERTIFICATE-----\nü\n-----END CERTIFICATE-----\n"),
        ("certificate", "missing.pem"),
    ],
)
def test_invalid_table_certificate_is_refused(
    field: str,
    value: str,
    folder: Path,
    hall: Hall,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = folder / "table-1.json"
    plain = json.loads(path.read_text())
    plain["broker"] |= {"address": "mqtts://localhost", field: value}
    path.write_text(json.dumps(plain))
    command = ["referee", "--simulate", "--hall", str(path), "--data", str(tmp_path)]
    assert main(command) == 2
    assert f"The certificate in {path} cannot be used (" in capsys.readouterr().err


def test_invalid_certificate_of_the_pages_is_refused(
    folder: Path, hall: Hall, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = make_certificate(tmp_path / "pages")
    for certificate, key in (
        (tmp_path / "missing.pem", made.key),
        (made.chain, tmp_path / "missing.pem"),
        (folder / "hall.json", made.key),
    ):
        command = ["hall", "serve", str(folder), "--certificate", str(certificate)]
        assert main([*command, "--key", str(key)]) == 2
        expected = f"The certificate {certificate} with the key {key} cannot be used ("
        assert expected in capsys.readouterr().err


def test_invalid_broker_authority_is_refused(
    folder: Path, hall: Hall, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    authority = tmp_path / "ca.pem"
    authority.write_text("damaged")
    listening = BrokerListener("hall.example", 8883, "c.pem", "k.pem", str(authority))
    make_hall(folder, listening, [], ["hall"], [])
    assert main(["hall", "serve", str(folder)]) == 2
    assert f"The broker's authority {authority} cannot be used (" in capsys.readouterr().err
    authority.unlink()
    assert main(["hall", "serve", str(folder)]) == 2
    expected = f"The broker's authority {authority} cannot be used (No such file or directory)"
    assert expected in capsys.readouterr().err


def test_hall_on_ipv6(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "hall"
    assert main(["hall", "broker-config", str(folder), "--listen", "[::1]:1884"]) == 0
    broker = read_hall_file(folder / "table-1.json").broker
    assert (broker.address, broker.host, broker.port) == ("mqtt://[::1]:1884", "::1", 1884)
    assert "listener 1884 ::1" in (folder / "mosquitto.conf").read_text().splitlines()
    with socket.socket(socket.AF_INET6) as taken:
        taken.bind(("::1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert main(["hall", "serve", str(folder), "--listen", f"[::1]:{port}"]) == 2
    output = capsys.readouterr()
    assert f"The arbiters' pages: http://[::1]:{port}\n" in output.out
    assert f"Cannot listen on [::1]:{port}: " in output.err


def test_table_explains_an_invalid_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hall = str(tmp_path / "hall.json")
    assert main(["referee", "--simulate", "--hall", hall, "--data", str(tmp_path)]) == 2
    assert f"{hall} cannot be read" in capsys.readouterr().err


def test_hall_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "hall"
    assert main(["hall", "broker-config", str(folder), "--tables", "3", "--arbiter", "Ada"]) == 0
    assert "Ada's code: " in capsys.readouterr().out
    assert json.loads((folder / "table-3.json").read_text())["table"] == "table-3"
    assert main(["hall", "serve", str(folder), "--as", "hall-2"]) == 2
    assert "There is no hall called hall-2" in capsys.readouterr().err


def test_tables_and_arbiters_are_renewed_and_revoked(
    folder: Path, hall: Hall, codes: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["hall", "renew", str(folder), "Anna", "table-1"]) == 0
    output = capsys.readouterr().out
    again = read_hall(folder)
    code = output.partition("Anna's code: ")[2].split()[0]
    assert again.arbiters[hash_code(code, again.signing_key)] == "Anna"
    assert hash_code(codes["Anna"], again.signing_key) not in again.arbiters
    assert again.passwords["table-1"] != hall.passwords["table-1"]
    assert again.passwords["table-2"] == hall.passwords["table-2"]
    assert again.listening == hall.listening
    assert read_hall_file(folder / "table-1.json").broker.password == again.passwords["table-1"]
    assert main(["hall", "revoke", str(folder), "Anna", "table-1"]) == 0
    left = read_hall(folder)
    assert ([*left.arbiters.values()], left.tables) == (["Bert"], ("table-2",))
    assert not (folder / "table-1.json").exists()
    assert "table-1" not in (folder / "passwords").read_text()
    assert main(["hall", "revoke", str(folder), "Zoe"]) == 2
    assert "there is no arbiter or table called 'Zoe'" in capsys.readouterr().err


def test_revoked_table_does_not_come_back(tmp_path: Path) -> None:
    folder = str(tmp_path / "hall")
    assert main(["hall", "broker-config", folder, "--tables", "2"]) == 0
    assert main(["hall", "revoke", folder, "table-2"]) == 0
    assert main(["hall", "broker-config", folder, "--arbiter", "Anna"]) == 0
    assert read_hall(Path(folder)).tables == ("table-1",)


def test_new_hall_has_ten_tables(tmp_path: Path) -> None:
    folder = tmp_path / "hall"
    assert main(["hall", "broker-config", str(folder)]) == 0
    assert len(read_hall(folder).tables) == 10


def test_secrets_of_the_hall_are_not_handed_out(
    folder: Path, hall: Hall, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["hall", "renew", str(folder), "hall", "table-2", "Anna"]) == 0
    output = capsys.readouterr().out
    assert "give these tables their new files: table-2.\n" in output
    assert "Restart the broker and “boomboard hall serve --as hall”.\n" in output


def test_listener_is_kept(folder: Path, hall: Hall) -> None:
    make_hall(folder, BrokerListener("hall.example", 8883, "c.pem", "k.pem"), [], ["hall"], [])
    assert main(["hall", "broker-config", str(folder), "--tables", "3"]) == 0
    assert read_hall(folder).listening == BrokerListener("hall.example", 8883, "c.pem", "k.pem")
