"""Guarantees about phones as pads, and about the network that connects them."""

from typing import Final

from tests.project.mutation import Guarantees, Line, Own

_PADS: Final = "companion/pads"

PADS: Final[Guarantees] = {
    "Recorded pad traffic can be neither read nor replayed": {
        "a counter may repeat": Line(
            "companion.pads.pad_hub:PadSession.open",
            "not self._heard < counter <= MOST",
            "False",
            f"{_PADS}/test_recorded_traffic.py::test_replayed_message_is_ignored",
        ),
        "no session keys": Line(
            "companion.pads.encryption:session_key",
            "secret + shared + pads_key + tables_key",
            "secret",
            f"{_PADS}/test_recorded_traffic.py::test_recording_needs_the_session_key",
        ),
        "messages as long as their content": Line(
            "companion.pads.pad_hub:PadSession.show",
            "encryption.pad(text, encryption.DOWN_SIZE)",
            "text",
            f"{_PADS}/test_recorded_traffic.py::test_messages_have_equal_lengths",
        ),
    },
    "A rank that Red declares changes no message to Blue or spectators": {
        "a byte, an order, a time of the clock, or a message": Own(
            f"{_PADS}/test_pads_secrecy.py::test_planted_leak_is_found"
        ),
    },
    "A message from a pad counts once, and a seat admits one phone": {
        "a repeated message is taken": Line(
            "companion.pads.pad_hub:PadSeat._take",
            "if number in self._taken:",
            "if False:",
            f"{_PADS}/test_seats.py::test_duplicate_message_after_a_reload_counts_once",
        ),
        "a second phone gets the seat": Line(
            "companion.pads.pad_hub:PadSeat._let_in",
            "self.token and token != self.token",
            "False",
            f"{_PADS}/test_seats.py::test_first_phone_gets_the_seat",
        ),
    },
    "No phone can keep the opponent's phone out": {
        "an unauthenticated page receives a player's questions": Line(
            "companion.pads.pad_hub:PadHub.listen",
            "not self._take(side, session, body).is_let_in",
            "self._take(side, session, body) is None",
            f"{_PADS}/test_seats.py::test_first_phone_gets_the_seat",
        ),
        "a page receives contents before it is let in": Line(
            "companion.pads.pad_hub:PadHub.next_for",
            "if seat.is_open(page.name) else None",
            "",
            f"{_PADS}/test_pad_hub.py::test_rejected_page_gets_no_contents",
        ),
        "unlimited requests to join": Line(
            "companion.pads.pad_hub:PadSeat.begin",
            "len(own_names) >= ASKED_PER_ADDRESS",
            "False",
            f"{_PADS}/test_pad_hub.py::test_flood_of_joins_keeps_phones",
        ),
        "a phone without a stream is connected": Line(
            "companion.pads.pad_hub:PadSeat.presence",
            "Presence.HERE if self.streams else Presence.AWAY",
            "Presence.HERE",
            f"{_PADS}/test_seats.py::test_phone_without_a_stream_is_away",
        ),
    },
    "Nothing that guests send takes memory, files or time from the game": {
        "the server may send a message of any length": Line(
            "companion.pads.server_link:PadLink._receive",
            "len(self._heard) > MOST_LINE",
            "False",
            f"{_PADS}/test_server_process.py"
            "::TestHostileServer::test_invalid_messages_stop_the_server",
        ),
        "idle connections are not closed": Line(
            "companion.web.security:FairPool._replaceable",
            "self._is_replaceable(place)",
            "False",
            "companion/web/test_fair_pool.py::test_owner_replaces_its_oldest_idle_place",
        ),
    },
    "Other hosts and sites cannot use the pads": {
        "any origin is accepted": Line(
            "companion.web.security:SecurityMiddleware._refuses",
            'headers.get("origin") == origin',
            "True",
            f"{_PADS}/test_service.py::TestRequests::test_cross_site_requests_are_refused",
        ),
        "any host is accepted": Line(
            "companion.web.security:SecurityMiddleware._refuses",
            "not self._is_own_host(host)",
            "False",
            f"{_PADS}/test_service.py::TestRequests::test_other_hosts_are_refused",
        ),
        "unlimited connections": Line(
            "companion.web.security:FairPool.add",
            "self._count >= self._limit",
            "False",
            "companion/web/test_fair_pool.py"
            "::test_newcomer_replaces_an_idle_place_of_the_largest_owner",
        ),
        "unlimited bodies": Line(
            "companion.web.security:_read",
            "len(body) > size",
            "False",
            "companion/web/test_web.py::TestBodies::test_chunked_body_is_counted",
        ),
    },
}
