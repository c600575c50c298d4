"""Guarantees about the board and its cable."""

from typing import Final

from tests.project.mutation import Guarantees, Line, Own

BOARD: Final[Guarantees] = {
    "Endless HELLO messages from a board do not stop the program": {
        "each one reaches the table": Line(
            "companion.devices.live_board:LiveBoard._events",
            "if events and isinstance(event, link.Connected)",
            "if False and isinstance(event, link.Connected)",
            "companion/devices/test_live_board.py::test_flood_of_hello_is_one_board",
        ),
    },
    "Every fault that the board reports is shown": {
        "a swallowed FAULT": Line(
            "companion.devices.live_board:BoardInputs.take",
            "fault.code in _GAME_FAULTS",
            "False",
            "companion/devices/test_board_inputs.py",
        ),
    },
    "Damage on the cable never becomes an action": {
        "change times of any age are accepted": Line(
            "firmware_bridge.sensing.change_detector:ChangeTimes.of",
            " and ago_ms <= CHANGE_REPORT_MS",
            "",
            "firmware_bridge/test_change_times.py",
        ),
        "what is shown for two seconds is a turn": Own(
            "companion/devices/test_damaged_frames.py::test_repeated_frame_is_a_turn"
        ),
    },
    "A camera reads no position while an arm crosses the printed frame": {
        "arms are ignored": Line(
            "firmware_bridge.camera.observer:Observer._evaluate",
            "if not frame.is_clear:",
            "if False:",
            "camera/test_observer.py::test_pictures_with_an_arm_are_ignored",
        ),
        "one picture is enough": Line(
            "firmware_bridge.camera.observer:Observer._is_unconfirmed",
            "return at - self._changing_since < _CHANGING",
            "return False",
            "camera/test_observer.py::test_a_change_is_confirmed_by_the_next_picture",
        ),
    },
    "If a camera cannot read a square, it reports the square as unknown": {
        "it is empty": Line(
            "firmware_bridge.camera.square_reader:SquareReader._read_square",
            "return BOARD if is_empty or is_free else None",
            "return BOARD",
            "camera/test_observer.py::test_an_object_that_is_no_piece_is_unknown",
        ),
    },
    "A camera guesses no part of a board that it has not seen empty": {
        "painted home areas look like the rows between them": Line(
            "firmware_bridge.camera.observer:Observer._learn_armies",
            "square_reader.is_unlike_homes(self.view, self._board, view, block)",
            "False",
            "camera/test_observer.py::test_armies_are_not_enough_on_a_board_of_several_colours",
        ),
    },
}
