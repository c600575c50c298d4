"""Run a hall, that is, the receiver and the web server, until it is stopped."""

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import uvicorn

from companion.hall.console.console import POLICY, Console
from companion.hall.server.hall_folder import Hall
from companion.hall.server.receiver import Receiver
from companion.hall.server.store import StoreProxy
from companion.hall.server.tables import Results, Tables
from companion.hall.tournament.pages import routes
from companion.web.server import ServerConfig

GOODBYE_SECONDS = 2
"""Time to wait for open pages at shutdown, in seconds."""


@dataclass(frozen=True)
class WebServerOptions:
    """Address and certificate of the web server."""

    host: str
    port: int
    certificate: str = ""
    key: str = ""


def serve(
    hall: Hall, program: str, database: str, door: WebServerOptions, tournament: Path | None = None
) -> None:
    """Serve until stopped; `program` is the user name of this hall at the broker.

    The tournament in the file `tournament` is public, and takes its results from the tables.
    """
    tables, library = Tables(), StoreProxy(database)
    for table in hall.tables:
        tables.touch(table)
    if tournament:
        Results(tournament, tables)
    receiver = Receiver(hall.broker(program), database, hall.key, tables)
    public = routes(tournament) if tournament else ()
    config = ServerConfig(
        Console(hall, tables, receiver, library).application(public),
        POLICY,
        certificate=door.certificate or None,
        key=door.key or None,
        host=door.host,
        port=door.port,
        timeout_graceful_shutdown=GOODBYE_SECONDS,
    )
    receiver.start()
    try:
        with suppress(KeyboardInterrupt):
            uvicorn.Server(config).run()
    finally:
        receiver.close()
        library.close()
