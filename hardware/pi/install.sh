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
rules=/etc/udev/rules.d/99-boomboard.rules
unit=$HOME/.config/systemd/user/boomboard.service
start=$HOME/.config/autostart/boomboard.desktop

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
        systemctl --user stop boomboard 2>/dev/null || true # no desktop of this user, nothing runs
        rm -f "$unit" "$start"
        sudo rm -f "$rules" || stop "$rules could not be removed (see above)."
        say "Removed. .venv and your games are still here."
        exit
        ;;
    *) stop "\"$1\" is unknown; say nothing or \"remove\"." ;;
esac
case $root in
    *[[:space:]\|\&%\\\"\'\$]*) stop "the folder $root has a space or one of | & % \\ \" ' \$ in its name; move it." ;;
esac

# ---------------------------------------------------------------- packages

tools/setup.sh pi

has_lgpio() { .venv/bin/python -c 'import importlib.util, sys; sys.exit(not importlib.util.find_spec("lgpio"))'; }

# lgpio has no wheels for Python 3.13; there the system's own package does the work.
if ! has_lgpio; then
    say "Installing what the panel's pins need ..."
    sudo apt-get -qq install --no-install-recommends -y python3-lgpio >/dev/null 2>&1 || true
    sed -i 's/^include-system-site-packages = .*/include-system-site-packages = true/' .venv/pyvenv.cfg
    has_lgpio || say "lgpio is not available here: the panel stays dark, all else works."
fi

# ---------------------------------------------------------------- rights

for group in dialout gpio; do
    getent group "$group" >/dev/null || continue
    sudo usermod --append --groups "$group" "$(id -un)" || stop "you could not be put into the group $group (see above)."
done
sudo install -m 644 hardware/pi/99-boomboard.rules "$rules" || stop "$rules could not be written (see above)."

# ---------------------------------------------------------------- start with the desktop

mkdir -p "${unit%/*}" "${start%/*}"
sed "s|@FOLDER@|$root|" hardware/pi/boomboard.service >"$unit"
install -m 644 hardware/pi/boomboard.desktop "$start"
systemctl --user daemon-reload 2>/dev/null || true # without a desktop of this user, nothing has read the old one
say "Ready. Restart the Pi: the companion then starts with the desktop."
