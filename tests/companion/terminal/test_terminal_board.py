"""The terminal shows the board and the recovery guide."""

from rich.console import Console

from companion.speech.i18n import Language
from companion.terminal.output import draw_board
from engine.board.geometry import Side, square
from engine.board.ranks import Rank
from tests.companion.terminal.at_terminal import SitDown, TerminalDriver, beginning

LINES, COLUMNS = 24, 80


def boards(output: str) -> list[str]:
    letters = "    a  b  c  d  e  f  g  h  i  k"
    between = output.split(letters)
    return [part.strip("\n") for part in between[1::2]]


def test_board_is_drawn_each_turn(driver: TerminalDriver) -> None:
    output = driver.play(*beginning(driver), ("Red to move", driver.type("quit")))
    first, *_, last = boards(output)
    assert first.splitlines() == [
        "10  ●  ●  ●  ●  ●  ●  ●  ●  ●  ●     ● Blue",
        " 9  ●  ●  ●  ●  ●  ●  ●  ●  ●  ●",
        " 8  ●  ●  ●  ●  ●  ●  ●  ●  ●  ●",
        " 7  ●  ●  ●  ●  ●  ●  ●  ●  ●  ●",
        " 6  ·  · ≈≈≈≈≈≈ ·  · ≈≈≈≈≈≈ ·  ·",
        " 5  ·  · ≈≈≈≈≈≈ ·  · ≈≈≈≈≈≈ ·  ·",
        " 4  ■  ■  ■  ■  ■  ■  ■  ■  ■  ■",
        " 3  ■  ■  ■  ■  ■  ■  ■  ■  ■  ■",
        " 2  ■  ■  ■  ■  ■  ■  ■  ■  ■  ■",
        " 1  ■  ■  ■  ■  ■  ■  ■  ■  ■  ■     ■ Red",
    ]
    assert last.splitlines()[3:5] == [
        " 7  ●  ●  ●  ● [·] ●  ●  ●  ●  ●",
        " 6  ·  · ≈≈≈≈≈≈[●] · ≈≈≈≈≈≈ ·  ·",
    ]


def test_colours_are_bold(driver: TerminalDriver) -> None:
    seen: list[str] = []

    def draw() -> None:
        picture = draw_board(driver.session.table, Language("en"))
        console = Console(force_terminal=True, color_system="standard", width=COLUMNS)
        with console.capture() as drawn:
            console.print(picture)
        seen.append(drawn.get())
        driver.type("quit")()

    driver.play(*beginning(driver), ("Red to move", draw))
    bold_red, bold_blue, dim = "\x1b[1;31m", "\x1b[1;94m", "\x1b[2m"
    (picture,) = seen
    assert f"{bold_red}■" in picture
    assert f"{bold_blue}●" in picture
    assert f"{dim} 4 \x1b[0m" in picture


def test_enter_redraws_the_board(driver: TerminalDriver) -> None:
    type_ = driver.type
    output = driver.play(
        ("Red 40, Blue 40", lambda: driver.simulated.take_away(square("e4"))),
        ("Red 39, Blue 40", type_("")),
        ("a  b  c", type_("quit")),
    )
    assert boards(output)[0].splitlines()[6] == " 4  ■  ■  ■  ■  ·  ■  ■  ■  ■  ■"


def test_recovery_is_drawn(driver: TerminalDriver) -> None:
    output = driver.play(
        *beginning(driver),
        ("Red to move", driver.move("e5", "f6")),
        ("Pieces move straight", lambda: None),
        ("Remove the piece from f6.", lambda: None),
        ("Put the red piece on e5.", driver.move("f6", "e5")),
        ("All pieces are in place again.", driver.type("quit")),
    )
    text = output[output.index("Pieces move straight") :]
    assert text.index("Put the red piece on e5.") < text.index("All pieces are in place again.")
    assert boards(text)[0].splitlines()[4:6] == [
        " 6  ·  · ≈≈≈≈≈≈ ● >■<≈≈≈≈≈≈ ·  ·",
        " 5  ·  · ≈≈≈≈≈≈(■) · ≈≈≈≈≈≈ ·  ·",
    ]


def test_knocked_board_is_guided(driver: TerminalDriver) -> None:
    simulated_board = driver.simulated
    knocked = [square(name) for name in ("a4", "b4", "k4", "a10", "b10", "k10", "a1", "k1")]

    def knock() -> None:
        for each in knocked:
            simulated_board.take_away(each)

    def mend_some() -> None:
        for each in knocked[3:]:
            simulated_board.stand(Side.RED if each < 50 else Side.BLUE, each)

    def mend_rest() -> None:
        for each in knocked[:3]:
            simulated_board.stand(Side.RED, each)

    output = driver.play(
        *beginning(driver),
        ("Red to move", knock),
        ("… and 2 more", mend_some),
        ("Put the red piece on a4.", mend_rest),
        ("All pieces are in place again.", driver.type("quit")),
    )
    text = output[output.index("Some pieces are out of place.") :]
    assert len(boards(text)) == 1, "corrected squares do not redraw the board"
    begin, end = text.index("Some pieces are out"), text.index("… and 2 more")
    shown = text[begin:end].splitlines()
    assert len(shown) + 2 <= LINES
    assert all(len(line) <= COLUMNS for line in shown)


def test_captured_pieces_are_listed(sit_down: SitDown) -> None:
    driver = sit_down()
    type_, choose = driver.type, driver.choose
    output = driver.play(
        *beginning(driver),
        ("Red to move", type_("attack e5 e6")),
        ("Red: take the keyboard", type_("")),
        ("Red: which rank attacks from e5?", lambda: None),
        ("Type your rank", choose(Rank.CAPTAIN)),
        ("captain?", type_("y")),
        ("Blue: take the keyboard", type_("")),
        ("Blue: which rank defends e6?", lambda: None),
        ("Type your rank", choose(Rank.MINER)),
        ("miner?", type_("y")),
        ("Remove the piece from e5", lambda: driver.simulated.take_away(square("e6"))),
        ("Put the red piece on e6", driver.move("e5", "e6")),
        ("Blue to move", type_("quit")),
    )
    assert boards(output)[-1].splitlines()[1].endswith("   Fallen: miner")
    assert "in place again" not in output, "no error is reported"
