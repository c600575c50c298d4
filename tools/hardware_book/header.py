"""Draws the Pi's 40-pin header and its connections."""

from typing import Final

from companion.palette import GUIDE, PRINT
from firmware_bridge.panel import BUTTONS, BUZZER, LAMPS, RESET
from hardware.drawing.sheet import GROUND, INK, QUIET, SIGNAL, SUPPLY, Sheet

PLACE_OF: Final = {17: 11, 27: 13, 22: 15, 23: 16, 24: 18, 25: 22}
"""Header pin for each GPIO number."""
SUPPLIES: Final = {2: "5 V to the board, through the fuse", 4: "5 V to the display (red)"}
GROUNDS: Final = {6: "ground of the board", 9: "ground of the panel", 14: "ground of the display"}
SWITCH: Final = {5: "the switch-off button, GPIO 3"}
"""Pins that the operating system reads through gpio-shutdown (`hardware/pi/install.sh`)."""
_STEP: Final = 62


def draw() -> str:
    sheet = Sheet("The header of the Pi", 1320, 520)
    sheet.write((40, 50), "The header of the Pi", 26, bold=True)
    sheet.write(
        (40, 80),
        "Seen from above. Even places are in the row at the Pi’s edge, odd ones inside.",
        fill=QUIET,
    )
    sheet.box((40, 120), (1240, 170))
    sheet.write((60, 270), "the Pi’s corner at this end", fill=QUIET)
    sheet.write((1260, 270), "the USB sockets at this end", anchor="end", fill=QUIET)
    uses = _uses()
    for place in range(1, 41):
        x, y = 72 + _STEP * ((place - 1) // 2), 210 if place % 2 else 160
        used = place in uses
        sheet.dot((x, y), 17, uses[place][1] if used else GUIDE["unused"])
        ink = PRINT["paper"] if used else INK
        sheet.write((x, y + 5), str(place), 14, anchor="middle", fill=ink)
    for n, (place, (what, fill)) in enumerate(sorted(uses.items())):
        at = (60 + 420 * (n // 4), 345 + 45 * (n % 4))
        sheet.dot((at[0], at[1] - 5), 17, fill)
        sheet.write(at, str(place), 14, anchor="middle", fill=PRINT["paper"])
        sheet.write((at[0] + 28, at[1]), what, 17)
    return sheet.svg()


def _uses() -> dict[int, tuple[str, str]]:
    """Return the uses of the header pins, each with its colour."""
    panel = {pin: f"{side.value.capitalize()}’s button" for side, pin in BUTTONS.items()}
    panel |= {pin: f"{side.value.capitalize()}’s lamp" for side, pin in LAMPS.items()}
    panel |= {BUZZER: "buzzer", RESET: "the board’s reset line"}
    return (
        {place: (what, SUPPLY) for place, what in SUPPLIES.items()}
        | {place: (what, GROUND) for place, what in GROUNDS.items()}
        | {place: (what, SIGNAL) for place, what in SWITCH.items()}
        | {PLACE_OF[gpio]: (f"{what}, GPIO {gpio}", SIGNAL) for gpio, what in panel.items()}
    )
