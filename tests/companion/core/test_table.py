"""A game at the table, gesture by gesture: how the table responds to each."""

import pytest

from companion.core import Table
from companion.core.events import (
    BoardConnected,
    BoardDiffers,
    BoardDisconnected,
    ChooseExplanation,
    CleanupRequired,
    Lifted,
    Restored,
    SetDown,
    SetupSeen,
    TurnBegan,
)
from companion.core.inputs import BoardFound, ExplanationChosen, NoAttack, OfferDraw, Ready
from engine.board.geometry import Side, set_of, square, squares_in
from engine.board.ranks import Rank
from engine.game.actions import Attack, ClaimStalemate, Declare, Move, PlaceArmies, Resign
from engine.game.game_state import Phase
from engine.game.rulings import ArmiesPlaced, Combat, GameOver, Moved, Reason
from engine.rules.editions import DEFAULT
from engine.rules.violations import Violation, ViolationKind
from firmware_bridge.wire import BoardKind
from tests.companion.core.table_driver import TableDriver, attack, clash, fight

RED, BLUE = Side.RED, Side.BLUE


class TestSettingUp:
    def test_counts_the_armies_as_they_are_set_down(self) -> None:
        evening = TableDriver()
        evening.stand(RED, *list(squares_in(RED.home))[:12])
        evening.stand(BLUE, square("a7"))
        evening.wait()
        assert evening.told(SetupSeen) == [SetupSeen(12, 1, ())]

    def test_names_pieces_that_stand_astray(self) -> None:
        evening = TableDriver()
        evening.stand(RED, square("a5"), square("c6"), square("b1"))
        evening.stand(BLUE, square("c1"))
        evening.wait()
        assert evening.told(SetupSeen) == [SetupSeen(1, 0, tuple(map(square, ("c1", "a5", "c6"))))]

    def test_a_flipped_magnet_is_no_turned_board(self) -> None:
        evening = TableDriver()
        evening.stand(RED, *squares_in(RED.home & ~set_of([square("b3")])))
        evening.stand(BLUE, square("b3"))
        evening.wait()
        (seen,) = evening.told(SetupSeen)
        assert (seen.wrong_colour, seen.are_exchanged) == ((square("b3"),), False)

    @pytest.mark.parametrize("how_many", [5, 40])
    def test_armies_in_each_others_rows_are_recognized(self, how_many: int) -> None:
        """Swapped armies are recognised before set-up ends, even with one right by chance."""
        evening = TableDriver()
        evening.stand(RED, square("a1"), *list(squares_in(BLUE.home))[:how_many])
        evening.wait()
        (seen,) = evening.told(SetupSeen)
        assert len(seen.wrong_colour) == how_many
        assert seen.are_exchanged

    def test_a_few_pieces_in_the_wrong_rows_are_no_army(self) -> None:
        evening = TableDriver()
        evening.stand(RED, *list(squares_in(BLUE.home))[:4])
        evening.wait()
        (seen,) = evening.told(SetupSeen)
        assert not seen.are_exchanged

    def test_begins_when_both_are_ready(self) -> None:
        evening = TableDriver()
        for side in Side:
            evening.stand(side, *squares_in(side.home))
        evening.wait()
        evening.say(Ready(BLUE))
        evening.wait()
        assert evening.table.referee.phase is Phase.SETUP
        evening.say(Ready(RED))
        evening.wait()
        assert evening.told(Ready) == [Ready(BLUE), Ready(RED)]
        assert evening.told(ArmiesPlaced)
        assert evening.told(TurnBegan) == [TurnBegan(RED)]
        assert evening.actions == [PlaceArmies(RED.home, BLUE.home)]

    def test_an_incomplete_army_is_not_ready(self) -> None:
        evening = TableDriver()
        evening.stand(RED, *list(squares_in(RED.home))[:39])
        evening.wait()
        evening.forget()
        evening.say(Ready(RED))
        assert evening.events == [SetupSeen(39, 0, ())], "the answer says what is missing"
        assert not evening.table.ready

    def test_who_lifts_a_piece_is_no_longer_ready(self) -> None:
        evening = TableDriver()
        for side in Side:
            evening.stand(side, *squares_in(side.home))
        evening.wait()
        evening.say(Ready(RED))
        piece = evening.lift("a1")
        evening.wait()
        assert evening.table.ready == frozenset()
        evening.place(piece, "a1")
        evening.say(Ready(BLUE))
        evening.wait()
        assert evening.table.referee.phase is Phase.SETUP


class TestMoving:
    def test_a_move(self) -> None:
        evening = TableDriver.begun()
        evening.move("e4", "e5")
        assert evening.events == [
            Lifted(square("e4")),
            SetDown(square("e4"), square("e5")),
            Moved(RED, square("e4"), square("e5"), long_move=False),
            TurnBegan(BLUE),
        ]
        assert evening.actions == [Move(square("e4"), square("e5"))]

    def test_a_scouts_run(self) -> None:
        evening = TableDriver.begun()
        evening.move("e4", "e6")
        assert evening.told(Moved) == [Moved(RED, square("e4"), square("e6"), long_move=True)]

    def test_lifting_is_no_move_and_may_be_taken_back(self) -> None:
        evening = TableDriver.begun()
        piece = evening.lift("e4")
        assert evening.table.state.lifted == square("e4"), "it is shown in the same frame"
        evening.wait()
        assert evening.events == [Lifted(square("e4"))]
        assert evening.table.state.lifted == square("e4")
        evening.place(piece, "e4")
        assert evening.table.state.lifted is None
        evening.wait()
        assert evening.events == [Lifted(square("e4"))], "nothing was wrong"
        assert evening.table.state.lifted is None
        assert not evening.actions

    def test_a_piece_that_only_passes_is_no_move(self) -> None:
        evening = TableDriver.begun()
        piece = evening.lift("e4")
        evening.place(piece, "e5")
        evening.wait(0.1)
        evening.lift("e5")
        evening.place(piece, "e6")
        evening.wait()
        assert evening.told(Moved) == [Moved(RED, square("e4"), square("e6"), long_move=True)]

    def test_a_quick_answer_is_not_lost(self) -> None:
        evening = TableDriver.begun()
        evening.move("e4", "e5", settle=0.35)
        evening.move("e7", "e6", settle=0.35)
        assert len(evening.told(Moved)) == 2


class TestQuickAnswers:
    """The other side answers before the move has settled."""

    @staticmethod
    def answered(first: str, answer: str, evening: TableDriver | None = None) -> TableDriver:
        evening = evening or TableDriver.begun()
        evening.move(*first.split("-"), settle=0.1)
        evening.move(*answer.split("-"))
        return evening

    @pytest.mark.parametrize("answer", ["e7-e6", "a7-a5", "k7-k6"])
    def test_both_moves_count_in_their_order(self, answer: str) -> None:
        evening = self.answered("e4-e5", answer)
        source, target = map(square, answer.split("-"))
        assert evening.actions == [Move(square("e4"), square("e5")), Move(source, target)]
        assert not evening.told(BoardDiffers)
        assert evening.table.referee.to_move is RED

    def test_an_answer_that_is_still_in_the_hand(self) -> None:
        evening = TableDriver.begun()
        evening.move("e4", "e5", settle=0.1)
        piece = evening.lift("e7")
        evening.wait()
        assert evening.actions == [Move(square("e4"), square("e5"))]
        assert evening.table.state.lifted == square("e7")
        evening.place(piece, "e6")
        evening.wait()
        assert len(evening.actions) == 2

    def test_an_answer_onto_the_square_that_was_left(self) -> None:
        evening = clash()
        evening.move("e5", "f5", settle=0.1)
        evening.move("e6", "e5")
        assert [(m.source, m.target) for m in evening.told(Moved)] == [
            (square("e5"), square("f5")),
            (square("e6"), square("e5")),
        ]

    def test_a_wrong_move_and_its_answer_are_led_back_whole(self) -> None:
        evening = self.answered("e4-f5", "e7-e6")
        assert not evening.actions
        (differs,) = evening.told(BoardDiffers)
        shown = differs.difference.missing | differs.difference.surplus
        assert shown == set_of(map(square, ("e4", "f5", "e7", "e6")))

    @pytest.mark.parametrize("answer", ["e7-f6", "e8-f6", "c7-c6"])
    def test_a_wrong_answer_is_its_players_own(self, answer: str) -> None:
        evening = self.answered("e4-e5", answer)
        assert evening.actions == [Move(square("e4"), square("e5"))]
        assert evening.told(TurnBegan) == [TurnBegan(BLUE)]
        (violation,) = evening.told(Violation)
        assert evening.table.state.violation == violation
        source, target = map(square, answer.split("-"))
        assert evening.table.state.difference.missing == 1 << source
        assert evening.table.state.difference.surplus == 1 << target

    def test_repetition_rules_hold_for_the_quick_too(self) -> None:
        evening = TableDriver.begun()
        evening.play("a4-a5 k7-k6 a5-a4 k6-k7 a4-a5 k7-k6 a5-a4 k6-k7 a4-a5 k7-k6")
        evening.forget()
        self.answered("a5-a4", "k6-k7", evening)
        assert not evening.actions
        assert evening.told(BoardDiffers)


class TestWrongMoves:
    @pytest.mark.parametrize(
        ("source", "target", "fault"),
        [
            ("e4", "f5", ViolationKind.NOT_STRAIGHT),
            ("c4", "c5", ViolationKind.INTO_LAKE),
            ("e3", "e5", ViolationKind.PIECE_IN_THE_WAY),
        ],
    )
    def test_an_illegal_move_and_its_way_back(
        self, source: str, target: str, fault: ViolationKind
    ) -> None:
        evening = TableDriver.begun()
        evening.move(source, target)
        assert [violation.fault for violation in evening.told(Violation)] == [fault]
        assert evening.table.state.violation
        assert evening.table.state.difference.missing == 1 << square(source)
        assert evening.table.state.difference.surplus == 1 << square(target)
        evening.forget()
        evening.move(target, source)
        assert evening.events[-1] == Restored()
        assert evening.table.state.violation is None
        assert not evening.table.state.difference
        assert not evening.actions

    def test_from_a_wrong_square_straight_to_a_right_one(self) -> None:
        evening = TableDriver.begun()
        evening.move("e4", "f5")
        evening.move("f5", "e5")
        assert evening.told(Moved) == [Moved(RED, square("e4"), square("e5"), long_move=False)]
        assert evening.table.state.violation is None

    def test_out_of_turn(self) -> None:
        evening = TableDriver.begun()
        evening.move("e7", "e6")
        assert [violation.fault for violation in evening.told(Violation)] == [
            ViolationKind.NOT_YOUR_PIECE
        ]
        evening.move("e6", "e7")
        evening.move("e4", "e5")
        assert len(evening.told(Moved)) == 1

    def test_a_violation_is_said_once_however_long_it_stands(self) -> None:
        evening = TableDriver.begun()
        evening.move("e4", "f5")
        for _ in range(5):
            evening.wait()
        assert len(evening.told(Violation)) == 1

    def test_a_knocked_board_is_led_back(self) -> None:
        evening = TableDriver.begun()
        first, second = evening.lift("a1"), evening.lift("b1")
        evening.place(first, "a5")
        evening.wait()
        assert evening.table.state.difference.missing == 1 << square("a1") | 1 << square("b1")
        assert evening.told(Violation)
        evening.lift("a5")
        evening.place(first, "a1")
        evening.place(second, "b1")
        evening.wait()
        assert evening.events[-1] == Restored()


class TestEnding:
    def test_the_flag_is_captured(self) -> None:
        evening = fight(Rank.CAPTAIN, Rank.SPY)
        evening.stand(RED, square("e6"))
        evening.wait()
        evening.move("a7", "a6")
        evening.move("e6", "f6")
        evening.move("a6", "a5")
        evening.lift("f6")
        evening.lift("f7")
        evening.wait()
        evening.declare(BLUE, Rank.FLAG)
        assert evening.told(GameOver) == [GameOver(RED, Reason.FLAG_CAPTURED)]
        assert not evening.table.state.waits_for_board

    def test_who_resigns_loses_and_nothing_follows(self) -> None:
        evening = clash()
        evening.say(Resign(BLUE))
        evening.say(Resign(RED))
        assert evening.told(GameOver) == [GameOver(RED, Reason.RESIGNATION)]

    def test_a_draw_needs_both(self) -> None:
        evening = clash()
        evening.say(OfferDraw(RED))
        evening.say(OfferDraw(RED))
        assert evening.told(OfferDraw) == [OfferDraw(RED)]
        assert not evening.told(GameOver)
        evening.say(OfferDraw(BLUE))
        assert evening.told(GameOver) == [GameOver(None, Reason.AGREED_DRAW)]

    def test_an_offer_lapses_with_the_next_move(self) -> None:
        evening = clash()
        evening.say(OfferDraw(RED))
        evening.move("e5", "f5")
        assert evening.table.conversation.draw_offer is None
        evening.say(OfferDraw(BLUE))
        assert not evening.told(GameOver)

    def test_who_cannot_move_loses(self) -> None:
        evening = clash()
        evening.say(ClaimStalemate())
        assert evening.told(GameOver) == [GameOver(BLUE, Reason.NO_LEGAL_MOVE)]


class TestTheConnection:
    def test_the_game_waits_for_a_lost_board_and_goes_on(self) -> None:
        evening = clash()
        evening.lose_board()
        assert evening.told(BoardDisconnected)
        evening.board.lift(square("e5"))
        evening.wait()
        assert not evening.actions
        evening.board.stand(RED, square("f5"))
        evening.submit(BoardFound(evening.now, sees_colours=True))
        assert evening.told(BoardConnected)
        evening.wait()
        assert evening.told(Moved) == [Moved(RED, square("e5"), square("f5"), long_move=False)]

    def test_a_board_that_sees_no_colour_is_enough(self) -> None:
        evening = clash(BoardKind.PRESENCE)
        evening.lift("e5")
        evening.wait()
        evening.say(Attack(square("e5"), square("e6")))
        evening.declare(RED, Rank.SCOUT)
        evening.declare(BLUE, Rank.GENERAL)
        evening.wait()
        assert evening.told(TurnBegan) == [TurnBegan(BLUE)]


class TestTakingUpAGame:
    def test_in_the_middle_of_a_turn(self) -> None:
        evening = clash().replugged()
        evening.wait()
        assert evening.events == [BoardConnected(sees_colours=True), TurnBegan(RED)]

    @pytest.mark.parametrize("moves", ["e4-e5 e7-e6", "e4-e5 e7-e6 a4-a5"])
    def test_turns_that_nobody_saw_are_asked_about(self, moves: str) -> None:
        evening = behind(moves)
        assert evening.actions == []
        (asked,) = evening.told(ChooseExplanation)
        assert sorted(asked.courses[0].split()) == sorted(moves.split())
        evening.submit(ExplanationChosen(evening.now, 0))
        evening.wait()
        assert evening.table.referee.plies == 2 + len(moves.split())
        assert len(evening.told(ChooseExplanation)) == 1
        evening.play("k7-k6" if len(moves.split()) == 3 else "k4-k5")

    @pytest.mark.parametrize("held", [0.0, 0.5])
    def test_where_they_were_none_the_players_are_led_back(self, held: float) -> None:
        evening = behind("e4-e5 e7-e6")
        evening.submit(NoAttack(evening.now))
        evening.wait()
        assert evening.told(BoardDiffers)
        assert evening.actions == []
        for source, target in (("e6", "e7"), ("e5", "e4")):
            piece = evening.lift(source)
            evening.wait(held)
            evening.place(piece, target)
            evening.wait(0.5)
        evening.wait()
        assert evening.actions == []
        evening.play("e4-e5 e7-e6")

    def test_a_single_turn_needs_no_question(self) -> None:
        evening = behind("e4-e5")
        assert evening.actions == [Move(square("e4"), square("e5"))]

    def test_in_the_middle_of_an_attack(self) -> None:
        evening = attack(clash())
        evening.declare(RED, Rank.CAPTAIN)
        evening = evening.replugged()
        evening.wait()
        assert evening.table.conversation.question
        assert evening.table.conversation.question.owner is BLUE
        evening.declare(BLUE, Rank.SPY)
        assert evening.told(Combat)

    def test_before_the_board_shows_the_result_the_reveal_comes_back(self) -> None:
        evening = fight(Rank.CAPTAIN, Rank.MINER).replugged()
        evening.wait()
        assert evening.table.state.reveal == evening.table.referee.position.last_combat
        assert evening.told(CleanupRequired)

    def test_after_that_it_stays_gone(self) -> None:
        evening = fight(Rank.MINER, Rank.MINER).replugged()
        assert evening.table.state.reveal is None
        evening.wait()
        assert evening.table.state.reveal is None

    def test_an_attack_after_a_combat_shows_nothing_of_the_combat(self) -> None:
        evening = fight(Rank.CAPTAIN, Rank.MINER)
        evening.stand(RED, square("e6"))
        evening.wait()
        evening.move("e8", "e7")
        evening.move("a4", "a5")
        evening.lift("e7")
        evening.lift("e6")
        evening.wait()
        evening = evening.replugged()
        evening.submit(NoAttack(evening.now))
        evening.wait()
        assert evening.table.state.reveal is None

    def test_the_tiles_keep_their_order(self) -> None:
        evening = attack(clash())
        assert (
            evening.replugged().table.conversation.question == evening.table.conversation.question
        )


def test_the_same_inputs_give_the_same_events() -> None:
    evening = fight(Rank.CAPTAIN, Rank.MINER)
    again = Table(DEFAULT, seed=1)
    steps = [again.handle(given) for given in evening.inputs]
    assert repr(steps).encode() == repr(evening.steps).encode()


def test_a_moment_before_the_last_one_counts_as_the_same() -> None:
    evening = clash()
    evening.now -= 50
    evening.move("e5", "f5")
    assert not evening.told(Moved)
    evening.now += 60
    evening.wait()
    assert evening.told(Moved)


def test_actions_hide_what_was_declared() -> None:
    evening = fight(Rank.CAPTAIN, Rank.MINER)
    declared = [action for action in evening.actions if isinstance(action, Declare)]
    assert len(declared) == 2
    assert "CAPTAIN" not in repr(declared)
    assert "MINER" not in repr(declared)


def behind(moves: str) -> TableDriver:
    """A game resumed after moves were made on the board while no program was reading it."""
    evening = TableDriver.begun()
    evening.play("b4-b5 b7-b6")
    for move in moves.split():
        source, target = move.split("-")
        evening.board.place(evening.board.lift(square(source)), square(target))
    again = evening.replugged()
    again.wait()
    return again
