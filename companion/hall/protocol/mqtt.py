"""MQTT 5 connection to the broker.

The client reconnects automatically, and uses TLS if the address requires it.
"""

import ssl
from collections.abc import Callable
from typing import Any, Final

from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from companion.hall.protocol.broker import Broker

QOS: Final = 1
KEEPALIVE: Final = 10
"""MQTT keep-alive in seconds. After 1.5 times this interval, the broker drops a silent client and
publishes its will."""
LONGEST_RETRY: Final = 4
"""Maximum delay between connection attempts, in seconds."""


def tls_context(broker: Broker) -> ssl.SSLContext:
    """Return the settings for an encrypted connection to the broker.

    Raise OSError or ValueError if a certificate cannot be used.
    """
    # Outside its certificates, a PEM file can contain comments in any characters.
    authority = broker.authority.encode("ascii", "replace").decode()
    context = ssl.create_default_context(cadata=authority or None)
    if broker.certificate:
        context.load_cert_chain(broker.certificate, broker.key or None)
    return context


class MqttConnection:
    """An MQTT connection that reconnects automatically. Callbacks run in the client's thread."""

    def __init__(
        self,
        broker: Broker,
        topics: tuple[str, ...],
        connected: Callable[[bool], None],
        hear: Callable[[str, bytes], None],
        will: tuple[str, bytes] | None = None,
        keepalive: int = KEEPALIVE,
    ) -> None:
        """Prepare a connection that subscribes to `topics`; `start` opens it.

        `connected` is called with True when the connection is made, and with False when it is lost.
        The broker publishes `will` when the connection is lost.
        """
        client = Client(
            CallbackAPIVersion.VERSION2, broker.user, protocol=MQTTProtocolVersion.MQTTv5
        )
        client.username_pw_set(broker.user, broker.password)
        if broker.is_encrypted:
            client.tls_set_context(tls_context(broker))
        if will:
            client.will_set(*will, qos=QOS, retain=True)
        client.reconnect_delay_set(1, LONGEST_RETRY)
        client.on_connect = self._take_connection
        client.on_disconnect = lambda *_: connected(False)
        client.on_message = self._take_message
        self._broker, self._client, self._keepalive = broker, client, keepalive
        self._topics, self._connected, self._hear = topics, connected, hear

    @property
    def is_there(self) -> bool:
        """Whether the client is connected to the broker."""
        return self._client.is_connected()

    def start(self) -> None:
        self._client.connect_async(self._broker.host, self._broker.port, self._keepalive)
        self._client.loop_start()

    def stop(self) -> None:
        """Disconnect cleanly, so that the will is not published."""
        self._client.disconnect()
        self._client.loop_stop()

    def publish(
        self, topic: str, payload: bytes, *, retain: bool = False, expires: int | None = None
    ) -> None:
        """Publish a message. If `expires` is given, the broker drops it after that many seconds."""
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
