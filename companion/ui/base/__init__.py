"""Shared parts of screens and dialogs: the presenter, base classes, input devices and the voice."""
