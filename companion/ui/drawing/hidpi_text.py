"""Layout scale, and text that is sharp at any scale.

All screens are laid out in units of `theme.SCREEN`, and `ScaledRoot` draws them as large as the
window allows. Shapes scale losslessly; text is re-rendered in window pixels.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import Final
from weakref import WeakSet

from kivy.core.text import Label as CoreLabel
from kivy.factory import Factory
from kivy.uix.label import Label

# Line breaks.

_NUMBER: Final = re.compile(r"[(+−×]?\d+(?:[.,:/]\d+)*")
"""A number that must stay on the same line as the next word: “40 pieces”, “4.6 V”."""
_NAMES: Final = re.compile(r"(?:[a-k]10|[a-k]\d|\d[\d.,:/–]*)[.,:;!?)]*")
"""A name that must stay on the same line as the previous word: a square, or a number as in “input
14”."""
_BEGINS_NO_LINE: Final = re.compile(r"[…:;!?»%·–×]|/$")
"""Characters that must not start a line. A path may start a line, but a single slash must not."""
_ENDS_A_PART: Final = ".,:;!?·–"
_SHORT: Final = 0.25
"""Minimum width of a single word on the last line, as a fraction of the line's width."""
_SPARE: Final = 2
"""Number of pixels by which a rendered line may exceed the total width of its words and spaces."""


@lru_cache(maxsize=4096)
def wide(word: str, size: int, *, bold: bool) -> int:
    """Return the width of a word in pixels."""
    width: int = CoreLabel(font_size=size, bold=bold).get_extents(word)[0]
    return width


@lru_cache(maxsize=1024)
def broken(text: str, room: int, size: int, *, bold: bool, centred: bool) -> str:
    """Return the text with explicit line breaks where Kivy would break it badly.

    Kivy fills each line before it starts the next. It may therefore separate a number from its
    noun, start a line with an ellipsis or with the colon of a French sentence, or leave a single
    short word on the last line. This function keeps inseparable words together, drops a dot between
    two lines and an ellipsis that does not fit beside its word, and distributes centred text evenly
    over as few lines as possible. Text that does not fit is left to Kivy.

    `room` is the width of a line in pixels, and `size` is the font size.
    """
    return "\n".join(
        _break_line(line, room, size, bold=bold, centred=centred) for line in text.split("\n")
    )


def _break_line(text: str, room: int, size: int, *, bold: bool, centred: bool) -> str:
    words = text.split(" ")
    widths = {word: wide(word, size, bold=bold) for word in words}
    gap = wide(" ", size, bold=bold)

    def width(part: str) -> int:
        inner = part.split(" ")
        return sum(widths[word] for word in inner) + gap * (len(inner) - 1)

    if width(text) <= room or max(widths.values()) > room:
        return text
    plain = _fill([(word, widths[word]) for word in words], room, gap)
    parts = [(part, width(part)) for part in _join_inseparable(words)]
    if words[-1] == "…" and parts[-1][1] > room - _SPARE:
        # The ellipsis would be alone on the last line.
        return _break_line(text.removesuffix(" …"), room, size, bold=bold, centred=centred)
    last, lonely = parts[-1], len(parts) > 1 and parts[-1][1] < _SHORT * room
    if lonely and " " not in parts[-2][0]:
        both = f"{parts[-2][0]} {last[0]}"
        parts[-2:] = [(both, width(both))]
    if max(each for _part, each in parts) > room - _SPARE:
        return text
    lines = _fill(parts, room - _SPARE, gap)
    if centred:
        lines = _distribute(parts, len(lines), room - _SPARE, gap)
    lines = plain if len(lines) > len(plain) else lines
    ended = [line.removesuffix(" ·") for line in lines]
    return text if ended == plain else "\n".join(ended)


def _join_inseparable(words: Sequence[str]) -> list[str]:
    """Join words that must stay on the same line."""
    parts = [words[0]]
    counted = bool(_NUMBER.fullmatch(words[0]))
    for before, word, after in zip(words[:-1], words[1:], [*words[2:], ""], strict=True):
        counts = bool(_NUMBER.fullmatch(word)) and after[:1].isalpha()
        named = bool(_NAMES.fullmatch(word)) and not counts and before[-1:] not in _ENDS_A_PART
        if _BEGINS_NO_LINE.match(word) or (counted and word[:1].isalpha()) or named:
            parts[-1] += f" {word}"
        else:
            parts.append(word)
        counted = counts
    return parts


def _fill(parts: Sequence[tuple[str, int]], room: int, gap: int) -> list[str]:
    """Fill each line before starting the next."""
    lines, used = [parts[0][0]], parts[0][1]
    for part, width in parts[1:]:
        if used + gap + width <= room:
            lines[-1] += f" {part}"
            used += gap + width
        else:
            lines.append(part)
            used = width
    return lines


def _distribute(parts: Sequence[tuple[str, int]], count: int, room: int, gap: int) -> list[str]:
    """Distribute the parts over `count` lines so that the longest line is as short as possible."""
    low, high = max(width for _part, width in parts), room
    while low < high:
        middle = (low + high) // 2
        if len(_fill(parts, middle, gap)) <= count:
            high = middle
        else:
            low = middle + 1
    return _fill(parts, low, gap)


# Scale.


class TextScale:
    """The layout scale: the length of a layout unit in window pixels."""

    def __init__(self) -> None:
        self.scale = 1.0
        self._written: WeakSet[HidpiText] = WeakSet()

    def keep_sharp(self, written: "HidpiText") -> None:
        """Redraw a text widget whenever the scale changes."""
        self._written.add(written)

    def change(self, scale: float) -> None:
        """Set the scale. If it has changed, redraw all text."""
        if scale != self.scale:
            self.scale = scale
            for each in list(self._written):
                each.sharpen()


ZOOM = TextScale()
"""The layout scale of the program's only window."""


class HidpiText:
    """A text widget."""

    def __init__(self, **kwargs: object) -> None:
        super().__init__(**kwargs)
        ZOOM.keep_sharp(self)

    def sharpen(self) -> None:
        """Redraw the text after a change of scale."""
        raise NotImplementedError


class SharpText(HidpiText):
    """Mixin that makes a Kivy label or button render its text in window pixels."""

    _rendered: object = None
    """The values on which the current texture depends."""

    def sharpen(self) -> None:
        self._trigger_texture()  # type: ignore[attr-defined]

    def texture_update(self, *_args: object) -> None:
        """Render the text in window pixels. `texture_size` stays in layout units.

        Kivy also calls this method after changes that do not affect the text, such as a new height.
        During a game, a third of all calls are of this kind.
        """
        self._break_lines()
        scale, label = ZOOM.scale, self._label  # type: ignore[attr-defined]
        options = [tuple(v) if isinstance(v, list) else v for v in label.options.values()]
        due = (label.text, *label.usersize, scale, *options)
        if due == self._rendered:
            return
        self._rendered = due
        if scale == 1 or not label.text:
            super().texture_update()  # type: ignore[misc]
            return
        with _enlarged(label, scale):
            label.refresh()
            label.texture.bind()  # otherwise, the texture would stay empty for a frame
        self.texture = None  # forces an update if only the texture's pixels have changed
        self.texture = label.texture
        self.texture_size = [length / scale for length in label.texture.size]

    def _break_lines(self) -> None:
        """Pass the text to Kivy with our line breaks. The property `text` is not changed."""
        text, label = self.text, self._label  # type: ignore[attr-defined]
        width = label.usersize[0]
        if width and " " in text:
            left, _top, right, _bottom = label.options["padding"]
            looks = {"bold": label.options["bold"], "centred": label.options["halign"] == "center"}
            # Measure in window pixels, because enlarged glyphs are slightly wider than the scale
            # implies.
            room, size = (
                ZOOM.scale * (width - left - right),
                ZOOM.scale * label.options["font_size"],
            )
            text = broken(text, int(room), int(size), **looks)
        label.text = text


class SharpLabel(SharpText, Label):
    """A label that is sharp at any scale."""


@contextmanager
def _enlarged(label: CoreLabel, scale: float) -> Iterator[CoreLabel]:
    """Scale a label's font size, padding and text area for the duration of the context."""
    options, room = label.options, label.usersize
    padding = [length * scale for length in options["padding"]]
    label.options = {**options, "font_size": options["font_size"] * scale, "padding": padding}
    label.usersize = [length and length * scale for length in room]
    try:
        yield label
    finally:
        label.options, label.usersize = options, room


# `Label` in a .kv file means `SharpLabel`.
Factory.unregister("Label")
Factory.register("Label", cls=SharpLabel)
