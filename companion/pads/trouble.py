"""Reasons why there are no pads. `companion.speech.pad_words` puts them into words."""

from enum import Enum


class PadTrouble(Enum):
    """Error that prevents the pads from being opened, or has ended them."""

    PORT_TAKEN = "port-taken"
    """Another program listens on this port."""
    NO_SUCH_ADDRESS = "no-such-address"
    """This computer does not have the configured address."""
    NOT_ALLOWED = "not-allowed"
    """The system does not permit this program to listen there."""
    SHUT_OUT = "shut-out"
    """The system permits this program no network access at all."""
    NO_NETWORK = "no-network"
    """This computer is not in a network, so that no phone can reach it."""
    CERTIFICATE = "certificate"
    """The certificate or its key cannot be read, or they do not match."""
    STOPPED = "stopped"
    """The server of the pads has stopped by itself."""
