"""Phones as pads, and the network that connects them."""

from typing import Final

from tests.project.mutation import Guarantees, Line, Own

_PADS: Final = "companion/pads"

PADS: Final[Guarantees] = {
    "Recorded pad traffic can be neither read nor replayed": {
        "a counter may repeat": Line(
            "companion.pads.seat:PadSession.open",
            "not self._heard < counter <= MOST",
            "False",
            f"{_PADS}/test_recorded.py::test_replayed_it_is_nothing",
        ),
        "no session keys": Line(
            "companion.pads.encryption:session_key",
            "secret + shared + pads_key + tables_key",
            "secret",
            f"{_PADS}/test_recorded.py::test_with_the_secret_alone_it_is_nothing",
        ),
        "messages as long as their content": Line(
            "companion.pads.seat:PadSession.show",
            "padded(text, DOWN_SIZE)",
            "text",
            f"{_PADS}/test_recorded.py::test_all_of_one_direction_are_of_one_length",
        ),
    },
    "Red's declaration changes nothing sent to Blue or spectators, nor the message count to Red": {
        "a byte, an order, a moment of the clock, or a message": Own(
            f"{_PADS}/test_pads_secrecy.py::test_a_leak_is_found"
        ),
    },
    "A pad's message, and a seat, is taken exactly once": {
        "a repeated message is taken": Line(
            "companion.pads.seat:PadSeat._take",
            "if number in self._taken:",
            "if False:",
            f"{_PADS}/test_seats.py::test_it_is_taken_once_though_the_page_was_loaded_anew_meanwhile",
        ),
        "a second phone gets the seat": Line(
            "companion.pads.seat:PadSeat._let_in",
            "self.token and token != self.token",
            "False",
            f"{_PADS}/test_seats.py"
            "::test_the_first_phone_has_the_seat_and_a_second_one_with_the_same_code_has_not",
        ),
    },
    "No phone can keep the opponent's phone out, or appear connected without receiving anything": {
        "a strange page receives a player's questions": Line(
            "companion.pads.pad_hub:PadHub.listen",
            "not self._take(side, session, body).is_let_in",
            "self._take(side, session, body) is None",
            f"{_PADS}/test_seats.py"
            "::test_the_first_phone_has_the_seat_and_a_second_one_with_the_same_code_has_not",
        ),
        "unlimited requests to join": Line(
            "companion.pads.seat:PadSeat.begin",
            "len(own_names) >= ASKED_PER_ADDRESS",
            "False",
            f"{_PADS}/test_seats.py"
            "::TestStreams::test_a_flood_of_joins_from_many_addresses_pushes_no_phone_out",
        ),
        "a phone without a stream is connected": Line(
            "companion.pads.seat:PadSeat.presence",
            "Presence.HERE if self.streams else Presence.AWAY",
            "Presence.HERE",
            f"{_PADS}/test_seats.py"
            "::test_a_phone_without_a_stream_is_away_although_it_sends_messages",
        ),
    },
    "Nothing that guests send takes memory, files or time from the game": {
        "the server may send a message of any length": Line(
            "companion.pads.server_link:PadLink._receive",
            "len(self._heard) > MOST_LINE",
            "False",
            f"{_PADS}/test_server_process.py"
            "::TestHostileServer::test_what_it_should_not_send_stops_it",
        ),
        "idle connections are not closed": Line(
            "companion.web.security:FairPool._replaceable",
            "self._is_replaceable(place)",
            "False",
            "companion/web/test_fair_pool.py::test_owner_replaces_its_oldest_idle_place",
        ),
    },
    "Other hosts and sites cannot use pads; requests are rate-limited": {
        "any origin is accepted": Line(
            "companion.web.security:SecurityMiddleware._refuses",
            'headers.get("origin") == origin',
            "True",
            f"{_PADS}/test_service.py::TestRequests::test_other_sites_can_say_nothing",
        ),
        "any host is accepted": Line(
            "companion.web.security:SecurityMiddleware._refuses",
            "not self._is_own_host(host)",
            "False",
            f"{_PADS}/test_service.py::TestRequests::test_other_hosts_get_nothing",
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
