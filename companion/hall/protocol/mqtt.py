"""MQTT 5 broker that connects tables and hall, and a connection to it.

TLS is used if the address asks for it. A connection reconnects without limit.
"""

import ssl
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, Final
from urllib.parse import urlsplit

from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

QOS: Final = 1
KEEPALIVE: Final = 10
"""MQTT keep-alive in seconds; after 1.5 times as long a silent client is dropped and its will
sent."""
LONGEST_RETRY: Final = 4
"""Maximum delay between two attempts to connect, in seconds."""
PLAIN_PORT: Final = 1883
TLS_PORT: Final = 8883


@dataclass(frozen=True)
class Broker:
    """Address and credentials of the MQTT broker."""

    address: str
    """``mqtts://host:port``, or ``mqtt://`` without encryption, on one computer."""
    user: str
    password: str
    authority: str = ""
    """PEM text of the CA certificate for the broker; empty for the system's trust store."""
    certificate: str = ""
    """Paths of the client's own certificate and key, for a broker that requires them."""
    key: str = ""

    @property
    def host(self) -> str:
        """The broker's host name or IP address."""
        return urlsplit(self.address).hostname or ""

    @property
    def port(self) -> int:
        return urlsplit(self.address).port or (TLS_PORT if self.is_encrypted else PLAIN_PORT)

    @property
    def is_encrypted(self) -> bool:
        """Whether TLS is used."""
        return urlsplit(self.address).scheme == "mqtts"


def read_broker(plain: dict[str, str]) -> Broker:
    """Return the broker that these fields describe; ValueError or TypeError if they do not."""
    broker = Broker(**plain)
    if not all(isinstance(getattr(broker, each.name), str) for each in fields(broker)):
        raise ValueError("everything that is said of a broker is a text")
    if urlsplit(broker.address).scheme not in ("mqtt", "mqtts") or not broker.host:
        raise ValueError(f"{broker.address!r} is no address of a broker")
    return broker


class Connection:
    """An MQTT connection that reconnects by itself. Callbacks run in the client's own thread."""

    def __init__(
        self,
        broker: Broker,
        topics: tuple[str, ...],
        connected: Callable[[bool], None],
        hear: Callable[[str, bytes], None],
        will: tuple[str, bytes] | None = None,
    ) -> None:
        """Prepare a connection that subscribes to these topics; `start` opens it.

        `connected` is called whenever the connection is made or lost; `will` is the message that
        the broker publishes when the connection is lost.
        """
        client = Client(
            CallbackAPIVersion.VERSION2, broker.user, protocol=MQTTProtocolVersion.MQTTv5
        )
        client.username_pw_set(broker.user, broker.password)
        if broker.is_encrypted:
            context = ssl.create_default_context(cadata=broker.authority or None)
            if broker.certificate:
                context.load_cert_chain(broker.certificate, broker.key or None)
            client.tls_set_context(context)
        if will:
            client.will_set(*will, qos=QOS, retain=True)
        client.reconnect_delay_set(1, LONGEST_RETRY)
        client.on_connect = self._take_connection
        client.on_disconnect = lambda *_: connected(False)
        client.on_message = self._take_message
        self._broker, self._client = broker, client
        self._topics, self._connected, self._hear = topics, connected, hear

    @property
    def is_there(self) -> bool:
        """Whether the broker is connected at present."""
        return self._client.is_connected()

    def start(self) -> None:
        self._client.connect_async(self._broker.host, self._broker.port, KEEPALIVE)
        self._client.loop_start()

    def stop(self) -> None:
        """Disconnect cleanly; the will is not published."""
        self._client.disconnect()
        self._client.loop_stop()

    def tell(
        self, topic: str, payload: bytes, *, retain: bool = False, expires: int | None = None
    ) -> None:
        """Publish a message; with `expires`, the broker drops it after that many seconds."""
        properties = None
        if expires is not None:
            properties = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]
            properties.MessageExpiryInterval = expires
        self._client.publish(topic, payload, QOS, retain, properties)

    def _take_connection(self, client: Client, _: Any, __: Any, reason: Any, ___: Any) -> None:
        if reason.is_failure:
            return
        if self._topics:
            client.subscribe([(topic, QOS) for topic in self._topics])
        self._connected(True)

    def _take_message(self, _: Client, __: Any, message: MQTTMessage) -> None:
        self._hear(message.topic, bytes(message.payload))
