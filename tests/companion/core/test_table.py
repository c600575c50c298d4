"""Test the table's response to each gesture during a game."""

import pytest

from companion.core import events
from companion.core.inputs import BoardFound, ExplanationChosen, NoAttack, OfferDraw, Ready
from companion.core.table import Table
from engine.board.geometry import Side, set_of, square, squares_in
from engine.board.ranks import Rank
from engine.game.actions import Attack, ClaimStalemate, Declare, Move, PlaceArmies, Resign
from engine.game.game_state import Phase
from engine.game.rulings import ArmiesPlaced, Combat, GameOver, Moved, Reason
from engine.rules.editions import DEFAULT
from engine.rules.rules import Violation, ViolationKind
from firmware_bridge.wire import BoardKind
from tests.companion.core.table_driver import TableDriver, attack, clash, fight

RED, BLUE = Side.RED, Side.BLUE


class TestSettingUp:
    def test_setup_counts_the_armies(self) -> None:
        driver = TableDriver()
        driver.stand(RED, *list(squares_in(RED.home))[:12])
        driver.stand(BLUE, square("a7"))
        driver.wait()
        assert driver.emitted(events.SetupSeen) == [events.SetupSeen(12, 1, ())]

    def test_setup_reports_misplaced_pieces(self) -> None:
        driver = TableDriver()
        driver.stand(RED, square("a5"), square("c6"), square("b1"))
        driver.stand(BLUE, square("c1"))
        driver.wait()
        assert driver.emitted(events.SetupSeen) == [
            events.SetupSeen(1, 0, tuple(map(square, ("c1", "a5", "c6"))))
        ]

    def test_flipped_magnet_is_no_rotated_board(self) -> None:
        driver = TableDriver()
        driver.stand(RED, *squares_in(RED.home & ~set_of([square("b3")])))
        driver.stand(BLUE, square("b3"))
        driver.wait()
        (seen,) = driver.emitted(events.SetupSeen)
        assert (seen.wrong_colour, seen.are_exchanged) == ((square("b3"),), False)

    @pytest.mark.parametrize("how_many", [5, 40])
    def test_armies_in_each_others_rows_are_recognized(self, how_many: int) -> None:
        """Armies that are set up in each other's rows are recognized during setup.

        They are recognized even if one piece stands in the rows of its own army.
        """
        driver = TableDriver()
        driver.stand(RED, square("a1"), *list(squares_in(BLUE.home))[:how_many])
        driver.wait()
        (seen,) = driver.emitted(events.SetupSeen)
        assert len(seen.wrong_colour) == how_many
        assert seen.are_exchanged

    def test_few_swapped_pieces_are_no_swapped_army(self) -> None:
        driver = TableDriver()
        driver.stand(RED, *list(squares_in(BLUE.home))[:4])
        driver.wait()
        (seen,) = driver.emitted(events.SetupSeen)
        assert not seen.are_exchanged

    def test_game_begins_when_both_are_ready(self) -> None:
        driver = TableDriver()
        for side in Side:
            driver.stand(side, *squares_in(side.home))
        driver.wait()
        driver.command(Ready(BLUE))
        driver.wait()
        assert driver.table.referee.phase is Phase.SETUP
        driver.command(Ready(RED))
        driver.wait()
        assert driver.emitted(Ready) == [Ready(BLUE), Ready(RED)]
        assert driver.emitted(ArmiesPlaced)
        assert driver.emitted(events.TurnBegan) == [events.TurnBegan(RED)]
        assert driver.actions == [PlaceArmies(RED.home, BLUE.home)]

    def test_an_incomplete_army_is_not_ready(self) -> None:
        driver = TableDriver()
        driver.stand(RED, *list(squares_in(RED.home))[:39])
        driver.wait()
        driver.forget()
        driver.command(Ready(RED))
        assert driver.events == [events.SetupSeen(39, 0, ())], "the event shows what is missing"
        assert not driver.table.ready

    def test_lifted_piece_cancels_ready(self) -> None:
        driver = TableDriver()
        for side in Side:
            driver.stand(side, *squares_in(side.home))
        driver.wait()
        driver.command(Ready(RED))
        piece = driver.lift("a1")
        driver.wait()
        assert driver.table.ready == frozenset()
        driver.place(piece, "a1")
        driver.command(Ready(BLUE))
        driver.wait()
        assert driver.table.referee.phase is Phase.SETUP


class TestMoving:
    def test_simple_move(self) -> None:
        driver = TableDriver.begun()
        driver.move("e4", "e5")
        assert driver.events == [
            events.Lifted(square("e4")),
            events.SetDown(square("e4"), square("e5")),
            Moved(RED, square("e4"), square("e5"), long_move=False),
            events.TurnBegan(BLUE),
        ]
        assert driver.actions == [Move(square("e4"), square("e5"))]

    def test_scout_move(self) -> None:
        driver = TableDriver.begun()
        driver.move("e4", "e6")
        assert driver.emitted(Moved) == [Moved(RED, square("e4"), square("e6"), long_move=True)]

    def test_lifted_piece_may_be_put_back(self) -> None:
        driver = TableDriver.begun()
        piece = driver.lift("e4")
        assert driver.table.state.lifted == square("e4"), "the lift is shown in the same frame"
        driver.wait()
        assert driver.events == [events.Lifted(square("e4"))]
        assert driver.table.state.lifted == square("e4")
        driver.place(piece, "e4")
        assert driver.table.state.lifted is None
        driver.wait()
        assert driver.events == [events.Lifted(square("e4"))], "no error is reported"
        assert driver.table.state.lifted is None
        assert not driver.actions

    def test_passing_piece_is_no_move(self) -> None:
        driver = TableDriver.begun()
        piece = driver.lift("e4")
        driver.place(piece, "e5")
        driver.wait(0.1)
        driver.lift("e5")
        driver.place(piece, "e6")
        driver.wait()
        assert driver.emitted(Moved) == [Moved(RED, square("e4"), square("e6"), long_move=True)]

    def test_quick_reply_is_kept(self) -> None:
        driver = TableDriver.begun()
        driver.move("e4", "e5", settle=0.35)
        driver.move("e7", "e6", settle=0.35)
        assert len(driver.emitted(Moved)) == 2


class TestQuickAnswers:
    """Replies that begin before the opponent's move has settled."""

    @staticmethod
    def answered(first: str, answer: str, driver: TableDriver | None = None) -> TableDriver:
        driver = driver or TableDriver.begun()
        driver.move(*first.split("-"), settle=0.1)
        driver.move(*answer.split("-"))
        return driver

    @pytest.mark.parametrize("answer", ["e7-e6", "a7-a5", "k7-k6"])
    def test_quick_moves_count_in_order(self, answer: str) -> None:
        driver = self.answered("e4-e5", answer)
        source, target = map(square, answer.split("-"))
        assert driver.actions == [Move(square("e4"), square("e5")), Move(source, target)]
        assert not driver.emitted(events.BoardDiffers)
        assert driver.table.referee.to_move is RED

    def test_reply_still_in_hand(self) -> None:
        driver = TableDriver.begun()
        driver.move("e4", "e5", settle=0.1)
        piece = driver.lift("e7")
        driver.wait()
        assert driver.actions == [Move(square("e4"), square("e5"))]
        assert driver.table.state.lifted == square("e7")
        driver.place(piece, "e6")
        driver.wait()
        assert len(driver.actions) == 2

    def test_reply_onto_the_left_square(self) -> None:
        driver = clash()
        driver.move("e5", "f5", settle=0.1)
        driver.move("e6", "e5")
        assert [(m.source, m.target) for m in driver.emitted(Moved)] == [
            (square("e5"), square("f5")),
            (square("e6"), square("e5")),
        ]

    def test_illegal_move_and_reply_are_undone(self) -> None:
        driver = self.answered("e4-f5", "e7-e6")
        assert not driver.actions
        (differs,) = driver.emitted(events.BoardDiffers)
        shown = differs.difference.missing | differs.difference.surplus
        assert shown == set_of(map(square, ("e4", "f5", "e7", "e6")))

    @pytest.mark.parametrize("answer", ["e7-f6", "e8-f6", "c7-c6"])
    def test_illegal_reply_belongs_to_its_player(self, answer: str) -> None:
        driver = self.answered("e4-e5", answer)
        assert driver.actions == [Move(square("e4"), square("e5"))]
        assert driver.emitted(events.TurnBegan) == [events.TurnBegan(BLUE)]
        (violation,) = driver.emitted(Violation)
        assert driver.table.state.violation == violation
        source, target = map(square, answer.split("-"))
        assert driver.table.state.difference.missing == 1 << source
        assert driver.table.state.difference.surplus == 1 << target

    def test_repetition_rules_apply_to_quick_moves(self) -> None:
        driver = TableDriver.begun()
        driver.play("a4-a5 k7-k6 a5-a4 k6-k7 a4-a5 k7-k6 a5-a4 k6-k7 a4-a5 k7-k6")
        driver.forget()
        self.answered("a5-a4", "k6-k7", driver)
        assert not driver.actions
        assert driver.emitted(events.BoardDiffers)


class TestWrongMoves:
    @pytest.mark.parametrize(
        ("source", "target", "fault"),
        [
            ("e4", "f5", ViolationKind.NOT_STRAIGHT),
            ("c4", "c5", ViolationKind.INTO_LAKE),
            ("e3", "e5", ViolationKind.PIECE_IN_THE_WAY),
        ],
    )
    def test_illegal_move_and_its_recovery(
        self, source: str, target: str, fault: ViolationKind
    ) -> None:
        driver = TableDriver.begun()
        driver.move(source, target)
        assert [violation.fault for violation in driver.emitted(Violation)] == [fault]
        assert driver.table.state.violation
        assert driver.table.state.difference.missing == 1 << square(source)
        assert driver.table.state.difference.surplus == 1 << square(target)
        driver.forget()
        driver.move(target, source)
        assert driver.events[-1] == events.Restored()
        assert driver.table.state.violation is None
        assert not driver.table.state.difference
        assert not driver.actions

    def test_illegal_move_corrected_directly(self) -> None:
        driver = TableDriver.begun()
        driver.move("e4", "f5")
        driver.move("f5", "e5")
        assert driver.emitted(Moved) == [Moved(RED, square("e4"), square("e5"), long_move=False)]
        assert driver.table.state.violation is None

    def test_out_of_turn(self) -> None:
        driver = TableDriver.begun()
        driver.move("e7", "e6")
        assert [violation.fault for violation in driver.emitted(Violation)] == [
            ViolationKind.NOT_YOUR_PIECE
        ]
        driver.move("e6", "e7")
        driver.move("e4", "e5")
        assert len(driver.emitted(Moved)) == 1

    def test_violation_is_announced_once(self) -> None:
        driver = TableDriver.begun()
        driver.move("e4", "f5")
        for _ in range(5):
            driver.wait()
        assert len(driver.emitted(Violation)) == 1

    def test_knocked_board_is_restored(self) -> None:
        driver = TableDriver.begun()
        first, second = driver.lift("a1"), driver.lift("b1")
        driver.place(first, "a5")
        driver.wait()
        assert driver.table.state.difference.missing == 1 << square("a1") | 1 << square("b1")
        assert driver.emitted(Violation)
        driver.lift("a5")
        driver.place(first, "a1")
        driver.place(second, "b1")
        driver.wait()
        assert driver.events[-1] == events.Restored()


class TestEnding:
    def test_flag_capture(self) -> None:
        driver = fight(Rank.CAPTAIN, Rank.SPY)
        driver.stand(RED, square("e6"))
        driver.wait()
        driver.move("a7", "a6")
        driver.move("e6", "f6")
        driver.move("a6", "a5")
        driver.lift("f6")
        driver.lift("f7")
        driver.wait()
        driver.declare(BLUE, Rank.FLAG)
        assert driver.emitted(GameOver) == [GameOver(RED, Reason.FLAG_CAPTURED)]
        assert not driver.table.state.waits_for_board

    def test_resignation_ends_the_game(self) -> None:
        driver = clash()
        driver.command(Resign(BLUE))
        driver.command(Resign(RED))
        assert driver.emitted(GameOver) == [GameOver(RED, Reason.RESIGNATION)]

    def test_a_draw_needs_both(self) -> None:
        driver = clash()
        driver.command(OfferDraw(RED))
        driver.command(OfferDraw(RED))
        assert driver.emitted(OfferDraw) == [OfferDraw(RED)]
        assert not driver.emitted(GameOver)
        driver.command(OfferDraw(BLUE))
        assert driver.emitted(GameOver) == [GameOver(None, Reason.AGREED_DRAW)]

    def test_draw_offer_lapses_with_the_next_move(self) -> None:
        driver = clash()
        driver.command(OfferDraw(RED))
        driver.move("e5", "f5")
        assert driver.table.conversation.draw_offer is None
        driver.command(OfferDraw(BLUE))
        assert not driver.emitted(GameOver)

    def test_side_that_cannot_move_loses(self) -> None:
        driver = clash()
        driver.command(ClaimStalemate())
        assert driver.emitted(GameOver) == [GameOver(BLUE, Reason.NO_LEGAL_MOVE)]


class TestTheConnection:
    def test_lost_board_pauses_the_game(self) -> None:
        driver = clash()
        driver.lose_board()
        assert driver.emitted(events.BoardDisconnected)
        driver.board.lift(square("e5"))
        driver.wait()
        assert not driver.actions
        driver.board.stand(RED, square("f5"))
        driver.submit(BoardFound(driver.now, sees_colours=True))
        assert driver.emitted(events.BoardConnected)
        driver.wait()
        assert driver.emitted(Moved) == [Moved(RED, square("e5"), square("f5"), long_move=False)]

    def test_board_without_colours_is_enough(self) -> None:
        driver = clash(BoardKind.PRESENCE)
        driver.lift("e5")
        driver.wait()
        driver.command(Attack(square("e5"), square("e6")))
        driver.declare(RED, Rank.SCOUT)
        driver.declare(BLUE, Rank.GENERAL)
        driver.wait()
        assert driver.emitted(events.TurnBegan) == [events.TurnBegan(BLUE)]


class TestResumedGame:
    def test_board_lost_during_a_turn(self) -> None:
        driver = clash().replugged()
        driver.wait()
        assert driver.events == [events.BoardConnected(sees_colours=True), events.TurnBegan(RED)]

    @pytest.mark.parametrize("moves", ["e4-e5 e7-e6", "e4-e5 e7-e6 a4-a5"])
    def test_unseen_turns_are_asked_about(self, moves: str) -> None:
        driver = behind(moves)
        assert driver.actions == []
        (asked,) = driver.emitted(events.ChooseExplanation)
        assert sorted(asked.courses[0].split()) == sorted(moves.split())
        driver.submit(ExplanationChosen(driver.now, 0))
        driver.wait()
        assert driver.table.referee.plies == 2 + len(moves.split())
        assert len(driver.emitted(events.ChooseExplanation)) == 1
        driver.play("k7-k6" if len(moves.split()) == 3 else "k4-k5")

    @pytest.mark.parametrize("held", [0.0, 0.5])
    def test_denied_unseen_turns_are_undone(self, held: float) -> None:
        driver = behind("e4-e5 e7-e6")
        driver.submit(NoAttack(driver.now))
        driver.wait()
        assert driver.emitted(events.BoardDiffers)
        assert driver.actions == []
        for source, target in (("e6", "e7"), ("e5", "e4")):
            piece = driver.lift(source)
            driver.wait(held)
            driver.place(piece, target)
            driver.wait(0.5)
        driver.wait()
        assert driver.actions == []
        driver.play("e4-e5 e7-e6")

    def test_single_unseen_turn_needs_no_question(self) -> None:
        driver = behind("e4-e5")
        assert driver.actions == [Move(square("e4"), square("e5"))]

    def test_board_lost_during_an_attack(self) -> None:
        driver = attack(clash())
        driver.declare(RED, Rank.CAPTAIN)
        driver = driver.replugged()
        driver.wait()
        assert driver.table.conversation.question
        assert driver.table.conversation.question.owner is BLUE
        driver.declare(BLUE, Rank.SPY)
        assert driver.emitted(Combat)

    def test_reveal_returns_before_the_result_is_shown(self) -> None:
        driver = fight(Rank.CAPTAIN, Rank.MINER).replugged()
        driver.wait()
        assert driver.table.state.reveal == driver.table.referee.position.last_combat
        assert driver.emitted(events.CleanupRequired)

    def test_reveal_does_not_return_after_the_result(self) -> None:
        driver = fight(Rank.MINER, Rank.MINER).replugged()
        assert driver.table.state.reveal is None
        driver.wait()
        assert driver.table.state.reveal is None

    def test_next_attack_hides_the_last_combat(self) -> None:
        driver = fight(Rank.CAPTAIN, Rank.MINER)
        driver.stand(RED, square("e6"))
        driver.wait()
        driver.move("e8", "e7")
        driver.move("a4", "a5")
        driver.lift("e7")
        driver.lift("e6")
        driver.wait()
        driver = driver.replugged()
        driver.submit(NoAttack(driver.now))
        driver.wait()
        assert driver.table.state.reveal is None

    def test_tile_order_is_kept(self) -> None:
        driver = attack(clash())
        assert driver.replugged().table.conversation.question == driver.table.conversation.question


def test_table_is_deterministic() -> None:
    driver = fight(Rank.CAPTAIN, Rank.MINER)
    again = Table(DEFAULT, seed=1)
    steps = [again.handle(given) for given in driver.inputs]
    assert repr(steps).encode() == repr(driver.steps).encode()


def test_earlier_time_counts_as_the_latest() -> None:
    driver = clash()
    driver.now -= 50
    driver.move("e5", "f5")
    assert not driver.emitted(Moved)
    driver.now += 60
    driver.wait()
    assert driver.emitted(Moved)


def test_actions_hide_declared_ranks() -> None:
    driver = fight(Rank.CAPTAIN, Rank.MINER)
    declared = [action for action in driver.actions if isinstance(action, Declare)]
    assert len(declared) == 2
    assert "CAPTAIN" not in repr(declared)
    assert "MINER" not in repr(declared)


def behind(moves: str) -> TableDriver:
    """Return a resumed game in which `moves` were made while the application was not running."""
    driver = TableDriver.begun()
    driver.play("b4-b5 b7-b6")
    for move in moves.split():
        source, target = move.split("-")
        driver.board.place(driver.board.lift(square(source)), square(target))
    again = driver.replugged()
    again.wait()
    return again
