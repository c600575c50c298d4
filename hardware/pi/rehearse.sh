#!/usr/bin/env bash
# Tests the setup of a dedicated Pi on this computer, in a container with its own Debian and systemd. The Pi's
# display, touch input, board and read-only root file system are not covered.
#
#   sudo hardware/pi/rehearse.sh [FOLDER]     the system is created in FOLDER (default: build/rehearsal)
#
# The container runs Debian 13, or Debian 12 if SUITE=bookworm is set. The test takes about ten minutes, and exits
# with status 1 at the first step that fails.
set -euo pipefail
export LC_ALL=C.UTF-8
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
folder=$(realpath -m "${1:-build/rehearsal}")
system=$folder/root
suite=${SUITE:-trixie}
# The relevant packages from Raspberry Pi OS Lite.
packages=systemd-sysv,udev,dbus,polkitd,python3,python3-venv,git,make,ca-certificates,libgl1,libegl1,libgbm1,libgles2,libgl1-mesa-dri,libmtdev1,alsa-utils,espeak-ng,avrdude,iproute2

say() { printf '%5ds  %s\n' "$SECONDS" "$*"; }
stop() {
    printf 'Rehearsal stopped: %s\n' "$*" >&2
    [ -z "$leader" ] || inside journalctl --no-pager >"$folder/journal.log" 2>/dev/null || true
    exit 1
}

container=
leader=
[ "$(id -u)" = 0 ] || stop "run this with sudo."
for tool in mmdebstrap systemd-nspawn nsenter curl; do
    command -v "$tool" >/dev/null || stop "$tool is missing; install mmdebstrap, systemd-container, util-linux and curl."
done

# ---------------------------------------------------------------- the container

end() {
    [ -z "$container" ] || kill "$container" 2>/dev/null || true # it may have exited
    rm -rf "$system"
}
trap end EXIT

inside() { nsenter --target "$leader" --all env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root "$@"; }

# Waits until a condition is met, up to a time limit in seconds.
wait_for() {
    local limit=$(($1 + SECONDS)) what=$2
    shift 2
    until "$@"; do
        ((SECONDS < limit)) || stop "timeout: $what."
        sleep 0.5
    done
}

is_booted() {
    leader=$(pgrep --parent "$container" | head -n 1)
    [ -n "$leader" ] && [[ $(inside systemctl is-system-running 2>/dev/null) =~ running|degraded ]]
}
# A deliberate restart must not count as a crash.
restart() {
    inside systemctl reset-failed boomboard
    inside systemctl restart boomboard
}
property() { inside systemctl show boomboard --property="$1" --value; }
is() { [ "$(property ActiveState)" = "$1" ]; }
is_another_than() {
    local now
    now=$(property MainPID)
    [ "$now" != 0 ] && [ "$now" != "$1" ] && is active
}
link() { basename "$(readlink "$system/opt/boomboard/$1")"; }
has_ended() { ! kill -0 "$container" 2>/dev/null; }
# The container shares this computer's network.
port=8017
is_served() { curl --silent --fail --max-time 2 --output /dev/null "http://localhost:$port/"; }
is_decided() { [ ! -e "$system/opt/boomboard/trial" ]; }

rm -rf "$system"
mkdir -p "$system"
if [ ! -e "$folder/$suite.tar" ]; then
    say "Fetching a Debian ($suite) ..."
    mmdebstrap --quiet --variant=minbase --include="$packages" "$suite" "$folder/$suite.tar"
fi
tar -xf "$folder/$suite.tar" -C "$system"
[ ! -e /etc/pip.conf ] || cp /etc/pip.conf "$system/etc/"
cp --remove-destination /etc/ssl/certs/ca-certificates.crt "$system/etc/ssl/certs/"
# The container has no display, so SDL uses an off-screen driver. It also has no first terminal.
mkdir -p "$system/etc/systemd/system/boomboard.service.d"
printf '[Service]\nEnvironment=SDL_VIDEODRIVER=offscreen SDL_AUDIODRIVER=dummy\n' >"$system/etc/systemd/system/boomboard.service.d/unseen.conf"
mkdir -p "$system/etc/systemd/system/boomboard-failed.service.d"
printf '[Service]\nStandardOutput=journal\n' >"$system/etc/systemd/system/boomboard-failed.service.d/unseen.conf"
# The current clone, including uncommitted changes.
mkdir "$system/root/clone"
git ls-files --cached --others --exclude-standard -z | tar --null --files-from=- -c | tar -x -C "$system/root/clone"
commit() { git -C "$system/root/clone" -c user.name=maker -c user.email=maker@board "$@"; }
commit init --quiet
commit add --all
commit commit --quiet --message one

how=(--register=no)
[ -d /run/systemd/system ] || how+=(--keep-unit)
SYSTEMD_NSPAWN_UNIFIED_HIERARCHY=1 systemd-nspawn --quiet --directory="$system" "${how[@]}" --boot </dev/null >"$folder/boot.log" 2>&1 &
container=$!
wait_for 60 "the start of the container" is_booted
say "The container has started."

# ---------------------------------------------------------------- the rehearsal

inside /root/clone/hardware/pi/install.sh >"$folder/install.log" 2>&1 || stop "the installation failed: $folder/install.log"
say "Installed."
picture() { (cd "$system" && find etc usr/local -type f -newer etc/hostname ! -name '*-' ! -name '.pwd.lock' -exec sha256sum {} +) | sort; }
before=$(picture)
inside /root/clone/hardware/pi/install.sh >>"$folder/install.log" 2>&1
[ "$before" = "$(picture)" ] || stop "a second installation changed something."
say "Installed again: nothing has changed."

inside systemctl start boomboard
process=$(property MainPID)
[ "$(stat -c %U "$system/opt/boomboard/games/games.sqlite")" != root ] || stop "the companion runs as root."
say "The companion runs as an unprivileged user."

# Phones are admitted from the start, because there is no screen on which to admit them later.
options=$system/opt/boomboard/options
printf 'OPTIONS=--pads %s --wifi "Our club"\nBOOMBOARD_WIFI_PASSWORD="its password"\n' "$port" >"$options"
inside systemctl restart boomboard 2>/dev/null || true # may fail without a network
! is_served || stop "the companion uses the network without permission."
inside /root/clone/hardware/pi/install.sh networked >>"$folder/install.log" 2>&1
restart
wait_for 60 "the page for phones" is_served
rm "$options"
inside /root/clone/hardware/pi/install.sh offline >>"$folder/install.log" 2>&1
restart
wait_for 60 "the companion without phones" is active
! is_served || stop "phones are still let in."
process=$(property MainPID)
say "Phones are let in only while networks are allowed."

for time in first second third fourth fifth; do
    process=$(property MainPID)
    frozen=$SECONDS
    inside systemctl kill --kill-who=main --signal=STOP boomboard
    wait_for 30 "a new start of a companion that was frozen for the $time time" is_another_than "$process"
    say "Frozen for the $time time, it was running again after $((SECONDS - frozen)) seconds."
done

old=$(link current)
! inside unshare --net /root/clone/hardware/pi/update.sh https://boomboard.invalid/boomboard.git >>"$folder/install.log" 2>&1 ||
    stop "an update without a network succeeded."
if [ "$(link current)" != "$old" ] || ! is active; then stop "an update without a network changed something."; fi
say "An update without a network kept the old release."

sed -i 's/^    def _tick(self, _seconds: float) -> None:$/&\n        return/' "$system/root/clone/companion/ui/program.py"
commit commit --quiet --all --message "never gets ahead"
inside /root/clone/hardware/pi/update.sh /root/clone >>"$folder/install.log" 2>&1
[ "$(link current)" != "$old" ] || stop "the update was not installed."
tried=$SECONDS
wait_for 150 "the end of the trial" is_decided
[ "$(link current)" = "$old" ] || stop "a release that hangs was kept."
wait_for 60 "the start of the old release" is active
say "A release that hangs: the old one was back after $((SECONDS - tried)) seconds."

commit revert --no-edit HEAD >/dev/null
inside /root/clone/hardware/pi/update.sh /root/clone >>"$folder/install.log" 2>&1
wait_for 150 "the end of the trial" is_decided
[ "$(link current)" != "$old" ] || stop "a working release was not kept."
say "A working release was kept."

inside systemctl reset-failed boomboard
until is failed; do
    inside systemctl kill --signal=KILL boomboard 2>/dev/null || true # it may have just exited
    sleep 1
    ((SECONDS < 3000)) || stop "the companion is restarted endlessly."
done
sleep 2
[[ $(inside journalctl --unit=boomboard-failed --output=cat) == *"The games are kept."* ]] || stop "the message after repeated crashes is missing."
say "After repeated crashes it stays down, with a message."

! inside runuser -u nobody -- systemctl --no-ask-password poweroff 2>/dev/null || stop "any user may switch off."
! inside runuser -u boomboard -- systemctl --no-ask-password reboot 2>/dev/null || stop "the companion may do more than switch off."
inside systemd-run --quiet --wait --property=User=boomboard --property=NoNewPrivileges=yes --property=ProtectSystem=strict \
    --property="RestrictAddressFamilies=AF_UNIX AF_NETLINK" --property=SystemCallFilter=@system-service \
    /opt/boomboard/current/.venv/bin/python -c 'from companion.devices.watchdog import switch_off; switch_off()' 2>/dev/null || true # the bus shuts down first
wait_for 60 "the end of the system" has_ended
say "Only the companion was able to switch the system off."
