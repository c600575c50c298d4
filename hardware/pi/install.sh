#!/usr/bin/env bash
# Makes a Raspberry Pi with Raspberry Pi OS Lite, or Debian, the referee at a board: an appliance.
#
#   sudo hardware/pi/install.sh             the companion from this clone, started with the computer
#   sudo hardware/pi/install.sh readonly    that, and a root file system that is never written to;
#                                           needs a partition labelled "boomboard" for the games
#   sudo hardware/pi/install.sh writable    the root can be written to again: for work on the system
#   sudo hardware/pi/install.sh networked   the companion may use networks at home, for phones and a hall
#   sudo hardware/pi/install.sh offline     it may use no network any more, as at first
#   sudo hardware/pi/install.sh remove      takes all of it away, but for releases and games
#
# Run it as often as you like. With DESTDIR=/some/folder the files go below that folder, nothing of
# this computer is changed, and no release is made.
set -euo pipefail
export LC_ALL=C.UTF-8
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
root=${DESTDIR:-}
boot=/boot/firmware
[ -e "$root$boot/config.txt" ] || boot=/boot

say() { printf '%s\n' "$*"; }
stop() {
    printf 'Installation stopped: %s\n' "$*" >&2
    exit 1
}

# What goes where, with which rights.
files=(
    "boomboard.service        /etc/systemd/system/boomboard.service                644"
    "boomboard-failed.service /etc/systemd/system/boomboard-failed.service         644"
    "boomboard-trial.service  /etc/systemd/system/boomboard-trial.service          644"
    "trial.sh                 /usr/local/lib/boomboard/trial.sh                    755"
    "boomboard-sysusers.conf  /etc/sysusers.d/boomboard.conf                       644"
    "boomboard-tmpfiles.conf  /etc/tmpfiles.d/boomboard.conf                       644"
    "boomboard-modules.conf   /etc/modules-load.d/boomboard.conf                   644"
    "boomboard-journald.conf  /etc/systemd/journald.conf.d/boomboard.conf          644"
    "99-boomboard.rules       /etc/udev/rules.d/99-boomboard.rules                 644"
    "98-boomboard-sticks.rules /etc/udev/rules.d/98-boomboard-sticks.rules         644"
    "50-boomboard.rules       /etc/polkit-1/rules.d/50-boomboard.rules             644"
)
network=/etc/systemd/system/boomboard.service.d/network.conf
mount=/etc/systemd/system/opt-boomboard.mount
command=/usr/local/bin/boomboard
units=(boomboard.service boomboard-trial.service)
# What the picture needs without a desktop, and what updates and switching off need.
packages=(git ca-certificates polkitd libgbm1 libgles2 libgl1-mesa-dri alsa-utils)

# Runs what asks systemd for something; below DESTDIR, or in a chroot, there is nobody to ask.
is_live() { [ -z "$root" ] && [ -d /run/systemd/system ]; }
when_live() { ! is_live || "$@"; }

# A line of the firmware's settings or a word of the kernel's command line, once; on other computers
# than a Pi there is neither. Debian writes both anew with every kernel, and puts in what two files of
# its own hold.
boot_file() {
    [ -e "$root$boot/$1" ] || return 1
    when_live mount -o remount,rw "$boot" 2>/dev/null || true # it may be no file system of its own
}
debian=$root/etc/default/raspi-firmware
words=$root/etc/default/raspi-extra-cmdline
[ -e "$debian" ] || debian=
add_setting() {
    boot_file config.txt || return 0
    local file
    for file in "$root$boot/config.txt" ${debian:+"$debian-custom"}; do
        grep -qxF "$1" "$file" 2>/dev/null || printf '\n[all]\n%s\n' "$1" >>"$file"
    done
}
add_word() {
    boot_file cmdline.txt || return 0
    local file
    for file in "$root$boot/cmdline.txt" ${debian:+"$words"}; do
        [ -s "$file" ] || echo >"$file"
        grep -qwF -- "$1" "$file" || sed -i "1s|\$| $1|" "$file"
    done
}
drop_word() {
    boot_file cmdline.txt || return 0
    local file
    for file in "$root$boot/cmdline.txt" ${debian:+"$words"}; do
        [ ! -e "$file" ] || sed -i "s| $1\\b||" "$file"
    done
}
overlay=overlayroot=tmpfs:recurse=0
is_overlaid() { [ -z "$root" ] && grep -qw overlayroot=tmpfs /proc/cmdline; }

make_writable() {
    drop_word "$overlay"
    drop_word ro
    say "From the next start on, the root file system can be written to."
}

# Lets the companion use networks, or keeps it from them again.
set_network() {
    [ -e "$root/etc/systemd/system/boomboard.service" ] ||
        stop "the companion is not installed; say \"sudo hardware/pi/install.sh\" first."
    case $1 in
        networked)
            install -D -m 644 hardware/pi/boomboard-network.conf "$root$network"
            say "The companion may use networks at home. Let phones in by Settings, Phones …"
            ;;
        offline)
            rm -f "$root$network"
            rmdir "$root${network%/*}" 2>/dev/null || true # somebody may keep something there
            say "The companion may use no network."
            ;;
    esac
    when_live systemctl daemon-reload
    when_live systemctl try-restart boomboard
}

remove() {
    local line target
    when_live systemctl stop "${units[@]}" 2>/dev/null || true # they may not run
    systemctl --quiet ${root:+--root="$root"} disable "${units[@]}" 2>/dev/null || true # nor be there
    for line in "${files[@]}"; do
        read -r _ target _ <<<"$line"
        rm -f "$root$target"
    done
    rm -f "$root$command" "$root$network"
    # Somebody may keep something there.
    rmdir "$root/usr/local/lib/boomboard" "$root${network%/*}" 2>/dev/null || true
    when_live systemctl daemon-reload
    say "Removed. The releases and your games are still in /opt/boomboard."
}

install_packages() {
    local missing=() package
    [ -z "$root" ] || return 0
    for package in "${packages[@]}"; do
        [[ $(dpkg-query -W -f '${Status}' "$package" 2>/dev/null) == *"ok installed" ]] ||
            missing+=("$package")
    done
    [ ${#missing[@]} != 0 ] || return 0
    say "Installing system packages: ${missing[*]} ..."
    apt-get -qq update >/dev/null 2>&1 || true # the installation says whether that mattered
    DEBIAN_FRONTEND=noninteractive apt-get -qq install --no-install-recommends -y "${missing[@]}" >/dev/null 2>&1 ||
        stop "${missing[*]} could not be installed; is this computer on the network? Then run this again."
}

install_files() {
    local line source target mode
    say "Installing the service, its rights, and the rules for board, sticks and switching off ..."
    for line in "${files[@]}"; do
        read -r source target mode <<<"$line"
        install -D -m "$mode" "hardware/pi/$source" "$root$target"
    done
    mkdir -p "$root${command%/*}"
    ln -sfn /opt/boomboard/current/.venv/bin/boomboard "$root$command"
    # A system below DESTDIR does so itself when it starts.
    [ -n "$root" ] || SYSTEMD_LOG_LEVEL=warning systemd-sysusers /etc/sysusers.d/boomboard.conf
    mkdir -p "$root/opt/boomboard/releases" "$root/opt/boomboard/games"
    systemctl --quiet ${root:+--root="$root"} enable "${units[@]}"
    # A desktop would have the display first.
    ln -sfn /usr/lib/systemd/system/multi-user.target "$root/etc/systemd/system/default.target"
    if is_live; then
        systemctl daemon-reload
        udevadm control --reload 2>/dev/null || true # in a container there is no udev
        systemctl restart systemd-modules-load systemd-journald
    fi
}

install_switch() {
    say "Letting a button between GPIO 3 and ground switch the Pi off, and on again ..."
    add_setting dtoverlay=gpio-shutdown,gpio_pin=3
    # Players think for longer than ten minutes without touching anything.
    add_word consoleblank=0
}

# What is on the root's folder goes to the partition the first time.
mount_partition() {
    local here
    say "Putting releases and games on the partition labelled \"boomboard\" ..."
    install -D -m 644 hardware/pi/opt-boomboard.mount "$root$mount"
    systemctl --quiet ${root:+--root="$root"} enable opt-boomboard.mount
    if ! is_live || mountpoint -q /opt/boomboard; then return; fi
    here=$(mktemp -d)
    mount LABEL=boomboard "$here"
    [ -e "$here/releases" ] || cp -a /opt/boomboard/. "$here/"
    umount "$here"
    rmdir "$here"
    systemctl daemon-reload
    systemctl stop boomboard 2>/dev/null || true # it may not run yet
    systemctl start opt-boomboard.mount
}

make_readonly() {
    # What makes the overlay before the system starts needs the tools of busybox there, and does not ask for them.
    packages+=(overlayroot busybox)
    [ -e "$root$boot/cmdline.txt" ] ||
        stop "there is no $boot/cmdline.txt; only a Raspberry Pi's root can be made read-only by this."
    # In a chroot an image is made: it gets its partitions last.
    ! is_live || blkid -L boomboard >/dev/null ||
        stop "there is no partition labelled \"boomboard\"; docs/hardware/pi.md says how to make one."
    mount_partition
}

[ -n "$root" ] || [ "$(id -u)" = 0 ] || stop "run this with sudo."
command -v systemctl >/dev/null || stop "there is no systemd here."
case ${1:-} in
    '' | readonly) ;;
    writable)
        make_writable
        exit
        ;;
    remove)
        remove
        exit
        ;;
    networked | offline) ;;
    *) stop "\"$1\" is unknown; say nothing, \"readonly\", \"writable\", \"networked\", \"offline\" or \"remove\"." ;;
esac
! is_overlaid ||
    stop "the root is read-only; run \"sudo hardware/pi/install.sh writable\", restart, and run this again."

if [[ ${1:-} == @(networked|offline) ]]; then
    set_network "$1"
    exit
fi

[ "${1:-}" != readonly ] || make_readonly
install_packages
install_files
install_switch
[ -n "$root" ] || systemd-tmpfiles --create /etc/tmpfiles.d/boomboard.conf
[ -n "$root" ] || hardware/pi/update.sh "$PWD"
if [ "${1:-}" = readonly ]; then
    [ -n "$debian" ] || add_setting auto_initramfs=1 # Debian names it
    add_word "$overlay"
    # Debian lets the root be mounted to be written to; what comes last counts.
    add_word ro
    say "From the next start on, the root file system is read-only."
fi
say "Ready. Restart the computer: the companion then fills its screen."
