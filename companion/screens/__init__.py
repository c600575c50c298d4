"""The face of the companion: one .py and one .kv a screen. Screens hold no rules."""
