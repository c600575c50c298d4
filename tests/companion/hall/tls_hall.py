"""Run a hall over TLS as a separate process: ``python -m tests.companion.hall.tls_hall``.

The process prints its port and the code of the arbiter Anna. It serves until it is killed.
"""

import json
import sys
from pathlib import Path

from companion.hall.console.console import POLICY, Console
from companion.hall.server.hall_folder import BrokerListener, make_hall, read_hall
from companion.hall.server.receiver import HallReceiver
from companion.hall.server.store import StoreProxy
from companion.hall.server.tables import Tables
from companion.web.server import ServerConfig, WebServer, listen
from tests.companion.web.certificates import SelfSigned


def serve(folder: Path, made: SelfSigned) -> None:
    """Create a hall in a folder, and serve its pages with a certificate."""
    codes = make_hall(folder, BrokerListener("127.0.0.1", 1883), ["table-1"], ["hall"], ["Anna"])
    hall, tables, database = read_hall(folder), Tables(), str(folder / "hall.sqlite")
    tables.touch("table-1")
    receiver = HallReceiver(hall.broker("hall"), database, hall.key, tables)
    console = Console(folder, hall, tables, receiver, StoreProxy(database))
    config = ServerConfig(
        console.application(),
        POLICY,
        members=console.members,
        certificate=str(made.chain),
        key=str(made.key),
    )
    (listener,) = listen("127.0.0.1", 0)
    sys.stdout.write(json.dumps({"port": listener.getsockname()[1], "code": codes["Anna"]}) + "\n")
    sys.stdout.flush()
    WebServer(config).run([listener])


if __name__ == "__main__":
    serve(Path(sys.argv[1]), SelfSigned(Path(sys.argv[2]), Path(sys.argv[3])))
