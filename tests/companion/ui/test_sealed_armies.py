"""Sealed armies on the touchscreen: sealing, declarations, disputes and proof."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from companion.core.inputs import CommandInput
from companion.session.tabletop import standing_setup
from companion.ui.dialogs.setup_dialogs import PATIENCE_SECONDS
from companion.ui.widgets.buttons import HOLD_SECONDS
from engine.board.geometry import Side, square, squares_in
from engine.board.ranks import BARRAGE, Rank
from engine.game.actions import AnswerGuess, BreakSeals, Declare
from engine.game.game_state import Phase
from engine.game.rulings import Contradiction
from engine.rules.editions import DEFAULT, EDITIONS
from firmware_bridge.image import Image
from tests.campaigns import RARE
from tests.companion.ui.driver import Driver, Script
from tests.companion.ui.playing import (
    INTO_ENEMY_ROWS,
    STANDING,
    after,
    attack_on_screen,
    begin,
    choose_game,
    declare,
    infiltrate,
    open_curtain,
    play,
    turn_cards,
)
from tests.companion.ui.sealing import (
    CORNERS,
    FORT,
    SEALED,
    begin_sealed,
    begin_to_seal,
    declare_as_sealed,
    draw_up,
    seal,
    seal_on_phone,
    sealed_rank,
)
from tests.companion.ui.test_secrecy import all_that_is_seen
from tests.companion.ui.tour_of_phones import join, open_phones

Drive = Callable[..., Driver]
NORDIC = replace(EDITIONS["nordic-2015"], sealed_armies=True)


@pytest.fixture
def setting_up(driver: Driver) -> Driver:
    """Game in which both armies are set up but not sealed."""
    begin_to_seal(driver)
    return driver


@pytest.fixture
def attacked(driver: Driver) -> Driver:
    """Game with the fort setup, in which Red's general attacks Blue's scout."""
    return attack(driver)


def attack(driver: Driver) -> Driver:
    begin_sealed(driver)
    play(driver, STANDING, "e4 e5", "e7 e6")
    attack_on_screen(driver, "e5", "e6")
    return driver


def sealed_otherwise(driver: Driver, source: str, target: str) -> None:
    """Seal the fort setup for both sides, with two of Red's pieces swapped."""
    draw_up(driver, Side.RED)
    rows = driver.find("rows")
    driver.drag(*(driver.middle(rows.spot(square(each))) for each in (source, target)))
    driver.tap("seal")
    driver.tap("close")
    seal(driver, Side.BLUE)
    for side in Side:
        driver.tap_inside(side.value, "ready")


@RARE
def test_option_is_shown_and_kept(driver: Driver, drive: Drive) -> None:
    choose_game(driver, "isf", "none", "sealed_armies")
    assert "sealed armies" in driver.texts()
    assert drive().app.presenter.settings.edition == SEALED


def test_both_players_seal(setting_up: Driver) -> None:
    for side in Side:
        seal(setting_up, side)
        assert setting_up.app.presenter.table.sealed >= {side}
        assert "Sealed" in setting_up.texts()
        setting_up.tap_inside(side.value, "ready")
    assert setting_up.view == "turn"
    assert setting_up.app.presenter.table.view.sealed == {*Side}


def test_ready_requires_sealing(setting_up: Driver) -> None:
    assert "Ready when sealed" in setting_up.texts()
    setting_up.tap_inside("red", "ready")
    assert setting_up.app.presenter.table.ready == frozenset()
    seal(setting_up, Side.RED)
    setting_up.tap_inside("red", "ready")
    assert setting_up.app.presenter.table.ready == {Side.RED}


@RARE
def test_misplaced_sealed_army_is_shown(drive: Drive) -> None:
    """In the short game, an army of eight leaves squares free on which a piece may be misplaced."""
    edition = replace(EDITIONS["isf"].with_army(BARRAGE.name), sealed_armies=True)
    driver = drive(edition=edition)
    driver.connect()
    driver.tap("begin")
    draw_up(driver, Side.RED, "Bodyguard")
    driver.tap("seal")
    driver.tap("close")
    drawn = driver.app.presenter.seals.sealed(Side.RED)
    assert drawn
    stands = sum(1 << at for at in drawn.on_squares_of(Side.RED))
    taken, free = next(squares_in(stands)), next(squares_in(Side.RED.home & ~stands))
    driver.show(Image(stands & ~(1 << taken) | 1 << free, 0))
    assert "Red has not sealed this army." in driver.texts()
    assert driver.face.marked == 1 << taken | 1 << free
    driver.tap_inside("red", "ready")
    assert driver.app.presenter.table.ready == frozenset()
    driver.show(Image(stands, 0))
    assert driver.face.marked == 0
    driver.tap_inside("red", "ready")
    assert driver.app.presenter.table.ready == {Side.RED}


@RARE
def test_army_can_be_sealed_again(setting_up: Driver) -> None:
    for name in (FORT.name, CORNERS.name):
        seal(setting_up, Side.RED, name)
    seal(setting_up, Side.BLUE)
    setting_up.tap_inside("red", "ready")
    setting_up.tap("setups")
    setting_up.hold("red", HOLD_SECONDS + 0.1)
    assert "Red is ready" in setting_up.texts()
    assert "Your setup" not in setting_up.texts()
    setting_up.tap("close")
    setting_up.tap_inside("blue", "ready")
    setting_up.show(after(STANDING, "e4 e5"))
    play(setting_up, after(STANDING, "e4 e5"), "e7 e6")
    attack_on_screen(setting_up, "e5", "e6")
    open_curtain(setting_up)
    tile = setting_up.find("sealed")
    assert tile.rank is sealed_rank(Side.RED, "e4", CORNERS.setup)
    assert tile.rank is not sealed_rank(Side.RED, "e4", FORT.setup)


@RARE
def test_unsealed_draft_is_kept_behind_the_curtain(
    setting_up: Driver,
) -> None:
    draw_up(setting_up, Side.RED)
    assert setting_up.app.presenter.table.sealed == frozenset()
    setting_up.pass_time(PATIENCE_SECONDS + 1)
    assert "Whose setup?" in setting_up.texts()
    setting_up.hold("red", HOLD_SECONDS + 0.1)
    assert "40 of 40" in setting_up.texts()
    setting_up.tap("keep")
    setting_up.tap_answer("letters", "A")
    setting_up.tap("close")
    setting_up.hold("red", HOLD_SECONDS + 0.1)
    setting_up.tap("seal")
    assert setting_up.app.presenter.seals.sealed(Side.RED) == FORT.setup


@RARE
def test_seals_are_cleared_for_the_next_game(setting_up: Driver) -> None:
    draw_up(setting_up, Side.RED)
    for button in ("close", "close", "back", "begin", "setups"):
        setting_up.tap(button)
    setting_up.hold("red", HOLD_SECONDS + 0.1)
    assert "0 of 40" in setting_up.texts()


@RARE
def test_incomplete_army_cannot_be_sealed(setting_up: Driver) -> None:
    draw_up(setting_up, Side.RED)
    rows = setting_up.find("rows")
    setting_up.drag(
        setting_up.middle(rows.spot(square("a1"))),
        setting_up.middle(next(each for each in setting_up.find("box").children)),
    )
    assert "39 of 40" in setting_up.texts()
    assert setting_up.on_top("seal") is None
    assert setting_up.app.presenter.table.sealed == frozenset()


def test_sealing_by_phone(setting_up: Driver) -> None:
    seal_on_phone(setting_up, Side.BLUE)
    assert "Sealed" in setting_up.texts()
    setting_up.tap_inside("blue", "ready")
    assert setting_up.app.presenter.table.ready == {Side.BLUE}


def red_is_ready_before_a_simulated_board(drive: Drive) -> Driver:
    driver = drive(source=Script.with_simulated_board(), edition=SEALED)
    driver.connect()
    for button in ("begin", "set_up"):
        driver.tap(button)
    driver.show_virtual()
    driver.tap_inside("red", "ready")
    return driver


def test_ready_seals_on_the_simulated_board(drive: Drive) -> None:
    driver = red_is_ready_before_a_simulated_board(drive)
    assert driver.on_top("set_up") is None, "a sealed army cannot be changed"
    driver.tap_inside("blue", "ready")
    assert driver.view == "turn"
    for side in Side:
        standing = standing_setup(driver.tabletop.board, side)
        assert driver.app.presenter.seals.sealed(side) == standing


def test_quick_swap_before_sealing(drive: Drive) -> None:
    """Two pieces are swapped before the board has reported that either was lifted."""
    driver = red_is_ready_before_a_simulated_board(drive)
    before = standing_setup(driver.tabletop.board, Side.RED)
    for way in ("a4 e5", "b4 a4", "e5 b4"):
        driver.carry(*way.split())
    changed = standing_setup(driver.tabletop.board, Side.RED)
    assert changed != before
    assert driver.app.presenter.table.ready == frozenset(), (
        "players must declare again that they are ready"
    )
    for side in ("blue", "red"):
        driver.tap_inside(side, "ready")
    assert driver.view == "turn"
    assert driver.app.presenter.seals.sealed(Side.RED) == changed


@RARE
def test_sealed_setup_is_placed_on_the_simulated_board(drive: Drive) -> None:
    driver = drive(source=Script.with_simulated_board(), edition=SEALED)
    driver.connect()
    driver.tap("begin")
    draw_up(driver, Side.BLUE)
    assert not standing_setup(driver.tabletop.board, Side.BLUE).ranks
    driver.tap("seal")
    assert standing_setup(driver.tabletop.board, Side.BLUE) == FORT.setup
    assert driver.app.presenter.seals.sealed(Side.BLUE) == FORT.setup


@RARE
def test_no_sealing_alone(drive: Drive) -> None:
    driver = drive(source=Script.with_simulated_board(), edition=SEALED)
    driver.connect()
    for button in ("alone", "chosen"):
        driver.tap(button)
    assert not driver.app.presenter.table.view.edition.sealed_armies


@RARE
def test_only_the_sealed_rank_is_offered(attacked: Driver) -> None:
    open_curtain(attacked)
    assert attacked.find("sealed").rank is sealed_rank(Side.RED, "e4")
    assert attacked.on_top("missing") is None
    attacked.hold("sealed", HOLD_SECONDS + 0.1)
    declare_as_sealed(attacked)
    turn_cards(attacked)
    assert "Red wins the combat" in attacked.texts()


@RARE
def test_only_the_fighters_seals_are_opened(attacked: Driver) -> None:
    for _side in Side:
        declare_as_sealed(attacked)
    declarations = [
        each for each in attacked.app.presenter.table.referee.actions if isinstance(each, Declare)
    ]
    commitments = attacked.app.presenter.table.commitments
    for action, piece in zip(declarations, map(square, ("e4", "e7")), strict=True):
        side = action.rank.owner
        commitment = commitments[side]
        opened = [at for at in commitment.commitments if commitment.holds(side, at, action.opening)]
        assert opened == [piece]


@RARE
def test_dispute_about_a_sealed_rank(
    attacked: Driver,
) -> None:
    open_curtain(attacked)
    attacked.tap("another")
    attacked.hold_tile("tiles", Rank.MARSHAL)
    assert "This piece was sealed with a different rank." in attacked.texts()
    attacked.tap("again")
    assert attacked.find("sealed").rank is Rank.GENERAL
    attacked.tap("another")
    attacked.hold_tile("tiles", Rank.MARSHAL)
    attacked.hold("insist", HOLD_SECONDS + 0.1)
    assert attacked.view == "dispute"
    assert "The seal shows a different rank." in attacked.texts()


@RARE
def test_impossible_sealed_rank_is_refused(attacked: Driver) -> None:
    open_curtain(attacked)
    for button in ("another", "missing"):
        attacked.tap(button)
    attacked.tap_tile("others", Rank.BOMB)
    assert "This piece was sealed with a different rank." in attacked.texts()


@RARE
def test_moved_bomb_is_detected_by_its_seal(setting_up: Driver) -> None:
    sealed_otherwise(setting_up, "a2", "e4")
    image = play(setting_up, STANDING, "e4 e5", "e7 e6", "a4 a5")
    setting_up.show(after(image, "e6 e5"))
    declare_as_sealed(setting_up)
    open_curtain(setting_up)
    assert setting_up.find("sealed").rank is Rank.BOMB
    setting_up.hold("sealed", HOLD_SECONDS + 0.1)
    assert "That is impossible" in setting_up.texts()
    assert "sealed with a different rank" not in setting_up.texts()
    setting_up.hold("insist", HOLD_SECONDS + 0.1)
    assert setting_up.view == "dispute"
    assert "The seal shows the same rank." in setting_up.texts()


@RARE
def test_openings_survive_a_restart(attacked: Driver, drive: Drive) -> None:
    seen = attacked.seen
    driver = drive()
    driver.connect()
    driver.tap("resume")
    driver.show(seen)
    declare_as_sealed(driver)
    assert driver.app.presenter.table.conversation.declared == (Side.RED,)


@RARE
def test_new_game_keeps_the_seals_of_the_saved_one(attacked: Driver) -> None:
    seen = attacked.seen
    for button in ("menu", "leave", "begin", "yes"):
        attacked.tap(button)
    attacked.show(STANDING)
    seal(attacked, Side.RED, CORNERS.name)
    for button in ("back", "yes", "resume"):
        attacked.tap(button)
    attacked.show(seen)
    open_curtain(attacked)
    assert attacked.find("sealed").rank is sealed_rank(Side.RED, "e4")


def armies_in(path: Path) -> set[str]:
    """Return the digests of the armies whose openings are in a file."""
    return {line.split(" ")[0] for line in path.read_text("ascii").splitlines()}


@RARE
def test_an_abandoned_game_keeps_its_openings(attacked: Driver) -> None:
    path = attacked.journals.path.with_name("seals.txt")
    assert len(armies_in(path)) == 2
    for button in ("menu", "leave"):
        attacked.tap(button)
    attacked.app.presenter.settings.edition = DEFAULT
    begin(attacked)
    assert len(armies_in(path)) == 2, "the first game can still be resumed"


@pytest.fixture
def on_phone(driver: Driver) -> Driver:
    """Game in which Red, which has sealed on a phone, is asked for a rank."""
    begin_to_seal(driver)
    seal_on_phone(driver, Side.RED)
    seal(driver, Side.BLUE)
    for side in Side:
        driver.tap_inside(side.value, "ready")
    play(driver, STANDING, "e4 e5", "e7 e6")
    attack_on_screen(driver, "e5", "e6")
    return driver


@RARE
def test_player_who_sealed_by_phone_declares_there(on_phone: Driver) -> None:
    assert "Declare on your phone." in on_phone.texts()
    assert "Your phone holds the key to this seal." in on_phone.texts()
    assert on_phone.on_top("hold") is None


@RARE
def test_broken_seal_allows_declarations(on_phone: Driver) -> None:
    on_phone.tap("break_seals")
    assert "Break the seals of Red?" in on_phone.texts()
    on_phone.confirm()
    assert on_phone.app.presenter.table.view.sealed == {Side.BLUE}
    declare(on_phone, Rank.SPY)
    declare_as_sealed(on_phone)
    assert on_phone.view == "reveal"


@RARE
def test_breaking_seals_needs_the_code(on_phone: Driver) -> None:
    on_phone.app.presenter.settings.code = "1234"
    on_phone.tap("break_seals")
    on_phone.enter_code("1111")
    assert on_phone.app.presenter.table.view.sealed == {*Side}
    on_phone.enter_code("1234")
    assert on_phone.app.presenter.table.view.sealed == {Side.BLUE}


@RARE
def test_arbiter_breaks_seals_of_one_side(attacked: Driver) -> None:
    for button in ("menu", "arbiter", "break_blue"):
        attacked.tap(button)
    assert "Break the seals of Blue?" in attacked.texts()
    attacked.confirm()
    assert attacked.app.presenter.table.view.sealed == {Side.RED}
    declare_as_sealed(attacked)
    declare(attacked, Rank.MARSHAL)
    assert attacked.view == "reveal"
    for button in ("menu", "arbiter"):
        attacked.tap(button)
    assert attacked.find("break_blue").disabled
    assert not attacked.find("break_red").disabled


@RARE
def test_broken_seal_closes_the_curtain(attacked: Driver) -> None:
    open_curtain(attacked)
    attacked.app.presenter.submit(CommandInput(attacked.now, BreakSeals(Side.RED)))
    attacked.frames(2)
    assert not attacked.face.is_open
    declare(attacked, Rank.SPY)
    assert attacked.app.presenter.table.conversation.declared == (Side.RED,)


def test_no_seals_to_break(driver: Driver) -> None:
    begin(driver)
    for button in ("menu", "arbiter"):
        driver.tap(button)
    assert driver.on_top("break_red") is None


@RARE
def test_damaged_openings_file_is_reported(attacked: Driver, drive: Drive) -> None:
    attacked.journals.path.with_name("seals.txt").write_text("{")
    seen = attacked.seen
    driver = drive()
    driver.connect()
    driver.tap("resume")
    driver.show(seen)
    assert "seals-damaged.txt" in driver.texts()
    driver.tap("break_seals")
    driver.confirm()
    declare(driver, Rank.SPY)
    assert driver.app.presenter.table.conversation.declared == (Side.RED,)


@RARE
def test_player_who_sealed_on_the_screen_declares_there(driver: Driver) -> None:
    """A phone cannot open a commitment made on the screen."""
    open_phones(driver)
    driver.tap("let_in")
    red = join(driver, Side.RED)
    for button in ("close", "close"):
        driver.tap(button)
    begin_sealed(driver)
    play(driver, STANDING, "e4 e5", "e7 e6")
    red.send({"token": red.token})
    driver.frames(4)
    attack_on_screen(driver, "e5", "e6")
    assert driver.app.presenter.phones.seats[Side.RED], "the phone is connected"
    assert "Declare on your phone." not in driver.texts()
    declare_as_sealed(driver)
    assert driver.app.presenter.table.conversation.declared == (Side.RED,)
    red.leave()


def about_to_guess(drive: Drive, seal: Callable[[Driver, Side], object]) -> Driver:
    """Seal both armies with `seal`, and move Red's e4 to f7."""
    driver = drive(edition=NORDIC)
    driver.connect()
    driver.tap("begin")
    driver.show(STANDING)
    for side in Side:
        seal(driver, side)
        driver.tap_inside(side.value, "ready")
    play(driver, STANDING, *INTO_ENEMY_ROWS)
    return driver


@pytest.fixture
def guessed(drive: Drive) -> Driver:
    """Game in which Red's piece from e4, now on f7, correctly guesses the rank of Blue's f9."""
    driver = about_to_guess(drive, seal)
    setup = driver.app.presenter.seals.sealed(Side.BLUE)
    assert setup
    infiltrate(driver, "f7", "f9", sealed_rank(Side.BLUE, "f9", setup))
    return driver


@RARE
def test_true_answer_opens_one_seal(guessed: Driver) -> None:
    guessed.tap("right")
    guessed.confirm()
    (answer,) = (
        each
        for each in guessed.app.presenter.table.referee.actions
        if isinstance(each, AnswerGuess)
    )
    assert answer.opening
    commitment = guessed.app.presenter.table.commitments[Side.BLUE]
    assert commitment.holds(Side.BLUE, square("f9"), answer.opening.unseal())
    assert guessed.app.presenter.table.view.phase is not Phase.GUESS


@RARE
def test_false_answer_is_refused_privately(guessed: Driver) -> None:
    guessed.tap("wrong")
    guessed.confirm()
    assert guessed.app.presenter.table.view.phase is Phase.GUESS
    assert "sealed" not in guessed.texts().lower()
    open_curtain(guessed)
    assert "This piece was sealed with a different rank." in guessed.texts()


@RARE
def test_phone_seals_are_opened_on_the_phone(drive: Drive) -> None:
    driver = about_to_guess(drive, seal_on_phone)
    infiltrate(driver, "f7", "f9", Rank.MARSHAL)
    assert "Your phone holds the key to this seal." in driver.texts()
    assert driver.on_top("wrong") is None
    driver.tap("right")
    assert "Break the seals of Blue?" in driver.texts()
    driver.confirm()
    driver.tap("wrong")
    driver.confirm()
    assert driver.app.presenter.table.view.phase is not Phase.GUESS


def resign(driver: Driver) -> None:
    for button in ("menu", "red_resigns"):
        driver.tap(button)
    driver.confirm()
    assert driver.view == "end"
    driver.pass_time(4)


def prove(driver: Driver, side: Side) -> None:
    driver.tap(f"{side.value}_setup")
    driver.confirm()


@RARE
def test_proved_setup_is_public(attacked: Driver) -> None:
    for _side in Side:
        declare_as_sealed(attacked)
    turn_cards(attacked)
    resign(attacked)
    attacked.tap("red_setup")
    assert "Show Red's setup?" in attacked.texts()
    attacked.tap("no")
    assert not attacked.app.presenter.table.view.proved
    prove(attacked, Side.RED)
    assert "match everything its pieces did" in attacked.texts()
    shown = attacked.find("rows")
    assert shown.setup == FORT.setup
    attacked.tap("close")
    board = attacked.app.presenter.table.view.board
    assert attacked.face.ranks == {
        at: sealed_rank(Side.RED, "e4") if at == square("e6") else FORT.setup.ranks[at]
        for at in board.standing(Side.RED).values()
    }
    assert attacked.on_top("take_back") is None, "a proved setup cannot be taken back"
    attacked.tap("red_setup")
    assert attacked.find("rows").setup == FORT.setup, "the setup can be viewed again"
    attacked.tap("close")
    path = attacked.journals.path.with_name("seals.txt")
    assert len(armies_in(path)) == 1, "openings are deleted after the proof"
    prove(attacked, Side.BLUE)
    assert {*attacked.app.presenter.table.view.proved} == {*Side}


@RARE
def test_no_proof_before_the_end_or_with_broken_seals(attacked: Driver) -> None:
    for button in ("menu", "arbiter", "break_blue"):
        attacked.tap(button)
    attacked.confirm()
    resign(attacked)
    assert attacked.on_top("red_setup")
    assert attacked.on_top("blue_setup") is None


@RARE
def test_army_sealed_by_phone_is_proved_there(on_phone: Driver) -> None:
    resign(on_phone)
    assert on_phone.on_top("red_setup") is None
    assert on_phone.on_top("blue_setup")


@RARE
def test_contradictions_of_a_proof_are_marked(attacked: Driver) -> None:
    """Blue upholds a rank that was not sealed, and the arbiter accepts it."""
    declare_as_sealed(attacked)
    open_curtain(attacked)
    attacked.tap("another")
    attacked.hold_tile("tiles", Rank.SPY)
    attacked.hold("insist", HOLD_SECONDS + 0.1)
    attacked.tap("counts")
    attacked.confirm()
    turn_cards(attacked)
    resign(attacked)
    prove(attacked, Side.BLUE)
    assert "The army breaks the rules" in attacked.texts()
    framed = [each.square for each in attacked.find("rows").children if each.chosen]
    assert framed == [square("f4")], "f4 on the dialog's board is e7 from Blue's side"


def public_pictures(driver: Driver, name: str, piece: str) -> Iterator[bytes]:
    """Seal a setup, possibly with two pieces swapped, and attack. Yield public screenshots."""
    begin_to_seal(driver)
    draw_up(driver, Side.RED, name)
    rows = driver.find("rows")
    driver.drag(*(driver.middle(rows.spot(square(each))) for each in (piece, "e4")))
    driver.tap("seal")
    yield all_that_is_seen(driver)
    driver.tap("close")
    driver.pass_time(2)
    yield all_that_is_seen(driver)
    seal(driver, Side.BLUE, name)
    for side in Side:
        driver.tap_inside(side.value, "ready")
    yield all_that_is_seen(driver)
    play(driver, STANDING, "e4 e5", "e7 e6")
    attack_on_screen(driver, "e5", "e6")
    yield all_that_is_seen(driver)
    open_curtain(driver)
    driver.tap("close_sealed")
    yield all_that_is_seen(driver)
    declare_as_sealed(driver)
    yield all_that_is_seen(driver)
    driver.pass_time(3)
    for button in ("menu", "arbiter"):
        driver.tap(button)
        yield all_that_is_seen(driver)


def test_sealed_ranks_are_invisible(drive: Drive) -> None:
    driver = drive()
    one = list(public_pictures(driver, FORT.name, "f4"))
    forget_all(driver)
    other = list(public_pictures(drive(), CORNERS.name, "e3"))
    assert one == other
    assert len(set(one)) == len(one) - 1 == 7, "only the closed curtain appears twice"


def forget_all(driver: Driver) -> None:
    """Delete this session's games, because the next session would show them on its screens."""
    driver.journals.close()
    driver.journals.path.unlink()


@RARE
def test_false_opening_is_reported_privately(drive: Drive) -> None:
    def pictures(driver: Driver, *, lies: bool) -> Iterator[bytes]:
        attack(driver)
        open_curtain(driver)
        if lies:
            driver.tap("another")
            driver.hold_tile("tiles", Rank.MARSHAL)
            found = driver.app.presenter.table.conversation.contradiction
            assert isinstance(found, Contradiction)
        driver.pass_time(60)
        yield all_that_is_seen(driver)

    driver = drive()
    lying = list(pictures(driver, lies=True))
    forget_all(driver)
    assert lying == list(pictures(drive(), lies=False))
