"""The circuit boards: tiles and controller, as KiCad projects generated from wiring.toml in this
folder."""
