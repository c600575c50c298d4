"""SVG picture of a table's board: the sides differ in shape as well as in colour."""

from typing import Final

from engine.board.geometry import LAKES, SQUARES, WIDTH, name

_SIZE: Final = 40


def board_picture(board: str, label: str) -> str:
    """Draw the board from 100 characters, row 10 first; Red is at the bottom."""
    parts = []
    for index, colour in enumerate(board):
        row, column = divmod(index, WIDTH)
        x, y = column * _SIZE, row * _SIZE
        square = (WIDTH - 1 - row) * WIDTH + column
        kind = "lake" if LAKES >> square & 1 else "field"
        parts.append(f'<rect class="{kind}" x="{x}" y="{y}" width="40" height="40"/>')
        if colour == "r":
            place = f'x="{x + 8}" y="{y + 8}"'
            parts.append(f'<rect class="r" {place} width="24" height="24" rx="3"/>')
        elif colour == "b":
            parts.append(f'<circle class="b" cx="{x + 20}" cy="{y + 20}" r="13"/>')
    for index in range(WIDTH):
        middle = index * _SIZE + 20
        parts.append(f'<text x="-10" y="{middle + 5}">{WIDTH - index}</text>')
        parts.append(f'<text x="{middle}" y="416">{name(SQUARES[index])[0]}</text>')
    return (
        f'<svg class="board" viewBox="-22 -2 424 424" role="img" aria-label="{label}">'
        f"{''.join(parts)}</svg>"
    )
