#!/usr/bin/env bash
# Installs a new release of Boomboard and keeps the old release until the new one works.
#
#   sudo hardware/pi/update.sh            from the same source as the current release
#   sudo hardware/pi/update.sh SOURCE     from a git repository, given as a URL or the folder of a clone
#
# Each release is a folder, and a symbolic link points to the current one. Only complete releases are linked, and
# trial.sh returns to the previous release if the new one does not work.
set -euo pipefail
export LC_ALL=C.UTF-8
opt=${DESTDIR:-}/opt/boomboard
releases=$opt/releases
incoming=$releases/.incoming

say() { printf '%s\n' "$*"; }
stop() {
    printf 'Update stopped: %s The release in use is unchanged.\n' "$*" >&2
    exit 1
}

name_of() { basename "$(readlink "$opt/$1" 2>/dev/null || true)"; }

# Replaces the link atomically: after a power cut, it points to either the old or the new release.
point() {
    ln -sfn "releases/$2" "$opt/.$1"
    mv -T "$opt/.$1" "$opt/$1"
}

fetch() {
    local from=$1 commit
    rm -rf "$incoming"
    mkdir -p "$incoming"
    # The clone may not belong to root.
    if [ -d "$from" ]; then
        commit=$(git -c safe.directory='*' -C "$from" rev-parse --short=10 HEAD) || return 1
        git -c safe.directory='*' -C "$from" archive HEAD | tar -x -C "$incoming" || return 1
    else
        GIT_TERMINAL_PROMPT=0 git clone --quiet --depth 1 "$from" "$incoming" 2>/dev/null || return 1
        commit=$(git -C "$incoming" rev-parse --short=10 HEAD) || return 1
    fi
    printf '%s-%s' "$(sed -n 's/^ *"boomboard-engine.*==\(.*\)",$/\1/p' "$incoming/pyproject.toml")" "$commit"
}

build() {
    (cd "$1" && tools/setup.sh pi) || return 1
    # The service user cannot write bytecode next to the code, and would recompile the code at each start.
    "$1/.venv/bin/python" -m compileall -q "$1"/{engine,firmware_bridge,companion} || return 1
    "$1/.venv/bin/boomboard" --version >/dev/null
}

[ -n "${DESTDIR:-}" ] || [ "$(id -u)" = 0 ] || stop "run this with sudo."
[ -d "$releases" ] || stop "there is no $releases; run hardware/pi/install.sh first."
exec 9<"$releases"
flock --nonblock 9 || stop "another update is running."
[ ! -e "$opt/trial" ] || stop "the latest update is still on trial; wait two minutes."
source=${1:-$(cat "$opt/source" 2>/dev/null || true)}
[ -n "$source" ] || stop "specify the source of the release."
# The path is stored for later updates, which may run in another folder.
[ ! -d "$source" ] || source=$(realpath "$source")
current=$(name_of current)
previous=$(name_of previous)

say "Fetching the release from $source ..."
new=$(fetch "$source") || {
    rm -rf "$incoming"
    stop "it could not be fetched from $source; is this computer on the network?"
}
if [ "$new" = "$current" ]; then
    rm -rf "$incoming"
    say "The release $new is in use already."
    exit
fi
# Remove releases that an interrupted update left behind: those that are neither current nor previous.
for folder in "$releases"/*; do
    case ${folder##*/} in
        "$current" | "$previous" | '*') ;;
        *) rm -rf "$folder" ;;
    esac
done
if [ "$new" = "$previous" ]; then
    rm -rf "$incoming"
else
    mv -T "$incoming" "$releases/$new"
    say "Building the release $new ..."
    build "$releases/$new" || {
        rm -rf "${releases:?}/$new"
        stop "the release $new could not be built, see above."
    }
fi
git -c safe.directory='*' -C "$source" remote get-url origin >"$opt/source" 2>/dev/null ||
    printf '%s\n' "$source" >"$opt/source"
sync -f "$releases"
if [ -n "$current" ]; then
    point previous "$current"
    printf '%s\n' "$new" >"$opt/trial"
fi
point current "$new"
sync -f "$releases"
say "The release $new is in use now."
[ -z "${DESTDIR:-}" ] && [ -d /run/systemd/system ] || exit 0
if ! cmp -s "$releases/$new/hardware/pi/boomboard.service" /etc/systemd/system/boomboard.service; then
    say "Its service differs from the one installed: run $opt/current/hardware/pi/install.sh too."
fi
if [ -n "$current" ]; then
    systemctl reset-failed boomboard 2>/dev/null || true # a deliberate restart must not count as a crash
    systemctl --no-block restart boomboard
    systemctl --no-block restart boomboard-trial
    say "If it does not work within two minutes, the system returns to the release $current."
fi
