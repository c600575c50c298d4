"""Circuit boards (tiles and controller), generated from wiring.toml as KiCad projects."""
