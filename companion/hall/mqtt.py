"""The connection to the broker: MQTT 5, encrypted where the address says so, never given up."""

import ssl
from collections.abc import Callable
from typing import Any, Final

from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from companion.hall.broker import Broker

QOS: Final = 1
KEEPALIVE: Final = 10
"""A table that is silent for one and a half times as many seconds is gone, and its will is told."""
LONGEST_RETRY: Final = 4
"""Seconds from one try to connect to the next, at most."""


class Connection:
    """A connection that comes back by itself. Its callbacks come from a thread of its own."""

    def __init__(
        self,
        broker: Broker,
        topics: tuple[str, ...],
        connected: Callable[[bool], None],
        hear: Callable[[str, bytes], None],
        will: tuple[str, bytes] | None = None,
    ) -> None:
        """Describe a connection that hears these topics; `start` makes it.

        `connected` is told whenever it is made or lost; `will` is what the broker tells the others
        when it is lost.
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
        """Whether the broker can be talked to just now."""
        return self._client.is_connected()

    def start(self) -> None:
        """Begin to connect, in the background."""
        self._client.connect_async(self._broker.host, self._broker.port, KEEPALIVE)
        self._client.loop_start()

    def stop(self) -> None:
        """Say good-bye; the will is not told."""
        self._client.disconnect()
        self._client.loop_stop()

    def tell(
        self, topic: str, payload: bytes, *, retain: bool = False, expires: int | None = None
    ) -> None:
        """Send a message; one that `expires` after so many seconds comes by then or not at all."""
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
