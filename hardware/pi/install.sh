#!/usr/bin/env bash
# Turns a Raspberry Pi with Raspberry Pi OS Lite or Debian into a dedicated referee computer.
#
#   sudo hardware/pi/install.sh             install the companion from this clone; it starts with the computer
#   sudo hardware/pi/install.sh readonly    install it with a read-only root file system;
#                                           needs a partition labelled "boomboard" for the games
#   sudo hardware/pi/install.sh writable    make the root file system writable again, for maintenance
#   sudo hardware/pi/install.sh networked   give the companion access to home networks, for phones and a hall
#   sudo hardware/pi/install.sh offline     block all networks for the companion again (default)
#   sudo hardware/pi/install.sh remove      remove it; keeps releases and games, their partition, installed packages,
#                                           the user "boomboard", and the start without a desktop
#
# The script can be run repeatedly. With DESTDIR=/some/folder, files are installed below that folder; this
# computer is not changed, and no release is built.
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

# Files to install: source, destination and mode.
files=(
    "boomboard.service        /etc/systemd/system/boomboard.service                644"
    "boomboard-failed.service /etc/systemd/system/boomboard-failed.service         644"
    "boomboard-trial.service  /etc/systemd/system/boomboard-trial.service          644"
    "trial.sh                 /usr/local/lib/boomboard/trial.sh                    755"
    "boomboard-sysusers.conf  /etc/sysusers.d/boomboard.conf                       644"
    "boomboard-tmpfiles.conf  /etc/tmpfiles.d/boomboard.conf                       644"
    "boomboard-modules.conf   /etc/modules-load.d/boomboard.conf                   644"
    "boomboard-journald.conf  /etc/systemd/journald.conf.d/boomboard.conf          644"
    "boomboard-remount.conf   /etc/systemd/system/systemd-remount-fs.service.d/boomboard.conf 644"
    "99-boomboard.rules       /etc/udev/rules.d/99-boomboard.rules                 644"
    "98-boomboard-sticks.rules /etc/udev/rules.d/98-boomboard-sticks.rules         644"
    "50-boomboard.rules       /etc/polkit-1/rules.d/50-boomboard.rules             644"
)
network=/etc/systemd/system/boomboard.service.d/network.conf
mount=/etc/systemd/system/opt-boomboard.mount
command=/usr/local/bin/boomboard
units=(boomboard.service boomboard-trial.service)
# Packages needed for graphics without a desktop, for updates and for shutting down.
packages=(git ca-certificates polkitd libgbm1 libgles2 libgl1-mesa-dri alsa-utils)

# Runs a command that needs a running systemd; skipped below DESTDIR or in a chroot.
is_live() { [ -z "$root" ] && [ -d /run/systemd/system ]; }
when_live() { ! is_live || "$@"; }

# A deliberate restart must not count as a crash.
restart() {
    when_live systemctl reset-failed boomboard 2>/dev/null || true # it may not be loaded
    when_live systemctl try-restart boomboard
}

# Adds a line to the firmware settings or a word to the kernel command line, unless it is already there. Only
# a Pi has these files. Debian regenerates both with every kernel, including the contents of two other files.
boot_file() {
    [ -e "$root$boot/$1" ] || return 1
    when_live mount -o remount,rw "$boot" 2>/dev/null || true # it may not be a separate file system
}
debian=$root/etc/default/raspi-firmware
words=$root/etc/default/raspi-extra-cmdline
[ -e "$debian" ] || debian=
# On a read-only root, changes to Debian's files last until the restart only. The real files are below the overlay.
below=$root/media/root-ro
words_below=$below/etc/default/raspi-extra-cmdline
add_setting() {
    boot_file config.txt || return 0
    local file
    for file in "$root$boot/config.txt" ${debian:+"$debian-custom"}; do
        grep -qxF "$1" "$file" 2>/dev/null || printf '\n[all]\n%s\n' "$1" >>"$file"
    done
}
drop_setting() {
    boot_file config.txt || return 0
    local file
    for file in "$root$boot/config.txt" ${debian:+"$debian-custom"}; do
        [ ! -e "$file" ] || sed -i "/^$1\$/d" "$file"
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
    for file in "$root$boot/cmdline.txt" ${debian:+"$words" "$words_below"}; do
        [ ! -e "$file" ] || sed -i "s| $1\\b||" "$file"
    done
}
overlay=overlayroot=tmpfs:recurse=0
switch=dtoverlay=gpio-shutdown,gpio_pin=3
is_overlaid() { grep -qw overlayroot=tmpfs "$root/proc/cmdline" 2>/dev/null; }

make_writable() {
    local remounts=
    if is_overlaid && [ -e "$words_below" ]; then remounts=yes; fi
    [ -z "$remounts" ] || when_live mount -o remount,rw "$below"
    drop_word "$overlay"
    drop_word ro
    [ -z "$remounts" ] || when_live mount -o remount,ro "$below" || true # it may be in use until the restart
    say "From the next start on, the root file system is writable."
}

# Allows or blocks network access for the companion.
set_network() {
    [ -e "$root/etc/systemd/system/boomboard.service" ] ||
        stop "the companion is not installed; run \"sudo hardware/pi/install.sh\" first."
    case $1 in
        networked)
            install -D -m 644 hardware/pi/boomboard-network.conf "$root$network"
            say "The companion may use networks at home. Let phones in under Settings, Phones …"
            ;;
        offline)
            rm -f "$root$network"
            rmdir "$root${network%/*}" 2>/dev/null || true # the folder may contain other files
            say "The companion may use no network."
            ;;
    esac
    when_live systemctl daemon-reload
    restart
}

remove() {
    local line target
    when_live systemctl stop "${units[@]}" 2>/dev/null || true # they may not be running
    systemctl --quiet ${root:+--root="$root"} disable "${units[@]}" 2>/dev/null || true # they may not be installed
    for line in "${files[@]}"; do
        read -r _ target _ <<<"$line"
        rm -f "$root$target"
    done
    rm -f "$root$command" "$root$network"
    # The folder may contain other files.
    rmdir "$root/usr/local/lib/boomboard" "$root${network%/*}" \
        "$root/etc/systemd/system/systemd-remount-fs.service.d" 2>/dev/null || true
    # After "readonly", until the restart.
    ! grep -qwF -- "$overlay" "$root$boot/cmdline.txt" 2>/dev/null || make_writable
    drop_word consoleblank=0
    drop_setting "$switch"
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
    apt-get -qq update >/dev/null 2>&1 || true # only matters if the installation fails
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
    # A system installed below DESTDIR does this itself at boot.
    [ -n "$root" ] || SYSTEMD_LOG_LEVEL=warning systemd-sysusers /etc/sysusers.d/boomboard.conf
    mkdir -p "$root/opt/boomboard/releases" "$root/opt/boomboard/games"
    systemctl --quiet ${root:+--root="$root"} enable "${units[@]}"
    # A desktop would claim the display first.
    ln -sfn /usr/lib/systemd/system/multi-user.target "$root/etc/systemd/system/default.target"
    if is_live; then
        systemctl daemon-reload
        udevadm control --reload 2>/dev/null || true # containers have no udev
        systemctl restart systemd-modules-load systemd-journald
    fi
}

install_switch() {
    say "Letting a button between GPIO 3 and ground switch the Pi off, and on again ..."
    add_setting "$switch"
    # Keep the screen on: players may think for more than ten minutes without touching anything.
    add_word consoleblank=0
}

# Copies the contents of the folder to the partition the first time. "releases" appears last, when the copy is
# complete. Until then, "releases.new" marks an interrupted copy. The old copy of the games is then removed: an old
# write-ahead log would damage the new copy of its database.
copy_to_partition() {
    here=$(mktemp -d)
    trap 'umount "$here" 2>/dev/null || true; rmdir "$here"' EXIT
    mount LABEL=boomboard "$here"
    if [ ! -e "$here/releases" ]; then
        systemctl stop boomboard 2>/dev/null || true # it may not be running yet
        [ ! -e "$here/releases.new" ] || rm -rf "$here/games" "$here/releases.new"
        mkdir -p "$root/opt/boomboard/releases" "$here/releases.new"
        tar -c -C "$root/opt/boomboard" --exclude=./releases . | tar -x -p -C "$here"
        cp -a -T "$root/opt/boomboard/releases" "$here/releases.new"
        sync -f "$here"
        mv -T "$here/releases.new" "$here/releases"
    fi
    umount "$here"
    rmdir "$here"
    trap - EXIT
}

# The mount unit is installed after the copy: otherwise, an incomplete copy would be mounted after a power cut.
mount_partition() {
    local copied=
    say "Putting releases and games on the partition labelled \"boomboard\" ..."
    if is_live && ! mountpoint -q "$root/opt/boomboard"; then
        copy_to_partition
        copied=yes
    fi
    install -D -m 644 hardware/pi/opt-boomboard.mount "$root$mount"
    systemctl --quiet ${root:+--root="$root"} enable opt-boomboard.mount
    [ -n "$copied" ] || return 0
    systemctl daemon-reload
    systemctl stop boomboard 2>/dev/null || true # it may not be running yet
    systemctl start opt-boomboard.mount
}

make_readonly() {
    # The overlayroot initramfs script needs busybox, but does not depend on it.
    packages+=(overlayroot busybox)
    [ -e "$root$boot/cmdline.txt" ] ||
        stop "there is no $boot/cmdline.txt; only a Raspberry Pi's root can be made read-only by this."
    # In a chroot, an image is being built, whose partitions are created last.
    ! is_live || blkid -L boomboard >/dev/null ||
        stop "there is no partition labelled \"boomboard\"; docs/hardware/pi.md says how to make one."
    mount_partition
}

# Tests source this file for its functions.
[ "${BASH_SOURCE[0]}" = "$0" ] || return 0

[ -n "$root" ] || [ "$(id -u)" = 0 ] || stop "run this with sudo."
command -v systemctl >/dev/null || stop "there is no systemd here."
case ${1:-} in
    '' | readonly) ;;
    writable)
        make_writable
        exit
        ;;
    networked | offline | remove) ;;
    *) stop "\"$1\" is unknown; say nothing, \"readonly\", \"writable\", \"networked\", \"offline\" or \"remove\"." ;;
esac
! is_overlaid ||
    stop "the root is read-only; run \"sudo hardware/pi/install.sh writable\", restart, and run this again."

if [ "${1:-}" = remove ]; then
    remove
    exit
fi
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
    [ -n "$debian" ] || add_setting auto_initramfs=1 # Debian sets this itself
    add_word "$overlay"
    # Debian's command line mounts the root writable, but the last option wins.
    add_word ro
    say "From the next start on, the root file system is read-only."
fi
say "Ready. Restart the computer: the companion then fills its screen."
