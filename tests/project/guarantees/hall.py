"""Guarantees about what a hall learns and who may send messages to it."""

from typing import Final

from jinja2 import Environment, PackageLoader

from tests.project.mutation import Guarantees, Line, Value

HALL: Final[Guarantees] = {
    "A hall gets no rank before the rank is revealed": {
        "declared ranks are sent": Line(
            "companion.hall.protocol.feed:Feed._item",
            "referee.plies",
            "referee.plies + sum(each.unseal() for each in"
            " (referee.open_attack.declared.values() if referee.open_attack else ()))",
            "companion/hall/test_feed.py::test_items_do_not_depend_on_hidden_ranks",
        ),
    },
    "A table obeys only its hall's orders, and each order once": {
        "signatures are not checked": Line(
            "companion.hall.protocol.messages:read_order",
            "key.verify(body, base64.b64decode(signed.signature, validate=True))",
            "pass",
            "companion/hall/test_orders.py::test_foreign_signature_is_refused",
        ),
        "numbers are not checked": Line(
            "companion.hall.publisher.uplink:Remembered.take_order",
            "number <= self.order",
            "False",
            "companion/hall/test_orders.py::test_replayed_order_is_ignored_after_a_restart",
        ),
        "an order for another game is carried out": Line(
            "companion.hall.publisher.uplink:HallUplink.carry_out",
            'order.game.rpartition("/")[2] == str(game)',
            "True",
            "companion/hall/test_order_replies.py::test_order_for_another_game_is_refused",
        ),
    },
    "A table that no longer reports to the hall is shown as lost": {
        "a lease does not end": Line(
            "companion.hall.server.tables:TableStatus.is_here",
            "now < self.lease_until_monotonic",
            "self.lease_until_monotonic > 0",
            "companion/hall/test_tables.py::test_expired_lease_is_a_lost_table",
        ),
    },
    "A hall has the games of a table in the right order, even if the table's clock is wrong": {
        "games are sent all at once": Line(
            "companion.hall.publisher.uplink:Outbox._begun",
            "not game.received",
            "False",
            "companion/hall/test_outbox.py::test_games_are_sent_in_order",
        ),
    },
    "An order counts as accepted only after it took effect and was saved": {
        "every order counts": Line(
            "companion.hall.publisher.uplink:_has_effect",
            "given.what in (*step.actions, *step.events)",
            "True",
            "companion/hall/test_order_replies.py::test_effective_order_is_accepted",
        ),
    },
    "An arbiter's page is never older than it says, even if a process is frozen": {
        "a heartbeat does not wait for changes": Line(
            "companion.hall.console.sse:Streams.follow",
            "await asyncio.sleep(0)",
            "pass",
            "companion/hall/test_streams.py::test_a_heartbeat_follows_every_earlier_change",
        ),
        "a heartbeat covers items that the hall has not read": Line(
            "companion.hall.console.sse:Streams.follow",
            "now, until = time.monotonic(), self._tables.complete_until",
            "now = until = time.monotonic()",
            "companion/hall/test_streams.py::test_a_heartbeat_follows_every_earlier_change",
        ),
        "what another hall stored is not shown": Line(
            "companion.hall.server.receiver:catch_up",
            "(shown.game, shown.item.number) != (stored.game, stored.item)",
            "False",
            "companion/hall/test_streams.py::test_hall_shows_what_another_hall_stored",
        ),
        "a frozen database is not noticed": Line(
            "companion.hall.server.receiver:HallReceiver.is_stuck",
            "since is not None and time.monotonic() - since > STUCK_SECONDS",
            "False",
            "companion/hall/test_streams.py::test_open_page_gets_failures",
        ),
    },
    "The arbiters' pages refuse requests from other sites, and prevent code guessing": {
        "other pages may send": Line(
            "companion.web.security:SecurityMiddleware._refuses",
            'site == "same-origin"',
            "True",
            "companion/hall/test_console.py::test_cross_site_forms_are_refused",
        ),
        "attempts are not counted": Line(
            "companion.hall.console.sign_in:Arbiters.sign_in",
            "self._tries.allows(owner)",
            "True",
            "companion/hall/test_console.py::test_sign_in_attempts_are_limited",
        ),
    },
    "An arbiter's session ends with sign-out, a revoked code or the end of the shift": {
        "a shift without end": Line(
            "companion.hall.console.sign_in:Sessions._lasts",
            "0 < until - self._clock() <= SHIFT_SECONDS",
            "True",
            "companion/hall/test_console.py::test_session_expires_after_twelve_hours",
        ),
        "an open page continues": Line(
            "companion.hall.console.sse:Streams.follow",
            "while is_valid():",
            "while True:",
            "companion/hall/test_console.py::test_session_end_closes_open_pages",
        ),
    },
    "A table and a hall give their password only to their broker": {
        "the broker's certificate is not checked": Line(
            "companion.hall.protocol.mqtt:MqttConnection.__init__",
            "ssl.create_default_context(cadata=broker.authority or None)",
            "ssl._create_unverified_context()",
            "companion/hall/test_broker_certificate.py"
            "::test_password_is_sent_only_to_the_verified_broker",
        ),
    },
    "No name or text from a table runs as a script on a page": {
        "names are not escaped": Value(
            "companion.hall.templates._ENVIRONMENT",
            Environment(loader=PackageLoader("companion.hall"), trim_blocks=True),
            "companion/hall/test_templates.py::test_names_are_escaped",
        ),
    },
}
