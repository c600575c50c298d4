"""The circuit boards: tiles and controller, as KiCad projects made from wiring.toml."""
