"""Guarantees about the contents of the wheels."""

from typing import Final

from tests.project.mutation import File, Guarantees

WHEEL: Final[Guarantees] = {
    "The wheels are reproducible": {
        "the wheel keeps file times": File(
            "pyproject.toml",
            "[tool.hatch.build.targets.wheel]",
            "[tool.hatch.build]\nreproducible = false\n\n[tool.hatch.build.targets.wheel]",
            "project/test_wheel.py::test_wheels_are_reproducible",
        ),
        "the engine's wheel keeps file times": File(
            "engine/pyproject.toml",
            "[tool.hatch.build]\n",
            "[tool.hatch.build]\nreproducible = false\n",
            "project/test_wheel.py::test_wheels_are_reproducible",
        ),
    },
}
