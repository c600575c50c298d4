"""Shared parts of screens and dialogs: presenter, base classes, input devices and voice."""
