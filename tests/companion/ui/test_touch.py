"""A finger on a touchscreen, which SDL reports both as a finger and as a mouse."""

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager

from kivy.base import EventLoop
from kivy.core.window.window_sdl2 import SDL2MotionEventProvider

from tests.companion.test_displays import load_sdl
from tests.companion.ui.driver import Driver

FINGER_DOWN, FINGER_UP = 0x700, 0x701
MOUSE_DOWN, MOUSE_UP = 0x401, 0x402
TOUCH = 0xFFFFFFFF
"""Mouse id that SDL uses for a finger."""
LEFT = 1


class FingerEvent(ctypes.Structure):
    """SDL_TouchFingerEvent, in SDL_events.h of SDL 2."""

    _fields_ = (
        ("type", ctypes.c_uint32),
        ("timestamp", ctypes.c_uint32),
        ("touch", ctypes.c_int64),
        ("finger", ctypes.c_int64),
        *((name, ctypes.c_float) for name in ("x", "y", "dx", "dy", "pressure")),
        ("window", ctypes.c_uint32),
    )


class MouseEvent(ctypes.Structure):
    """SDL_MouseButtonEvent, in SDL_events.h of SDL 2."""

    _fields_ = (
        *((name, ctypes.c_uint32) for name in ("type", "timestamp", "window", "which")),
        *((name, ctypes.c_uint8) for name in ("button", "state", "clicks", "padding")),
        ("x", ctypes.c_int32),
        ("y", ctypes.c_int32),
    )


def push(event: ctypes.Structure) -> None:
    room = ctypes.create_string_buffer(64)
    ctypes.memmove(room, ctypes.byref(event), ctypes.sizeof(event))
    assert load_sdl().SDL_PushEvent(room) == 1


@contextmanager
def presses() -> Iterator[list[str]]:
    """Yield a list. It records the touches that the window derives from SDL's events."""
    heard: list[str] = []
    window = EventLoop.window

    def press(*_: object) -> None:
        heard.append("down")

    def release(*_: object) -> None:
        heard.append("up")

    window.bind(on_mouse_down=press, on_mouse_up=release)
    try:
        yield heard
    finally:
        window.unbind(on_mouse_down=press, on_mouse_up=release)


def test_touch_is_delivered_once(driver: Driver) -> None:
    assert driver.view == "start"
    with presses() as heard:
        for finger, mouse, state in ((FINGER_DOWN, MOUSE_DOWN, 1), (FINGER_UP, MOUSE_UP, 0)):
            push(FingerEvent(type=finger, touch=1, finger=1, x=0.5, y=0.5, pressure=1))
            push(MouseEvent(type=mouse, which=TOUCH, button=LEFT, state=state, x=400, y=240))
        EventLoop.window.mainloop()
    assert heard == ["down", "up"]
    assert not SDL2MotionEventProvider.q
