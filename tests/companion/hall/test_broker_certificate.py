"""Passwords are sent only to a broker with the right certificate."""

import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue

import pytest

from companion.hall.protocol.broker import Broker
from companion.hall.protocol.mqtt import MqttConnection
from tests.companion.web.certificates import SelfSigned, make_certificate

PASSWORD = "the password of table-1"


@contextmanager
def broker_with(made: SelfSigned) -> Iterator[tuple[int, SimpleQueue[bytes]]]:
    """Accept one connection.

    Yield the port, and a queue that receives the connection's first bytes.
    """
    heard: SimpleQueue[bytes] = SimpleQueue()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(made.chain, made.key)
    with socket.create_server(("", 0)) as listener:

        def accept() -> None:
            plain, _ = listener.accept()
            with context.wrap_socket(
                plain, server_side=True, do_handshake_on_connect=False
            ) as line:
                try:
                    line.do_handshake()
                    heard.put(line.recv(4096))
                except OSError:  # the other end has aborted the handshake
                    heard.put(b"")

        thread = threading.Thread(target=accept)
        thread.start()
        yield listener.getsockname()[1], heard
        thread.join()


# After a failed handshake, the MQTT client leaves its socket to the garbage collector.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize(
    ("trusted", "host", "is_trusted"),
    [("own", "localhost", True), ("other", "localhost", False), ("own", "127.0.0.2", False)],
)
def test_password_is_sent_only_to_the_verified_broker(
    tmp_path: Path, trusted: str, host: str, is_trusted: bool
) -> None:
    made = {name: make_certificate(tmp_path / name) for name in ("own", "other")}
    with broker_with(made["own"]) as (port, heard):
        authority = made[trusted].chain.read_text(encoding="utf-8")
        broker = Broker(f"mqtts://{host}:{port}", "table-1", PASSWORD, authority)
        connection = MqttConnection(broker, (), lambda _: None, lambda *_: None)
        connection.start()
        received = heard.get()
        connection.stop()
    assert (PASSWORD.encode() in received) is is_trusted
