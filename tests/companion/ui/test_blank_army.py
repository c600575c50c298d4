"""Games against an army of blank pieces on a real board, from the setup to the final proof."""

import re
from collections.abc import Callable
from functools import partial
from itertools import count
from typing import Final

from companion.core.inputs import CommandInput
from companion.core.state import MovePending, ToMove
from companion.opponent.computer_player import ComputerPlayer
from companion.opponent.levels import Level
from companion.session.computer_side import AWAITED_SECONDS
from companion.setups.openings_file import FILE
from engine.board.geometry import Side, set_of, squares_in
from engine.board.ranks import Rank
from engine.game.actions import (
    Correct,
    Correction,
    Declare,
    NotAScout,
    RankCorrection,
    Resign,
    SwapCorrection,
)
from engine.rules.editions import EDITIONS, Edition
from tests.campaigns import RARE, Campaign
from tests.companion.storage.disk_faults import fill
from tests.companion.ui.blank_person import BlankPerson
from tests.companion.ui.driver import Driver
from tests.companion.ui.proof import check_proof

Drive = Callable[..., Driver]
BARRAGE: Final = EDITIONS["isf"].with_army("barrage")
GAMES = Campaign("blanks", 1, 40)
MOST_STEPS: Final = 4000


def sit_down(
    drive: Drive, edition: Edition, seed: int, clumsiness: float = 0.0, level: Level = Level.CADET
) -> BlankPerson:
    """Begin a game with a board and an army of blanks."""
    driver = drive(edition=edition, seed=seed)
    driver.connect()
    driver.tap("alone")
    driver.tap_option("levels", level)
    driver.tap("chosen")
    if driver.on_top("yes"):
        driver.tap("yes")
    person = BlankPerson(driver, edition.army, seed, clumsiness)
    person.set_up()
    return person


def play_until(person: BlankPerson, condition: Callable[[], object]) -> None:
    for _ in range(MOST_STEPS):
        if condition():
            return
        person.step()
    raise AssertionError(f"stuck on {person.driver.view}: {person.driver.texts()}")


def is_over(person: BlankPerson) -> bool:
    return person.driver.view == "end"


@GAMES
def test_games_with_clumsy_hands(drive: Drive) -> None:
    """Every game ends, and the opened seals are consistent with the moves and combats."""
    isf = EDITIONS["isf"]
    editions = [BARRAGE, isf.with_army("duel"), isf, EDITIONS["nordic-2015"]]
    mistakes = 0
    for number in range(GAMES.size):
        edition, level = editions[number % len(editions)], [*Level][number // 4 % len(Level)]
        person = sit_down(drive, edition, 50 + number, clumsiness=0.3, level=level)
        play_until(person, partial(is_over, person))
        mistakes += person.mistakes
        check_proof(person.driver)
    assert mistakes


def until_a_move_is_due(person: BlankPerson) -> None:
    play_until(person, lambda: person.driver.view == "turn" and person.driver.face.carried)


def test_screen_and_lamps_show_the_move(drive: Drive) -> None:
    person = sit_down(drive, BARRAGE, 5)
    until_a_move_is_due(person)
    source, target = person.driver.face.carried
    assert person.driver.face.side is Side.BLUE
    assert "Move Blue's piece from" in person.driver.texts()
    assert person.driver.script.lit[-1] == set_of((source, target))
    plies = person.driver.app.presenter.table.view.plies
    person.carry(source, target)
    table = person.driver.app.presenter.table
    assert table.view.plies == plies, "the move already counts"
    assert isinstance(table.state, ToMove)
    assert "in place again" not in person.driver.texts()


def test_wrong_piece_is_guided_back(drive: Drive) -> None:
    person = sit_down(drive, BARRAGE, 5)
    until_a_move_is_due(person)
    source, target = person.driver.face.carried
    beside = next(
        e for e in squares_in(Side.BLUE.home) if person.board.at(e) is None and e != target
    )
    person.carry(source, beside)
    person.show(3)
    assert person.driver.view == "recovery"
    assert (person.driver.face.take, person.driver.face.put) == (1 << beside, 1 << target)
    assert "Move Blue's piece from" in person.driver.texts()
    person.put_right()
    assert person.driver.view == "turn"
    assert person.driver.face.side is Side.RED


@RARE
def test_next_turn_may_begin_early(drive: Drive) -> None:
    """The player makes the computer's move and then a move of their own, without a pause."""
    person = sit_down(drive, BARRAGE, 5)
    until_a_move_is_due(person)
    plies = person.driver.app.presenter.table.view.plies
    source, target = person.driver.face.carried
    person.board.place(person.board.lift(source), target)
    own, to = next(
        (own, to) for own in person.own() for to in person.reach(own) if person.side_at(to) is None
    )
    piece = person.board.lift(own)
    person.show()
    person.board.place(piece, to)
    person.show(2)
    assert person.driver.app.presenter.table.view.plies == plies + 1


def test_no_curtain_for_one_person(drive: Drive) -> None:
    person = sit_down(drive, BARRAGE, 7)
    play_until(person, lambda: person.driver.view == "declaration")
    assert "look away" not in person.driver.texts()
    assert person.driver.find("tiles")
    person.driver.pass_time(60)
    assert person.driver.find("tiles"), "the tiles stay visible"
    person.declare()
    assert person.driver.view == "reveal"


def test_restart_keeps_move_and_army(drive: Drive) -> None:
    person = sit_down(drive, BARRAGE, 5)
    until_a_move_is_due(person)
    carried, board = person.driver.face.carried, person.board
    driver = drive()
    driver.connect()
    driver.tap("resume")
    driver.show(board.image())
    assert isinstance(driver.app.presenter.table.state, MovePending)
    assert driver.face.carried == carried
    person.driver = driver
    play_until(person, lambda: driver.view == "turn" and not driver.face.carried)
    for button in ("menu", "red_resigns"):
        driver.tap(button)
    driver.confirm()
    driver.pass_time(2)
    check_proof(driver)


def test_only_the_person_makes_mistakes(drive: Drive) -> None:
    """A correction of the computer's pieces would contradict the ranks that it knows."""
    person = sit_down(drive, BARRAGE, 5)
    driver = person.driver
    play_until(person, lambda: driver.view == "turn" and not driver.face.carried)
    table = driver.app.presenter.table
    (one, *_, other), (blue, another, *_) = map(
        squares_in, (table.expected.red, table.expected.blue)
    )
    for button in ("menu", "arbiter", "correct"):
        driver.tap(button)
    for mistake in ("wrong_rank", "exchanged", "no_long_move"):
        driver.tap(mistake)
        driver.tap_square(blue)
        assert "The computer knows its own pieces." in driver.texts()
        driver.tap("close")
    pieces = [table.view.board.piece_at(each) for each in (blue, another)]
    mistakes: list[Correction] = [SwapCorrection(*pieces)]
    mistakes += [RankCorrection(pieces[0], Rank.SPY), NotAScout(pieces[0])]
    actions = list(table.referee.actions)
    for wrong in mistakes:
        driver.app.presenter.submit(CommandInput(driver.now, Correct(wrong)))
    assert table.referee.actions == actions
    driver.tap("exchanged")
    for each in (one, other):
        driver.tap_square(each)
    driver.confirm()
    assert isinstance(table.referee.actions[-1], Correct)


def test_army_stays_sealed_if_the_end_is_not_saved(drive: Drive) -> None:
    """After a disk error, the game can be continued from its last saved state."""
    person = sit_down(drive, BARRAGE, 5)
    driver = person.driver
    play_until(person, lambda: driver.view == "turn" and not driver.face.carried)
    fill(driver.journal)
    for button in ("menu", "red_resigns"):
        driver.tap(button)
    driver.confirm()
    driver.press("play_on")
    driver.pass_time(2)
    assert driver.view == "end"
    assert driver.app.presenter.table.view.proved == {}
    assert driver.on_top("blue_setup") is None


@RARE
def test_abandoned_game_can_be_proved(drive: Drive) -> None:
    person = sit_down(drive, BARRAGE, 5)
    until_a_move_is_due(person)
    driver, board = person.driver, person.board
    for button in ("menu", "leave"):
        driver.tap(button)
    for button in ("alone", "chosen", "yes"):
        driver.tap(button)
    another = BlankPerson(driver, BARRAGE.army, 4)
    another.set_up()
    driver.app.presenter.leave()
    driver.app.host.resume(1)
    person.board = board
    person.show(3)
    for button in ("menu", "red_resigns"):
        driver.tap(button)
    driver.confirm()
    driver.pass_time(2)
    check_proof(driver)


def test_ranks_are_only_in_the_openings_file(drive: Drive) -> None:
    person = sit_down(drive, EDITIONS["isf"], 3)
    for _ in range(30):
        person.step()
    journals = person.driver.journals.path
    salts = re.findall(r"\b[0-9a-f]{32}\b", journals.with_name(FILE).read_text("ascii"))
    assert len(salts) == EDITIONS["isf"].army.size
    others = [path for path in journals.parent.iterdir() if path.name != FILE]
    written = b"".join(path.read_bytes() for path in others)
    declared = sum(
        isinstance(action, Declare) and action.rank.owner is Side.BLUE
        for action in person.driver.app.presenter.table.referee.actions
    )
    assert sum(salt.encode() in written for salt in salts) == declared
    assert journals.with_name(FILE).stat().st_mode & 0o077 == 0


def test_public_seed_does_not_reveal_the_setup(drive: Drive) -> None:
    """The seed is not secret, because every trace and the journal contain it."""
    driver = drive(edition=BARRAGE)
    driver.app.host.draw = count(11).__next__
    driver.connect()
    for button in ("alone", "chosen"):
        driver.tap(button)
    sealed = driver.app.presenter.seals.sealed(Side.BLUE)
    assert sealed
    level = driver.app.host.players.level
    assert level
    for seed in (driver.app.host.seed, 7):
        guessed = ComputerPlayer(BARRAGE, Side.BLUE, level, seed).setup
        assert sealed.on_squares_of(Side.BLUE) != guessed


def test_computer_resigns_without_openings(drive: Drive) -> None:
    person = sit_down(drive, BARRAGE, 5)
    board = person.board
    person.driver.journals.path.with_name(FILE).unlink()
    driver = drive()
    driver.connect()
    driver.tap("resume")
    person.driver, person.board = driver, board
    driver.show(board.image())
    play_until(person, lambda: is_over(person))
    assert Resign(Side.BLUE) in driver.app.presenter.table.referee.actions


@RARE
def test_computer_answers_take_back_and_draw(drive: Drive) -> None:
    person = sit_down(drive, BARRAGE, 5)
    until_a_move_is_due(person)
    table = person.driver.app.presenter.table
    plies = table.view.plies
    person.step()
    for button in ("menu", "red_take_back", "yes"):
        person.driver.tap(button)
    person.show(2)
    while person.driver.view == "recovery":
        person.put_right()
    assert (table.view.plies, table.view.to_move) == (plies - 2, Side.RED)
    for button in ("menu", "red_draw", "yes"):
        person.driver.tap(button)
    person.driver.wait(lambda: is_over(person) or "declines the draw" in person.driver.texts())


@RARE
def test_blanks_on_wrong_squares_are_marked(drive: Drive) -> None:
    driver = drive(edition=BARRAGE)
    driver.connect()
    for button in ("alone", "chosen"):
        driver.tap(button)
    person = BlankPerson(driver, BARRAGE.army, 1)
    person.show()
    wanted = int(driver.find("board").put)
    assert wanted.bit_count() == BARRAGE.army.size
    wrong = next(each for each in squares_in(Side.BLUE.home & ~wanted))
    for where in (*[*squares_in(wanted)][1:], wrong):
        person.board.stand(Side.BLUE, where, "")
    person.show()
    assert driver.find("board").put == wanted & -wanted
    assert driver.find("board").take == 1 << wrong
    driver.tap_inside("red", "ready")
    person.show(5)
    assert driver.view == "setup"
    person.board.place(person.board.lift(wrong), next(squares_in(wanted)))
    person.show(2)
    driver.tap_inside("red", "ready")
    person.show(2)
    person.show(2)
    assert driver.view == "turn"


def test_computer_asks_for_a_missing_piece(drive: Drive) -> None:
    """The person has taken a second piece off the board, and the computer has to wait."""
    person = sit_down(drive, BARRAGE, 5)
    own, to = next(
        (own, to) for own in person.own() for to in person.reach(own) if person.side_at(to) is None
    )
    other = next(each for each in person.own() if each != own)
    person.carry(own, to)
    person.lift(other)
    person.show(AWAITED_SECONDS / 2)
    assert person.driver.view == "turn"
    person.show(AWAITED_SECONDS)
    person.show()
    assert person.driver.view == "recovery"
    assert person.driver.face.put == 1 << other
    person.place(other)
    person.show()
    play_until(person, lambda: person.driver.view == "turn" and person.driver.face.carried)
