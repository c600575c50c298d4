#!/usr/bin/env bash
# Makes a Raspberry Pi the companion of a board: packages, rights, and a start with the desktop.
#
#   hardware/pi/install.sh           all of it
#   hardware/pi/install.sh remove    takes the start with the desktop and the rule away again
#
# Run it as the user who will play, not as root; it asks for the password where it needs one. Run it
# as often as you like.
set -euo pipefail
export LC_ALL=C.UTF-8
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
root=$PWD
unit=/etc/systemd/system/boomboard.service
rules=/etc/udev/rules.d/99-boomboard.rules

say() { printf '%s\n' "$*"; }
stop() {
    printf 'Installation stopped: %s\n' "$*" >&2
    exit 1
}

[ "$(id -u)" != 0 ] || stop "run this as the user who will play, without sudo."
command -v systemctl >/dev/null || stop "there is no systemd here."
case ${1:-} in
    '') ;;
    remove)
        sudo systemctl disable --now boomboard.service 2>/dev/null || true
        sudo rm -f "$unit" "$rules"
        sudo systemctl daemon-reload
        sudo udevadm control --reload
        say "Removed. .venv and your games are still here."
        exit
        ;;
    *) stop "\"$1\" is unknown; say nothing or \"remove\"." ;;
esac
case $root in
    *[[:space:]\|\&%\\]*) stop "the folder $root has a space or one of | & % \\ in its name; move it." ;;
esac

# ---------------------------------------------------------------- packages

tools/setup.sh program
command -v avrdude >/dev/null || sudo apt-get -qq install --no-install-recommends -y avrdude

say "Installing what the panel's pins need ..."
.venv/bin/python -m pip --disable-pip-version-check --no-input install --quiet \
    --require-hashes --only-binary :all: -r requirements/pi.txt
# lgpio has no wheels for newer Pythons; there the system's own package does the work.
if ! .venv/bin/python -c 'import lgpio' 2>/dev/null; then
    if sudo apt-get -qq install --no-install-recommends -y python3-lgpio; then
        sed -i 's/^include-system-site-packages = .*/include-system-site-packages = true/' .venv/pyvenv.cfg
    fi
    .venv/bin/python -c 'import lgpio' 2>/dev/null ||
        say "lgpio is not available here: the panel stays dark, all else works."
fi

# ---------------------------------------------------------------- rights

for group in dialout gpio; do
    getent group "$group" >/dev/null || continue
    sudo usermod --append --groups "$group" "$(id -un)"
done
sudo install -m 644 hardware/pi/99-boomboard.rules "$rules"
sudo udevadm control --reload
sudo udevadm trigger --subsystem-match=tty

# ---------------------------------------------------------------- start with the desktop

sed -e "s|@USER@|$(id -un)|" -e "s|@UID@|$(id -u)|" -e "s|@FOLDER@|$root|" hardware/pi/boomboard.service |
    sudo tee "$unit" >/dev/null
sudo systemctl daemon-reload
sudo systemctl enable --quiet boomboard.service
say "Ready. Restart the Pi: the companion then starts with the desktop."
