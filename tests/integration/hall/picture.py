"""Takes the screenshot of the arbiters' page for docs/screens.

    python -m tests.integration.hall.picture

Simulated tables play for a while. Then Chromium renders the page. The style sheet is embedded in
the page.
"""

import re
import signal
import subprocess
import sys
import time
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tests.integration.hall.page import sign_in
from tests.integration.hall.services import free_port, listens, wait_until
from tools.make_screens import DOCS, shrink

CHROMIUM: Final = "/usr/bin/chromium"
TABLES: Final = 6
SECONDS: Final = 30
"""Time for which the tables play, in seconds."""
_SIZE: Final = "800,480"
_STYLE_LINK: Final = '<link rel="stylesheet" href="/static/console.css">'
_CODE: Final = re.compile(r"sign in with (\S+)\.")


def rehearse() -> str:
    """Run a hall with simulated tables. Return its page as a single HTML file."""
    port = free_port()
    arguments = ["hall", "rehearse", "--tables", str(TABLES), "--listen", f"127.0.0.1:{port}"]
    with subprocess.Popen(
        [sys.executable, "-m", "companion", *arguments], stdout=subprocess.PIPE, text=True
    ) as hall:
        assert hall.stdout
        try:
            found = _CODE.search(hall.stdout.readline())
            assert found, "the hall printed no arbiter's code"
            wait_until(lambda: listens(port))
            time.sleep(SECONDS)
            cookie = sign_in(port, found[1])
            style = f"<style>{_get(port, '/static/console.css', cookie)}</style>"
            return _get(port, "/", cookie).replace(_STYLE_LINK, style)
        finally:
            hall.send_signal(signal.SIGINT)


def _get(port: int, path: str, cookie: str) -> str:
    with closing(HTTPConnection("127.0.0.1", port, timeout=30)) as connection:
        connection.request("GET", path, headers={"Cookie": cookie})
        return connection.getresponse().read().decode()


def main() -> None:
    picture = DOCS / "hall.png"
    with TemporaryDirectory() as folder:
        page = Path(folder) / "hall.html"
        page.write_text(rehearse(), encoding="utf-8")
        options = ["--headless", "--no-sandbox", "--hide-scrollbars", f"--window-size={_SIZE}"]
        subprocess.run(
            [CHROMIUM, *options, f"--screenshot={picture}", page.as_uri()],
            check=True,
            stderr=subprocess.DEVNULL,
        )
    shrink(picture)
    print(picture)


if __name__ == "__main__":
    main()
