"""Tests for hall addresses, including invalid ones."""

from pathlib import Path

import pytest

from companion.cli import main
from companion.hall.publisher.hall_file import VARIABLE, HallAddressError, read_hall_address
from companion.hall.server.hall_folder import BrokerListener, Hall

KEY = "0123456789abcdef" * 4
WITH_PASSWORD = {VARIABLE: "secret"}


def test_address_equals_the_table_file(hall: Hall) -> None:
    hall.listening = BrokerListener("hall.example", 8883, "broker.pem", "broker.key")
    file = hall.table_file("table-2")
    address = f"mqtts://table-2@hall.example:8883#{file.signed_by}"
    assert read_hall_address(address, {VARIABLE: hall.passwords["table-2"]}) == file


def test_default_port_and_numeric_host() -> None:
    named = read_hall_address(f"mqtts://table-1@[fe80::1]#{KEY}", WITH_PASSWORD)
    assert (named.broker.host, named.broker.port) == ("fe80::1", 8883)
    assert named.broker.is_encrypted


@pytest.mark.parametrize(
    "address",
    [
        "mqtts://",
        f"mqtts://hall.example:8883#{KEY}",
        "mqtts://table-1@hall.example:8883",
        f"mqtts://table-1@hall.example:8883#{KEY[1:]}",
        f"mqtts://table-1@hall.example:port#{KEY}",
        f"mqtts://table-1@hall.example:0#{KEY}",
        f"mqtts://table-1@hall.example:8883/items#{KEY}",
        f"mqtts://Table%201@hall.example:8883#{KEY}",
        f"mqtts://table-1@[hall#{KEY}",
    ],
)
def test_invalid_address_is_refused(address: str) -> None:
    with pytest.raises(HallAddressError, match="This is not a hall's address; use mqtts://"):
        read_hall_address(address, WITH_PASSWORD)


@pytest.mark.parametrize(
    ("user", "environment"),
    [("table-1", {}), ("table-1", {VARIABLE: ""}), ("table-1:secret", WITH_PASSWORD)],
)
def test_password_from_the_environment(user: str, environment: dict[str, str]) -> None:
    with pytest.raises(HallAddressError, match=f"in the variable {VARIABLE}") as refused:
        read_hall_address(f"mqtts://{user}@hall.example#{KEY}", environment)
    assert "secret" not in str(refused.value)


def test_table_explains_an_invalid_address(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hall = "mqtts://hall.example"
    assert main(["referee", "--simulate", "--hall", hall, "--data", str(tmp_path)]) == 2
    assert "This is not a hall's address" in capsys.readouterr().err
