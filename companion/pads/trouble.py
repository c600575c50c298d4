"""Why there are no pads. `companion.speech.pad_words` says it to people."""

from enum import Enum


class PadTrouble(Enum):
    """What keeps pads from being opened, or has ended them."""

    PORT_TAKEN = "port-taken"
    """Another program listens on this port."""
    NO_SUCH_ADDRESS = "no-such-address"
    """This computer does not have the address that was named."""
    NOT_ALLOWED = "not-allowed"
    """The system does not let this program listen there."""
    SHUT_OUT = "shut-out"
    """The system lets this program into no network at all."""
    NO_NETWORK = "no-network"
    """This computer is in no network, so that no phone can reach it."""
    CERTIFICATE = "certificate"
    """The certificate and its key cannot be read, or do not fit each other."""
    STOPPED = "stopped"
    """What served the pads has stopped by itself."""
