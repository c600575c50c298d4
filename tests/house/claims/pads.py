"""Phones as pads, and the network that connects them."""

from typing import Final

from tests.house.sabotage import Claims, Line, Own

_PADS: Final = "companion/pads"

PADS: Final[Claims] = {
    "Whoever has recorded what goes to and from a pad can neither read nor replay it": {
        "a counter may come again": Line(
            "companion.pads.session:Session.open",
            "not self._heard < counter <= MOST",
            "False",
            f"{_PADS}/test_recorded.py::test_replayed_it_is_nothing",
        ),
        "keys without the session's own": Line(
            "companion.pads.sealing:session_key",
            "secret + shared + pads_key + tables_key",
            "secret",
            f"{_PADS}/test_recorded.py::test_with_the_secret_alone_it_is_nothing",
        ),
        "messages as long as what is in them": Line(
            "companion.pads.session:Session.show",
            "padded(text, DOWN_SIZE)",
            "text",
            f"{_PADS}/test_recorded.py::test_all_of_one_direction_are_of_one_length",
        ),
    },
    "What Red declares changes nothing that goes to Blue's pad, to spectators, or to Red's pad in"
    " number and size": {
        "a byte, an order, a moment of the clock, or a message": Own(
            f"{_PADS}/test_pads_secrecy.py::test_a_leak_is_found"
        ),
    },
    "What is said by a pad is taken once, whatever becomes of requests, and so is a seat": {
        "what came before is taken again": Line(
            "companion.pads.seat:Seat._take",
            "if number in self._taken:",
            "if False:",
            f"{_PADS}/test_seats.py::test_it_is_taken_once_though_the_page_was_loaded_anew_meanwhile",
        ),
        "a second phone gets the seat": Line(
            "companion.pads.seat:Seat._let_in",
            "self._token and token != self._token",
            "False",
            f"{_PADS}/test_seats.py"
            "::test_the_first_phone_has_the_seat_and_a_second_one_with_the_same_code_has_not",
        ),
    },
    "Strangers and other sites can say nothing to pads, and are bounded": {
        "any origin will do": Line(
            "companion.pads.serving.guard:RequestFilter._refuses",
            'headers.get("origin") == origin',
            "True",
            f"{_PADS}/test_service.py::TestRequests::test_other_sites_can_say_nothing",
        ),
        "connections without end": Line(
            "companion.pads.serving.connection:Connection.connection_made",
            "len(self.connections) > MOST",
            "False",
            f"{_PADS}/test_service.py::TestBounds::test_connections",
        ),
    },
}
