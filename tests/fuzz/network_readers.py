"""Readers of network input from phones, tables, brokers and browsers.

Each reader parses input exactly as the program does, and then does what the program would do next.
Invalid input is rejected with documented exceptions.
"""

import base64
import json
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, Final

from nacl.signing import SigningKey

from companion.codec import MalformedError
from companion.core.inputs import CallArbiter
from companion.core.table import Table
from companion.hall.console.arbiters import UnknownActError, act_text, read_act
from companion.hall.console.console import read_form
from companion.hall.console.pages import render_overview, render_table_page
from companion.hall.protocol import messages
from companion.hall.protocol.feed import read_item, write_item
from companion.hall.server.tables import Tables
from companion.jsonl.requests import read_command
from companion.pads.encryption import COUNTER, KEY, UP, UP_SIZE, SessionKeys, pad, public_key
from companion.pads.listen_address import write_token
from companion.pads.pad_feed import PadFeed
from companion.pads.pad_hub import PadHub, RefusedError
from companion.speech.i18n import Language, accepted_language
from engine.board.geometry import Side
from tests.companion.core.table_driver import attack
from tests.companion.hall.saved_tables import SavedTable, items_of
from tests.companion.pads.pad_driver import PadDriver, drawing

TABLE: Final = "table-1"
HALL: Final = SigningKey(bytes(32))
GAME: Final = "2026-03-07 18:30:00/7"
ENGLISH: Final = Language("en")
_OWN: Final = bytes([7]) * KEY
_CODES: Final = {side: bytes([number]) * 16 for number, side in enumerate(Side)}
_TOKEN: Final = json.dumps({"token": write_token(bytes(16))}).encode()


# -- phones


@cache
def _feed() -> PadFeed:
    """Return the feed of a game in which a player has been asked for a rank. The game is cached, so
    it must not be continued."""
    host = PadDriver.begun()
    assert isinstance(host, PadDriver)
    host.is_in_hall = True
    host.play("e4-e5 e7-e6")
    attack(host)
    followed = PadFeed(host, lambda _: ENGLISH, host.clock)
    followed.look()
    return followed


def read_pad_body(data: bytes) -> None:
    """Receive a message from a sender who does not know the secret."""
    hub = PadHub(_CODES, drawing(), lambda: 0.0)
    for take in (lambda body: hub.join(body, ""), hub.hear, hub.listen):
        with suppress(RefusedError):
            take(data)


def read_pad_message(data: bytes) -> None:
    """Receive an encrypted message from a phone that has a seat, and from one that does not."""
    if len(data) > UP_SIZE:
        return  # longer than any message that a phone can encrypt
    for before in ((), (_TOKEN,)):
        hub = PadHub(_CODES, drawing(), lambda: 0.0)
        name = hub.join(b"rc" + public_key(_OWN), "")
        keys = SessionKeys(
            _CODES[Side.RED], Side.RED, _OWN, pads_key=public_key(_OWN), tables_key=name
        )
        for counter, text in enumerate((*before, data)):
            sealed = keys.seal(UP, counter, pad(text, UP_SIZE))
            with suppress(RefusedError):
                hub.hear(name + counter.to_bytes(COUNTER, "big") + sealed)
        for side, message in hub.unsent():
            _feed().read(side, message)


def pad_bodies() -> list[bytes]:
    """Return two messages: the first that a page sends, and one as long as an encrypted command."""
    return [b"rc" + public_key(_OWN), bytes(KEY + COUNTER) + bytes(UP_SIZE + 16)]


def pad_messages() -> list[bytes]:
    """Return all commands that a page offers in one state of the game."""
    shown = _feed()._for_player(Side.RED)
    state = json.loads(shown)
    choices = [*state["offers"], *(each for ask in state["asks"] for each in ask["choices"])]
    commands = [{"id": write_token(bytes(16)), "say": each["say"]} for each in choices]
    return [_TOKEN, *(json.dumps(each).encode() for each in commands)]


# -- tables


def read_item_packet(data: bytes) -> None:
    """Receive an item and show it on the arbiters' pages."""
    try:
        item = messages.read_item_message(data)
    except ValueError:
        return
    tables = Tables()
    tables.set_presence(TABLE, is_here=True)
    tables.show(TABLE, item.game, item.item)
    shown = tables.get(TABLE)
    assert shown
    render_overview(tables.all(), ENGLISH)
    render_table_page(shown, [(item.item, 0.0)], [], ENGLISH)


def item_packets() -> list[bytes]:
    """Return packets that contain the beginning of a game, a ply, and a call for the arbiter."""
    with tempfile.TemporaryDirectory() as folder:
        table = SavedTable(Path(folder) / "games.sqlite")
        table.play(6)
        table.journal.close()
        ((game, items),) = items_of(table.path).items()
    called = replace(read_item(items[-1]), call=CallArbiter(Side.RED))
    return [
        messages.write_item_message(game, text)
        for text in (items[0], items[-1], write_item(called))
    ]


_WORDS: Final[Sequence[tuple[str, Callable[[bytes], Any]]]] = (
    ("presence", messages.read_presence),
    ("answers", messages.read_answer),
    ("received", messages.read_received),
)


def read_hall_word(data: bytes) -> None:
    """Receive a message on any topic. Its first line is the topic name."""
    about, _, payload = data.partition(b"\n")
    _, what = messages.read_topic(about.decode())
    for called, read in _WORDS:
        if called == what:
            read(payload)


def hall_words() -> list[bytes]:
    """Return one message for each topic."""
    payloads = (
        messages.write_presence(messages.TablePresence(is_here=True, clock=1764167400.25)),
        messages.write_answer(messages.OrderReply(7, taken=True)),
        messages.write_received(messages.Receipt({GAME: 12}, messages.KeyRange("", GAME))),
    )
    named = zip((called for called, _ in _WORDS), payloads, strict=True)
    return [messages.topic(TABLE, called).encode() + b"\n" + payload for called, payload in named]


# -- the hall and its arbiters


def read_signed_order(data: bytes) -> None:
    """Read and execute an order twice: first as it is, and then signed by the hall."""
    for payload in (data, _signed(data)):
        with suppress(messages.ForgedOrderError, MalformedError):
            order = messages.read_order(payload, HALL.verify_key, TABLE)
            read_command(0.0, order.act, _table())


def _signed(body: bytes) -> bytes:
    signature = base64.b64encode(HALL.sign(body).signature).decode()
    return json.dumps({"body": body.decode(errors="replace"), "signature": signature}).encode()


@cache
def _table() -> Table:
    return PadDriver.begun().table


def orders() -> list[bytes]:
    """Return two orders. The action of one has no arguments, and the action of the other has all
    possible arguments."""
    acts = ({"what": "let-stand"}, {"what": "give-time", "side": "red", "seconds": 60})
    signed = (
        messages.sign_order(messages.Order(TABLE, GAME, 5, "Anna", act), HALL) for act in acts
    )
    return [json.loads(each)["body"].encode() for each in signed]


def read_request(data: bytes) -> None:
    """Read a browser's language from the first line and an arbiter's action from the second."""
    accepted, _, body = data.partition(b"\n")
    language = accepted_language(accepted.decode("latin-1"))
    with suppress(UnknownActError):
        act_text(read_act(read_form(body)), language)


def requests() -> list[bytes]:
    forms = (b"what=settle&choice=yes", b"what=give-time&choice=red", b"what=forfeit&choice=both")
    return [b"de-AT,de;q=0.9,en;q=0.5\n" + form for form in forms]
