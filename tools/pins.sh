#!/usr/bin/env bash
# Regenerates requirements/*.txt from pyproject.toml: every package with its exact version and the
# hashes of all its files, no addresses. Needs uv, or fetches it into a temporary environment.
set -euo pipefail
cd "$(dirname "$0")/.."

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

uv=$(command -v uv || true)
if [ -z "$uv" ]; then
    echo "Fetching uv temporarily ..."
    python3 -m venv "$scratch/uv"
    "$scratch/uv/bin/python" -m pip install --quiet uv
    uv=$scratch/uv/bin/uv
fi

# UPGRADE=1 pins newer versions; without it the pinned versions are kept where possible.
upgrade=()
[ -z "${UPGRADE:-}" ] || upgrade=(--upgrade)

# --no-config and the unset variables make the result independent of this machine's settings.
compile_only() {
    env -u UV_INDEX_URL -u UV_EXTRA_INDEX_URL -u UV_DEFAULT_INDEX -u UV_INDEX -u UV_FIND_LINKS \
        "$uv" pip compile --universal --python-version 3.11 --generate-hashes \
        --no-config --quiet --custom-compile-command "make pins" "${upgrade[@]}" "$@"
}
# The engine's wheel is built from this clone; only its extras are pinned.
compile() { compile_only pyproject.toml --no-emit-package boomboard-engine "$@"; }

echo "requirements/tests.txt"
compile --extra test --extra hall --extra camera -o requirements/tests.txt
# The same versions everywhere, so that players get what was tested.
echo "requirements/program.txt"
compile --constraints requirements/tests.txt -o requirements/program.txt
echo "requirements/hall.txt"
compile --extra hall --constraints requirements/tests.txt -o requirements/hall.txt
echo "requirements/camera.txt"
compile --extra camera --constraints requirements/tests.txt -o requirements/camera.txt
echo "requirements/browsers.txt"
compile --extra test --extra hall --extra camera --extra browsers --constraints requirements/tests.txt \
    -o requirements/browsers.txt
echo "requirements/mutants.txt"
compile --extra test --extra hall --extra camera --extra mutants --constraints requirements/tests.txt \
    -o requirements/mutants.txt
echo "requirements/fuzz.txt"
compile --extra test --extra hall --extra camera --extra fuzz --constraints requirements/tests.txt \
    -o requirements/fuzz.txt
echo "requirements/pi.txt"
compile --extra pi --constraints requirements/tests.txt -o requirements/pi.txt
# Only needed while the project is installed.
echo "requirements/build.txt"
compile_only --group build --constraints requirements/tests.txt -o requirements/build.txt
# Separate environment, without the program.
echo "requirements/mechanics.txt"
compile_only --group mechanics --constraints requirements/tests.txt -o requirements/mechanics.txt
# Separate environment for the second compiler.
echo "requirements/compilers.txt"
compile_only --group compilers -o requirements/compilers.txt
