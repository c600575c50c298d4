#!/usr/bin/env bash
# Builds the SD card image for a dedicated referee Pi: Debian for 64-bit ARM, on which install.sh has installed
# the committed state of this clone. Only /proc is mounted, and the network is not used from inside.
#
#   sudo hardware/pi/image.sh [FOLDER]     creates FOLDER/boomboard.img (default: build/image)
#
# Running it again resumes: downloads and installed packages are kept, as is an image of the same commit.
# Remove FOLDER to get the latest Debian packages.
#
# With KEY=/home/you/.ssh/id_ed25519.pub, the owner of that key can log in as root over the network; without
# KEY, remote login is disabled.
set -euo pipefail
export LC_ALL=C.UTF-8
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
folder=$(realpath -m "${1:-build/image}")
system=$folder/system
wheels=$folder/wheels
suite=trixie
# Packages needed to boot a Pi, by install.sh and setup.sh, and for the wired network.
packages=linux-image-arm64,raspi-firmware,initramfs-tools,zstd,busybox,overlayroot,systemd-sysv,udev,dbus,kmod,e2fsprogs
packages+=,polkitd,python3,python3-venv,git,make,ca-certificates,avrdude,espeak-ng,alsa-utils
packages+=,python3-dev,gcc,libc6-dev,swig # to build the GPIO library
packages+=,libgl1,libegl1,libgbm1,libgles2,libgl1-mesa-dri,libmtdev1,systemd-resolved,systemd-timesyncd,iproute2
[ -z "${KEY:-}" ] || packages+=,openssh-server

say() { printf '%5ds  %s\n' "$SECONDS" "$*"; }
stop() {
    printf 'No image was made: %s\n' "$*" >&2
    exit 1
}

[ "$(id -u)" = 0 ] || stop "run this with sudo."
for tool in mmdebstrap arch-test mcopy; do
    command -v "$tool" >/dev/null || stop "$tool is missing; tools/setup.sh image installs it."
done
[ -z "${KEY:-}" ] || [ -s "$KEY" ] || stop "$KEY is missing or empty."
# When pip downloads for another version of Python, it still evaluates markers for its own.
! grep -qE 'python_(full_)?version' requirements/pi.txt ||
    stop "some package of requirements/pi.txt depends on the version of Python."
# Without this entry, the kernel cannot run ARM programs.
mountpoint -q /proc/sys/fs/binfmt_misc || mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc
# Debian 12 enables them with update-binfmts, Debian 13 with a systemd tool that also works without systemd.
[ -e /proc/sys/fs/binfmt_misc/qemu-aarch64 ] || update-binfmts --enable qemu-aarch64 2>/dev/null ||
    /usr/lib/systemd/systemd-binfmt qemu-aarch64.conf || stop "programs for ARM cannot be run here."

end() {
    local place
    # An interrupted Debian installation can leave more mounts behind.
    findmnt --raw --noheadings --output TARGET | { grep -F "$folder/" || true; } | sort -r | while read -r place; do
        umount "$place"
    done
    rm -rf --one-file-system "$system" "${folder:?}/boot" "$folder/games" "$folder"/mmdebstrap.*
}
trap end EXIT
inside() {
    chroot "$system" env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
        PIP_NO_INDEX=1 PIP_FIND_LINKS=/var/tmp/wheels DEB_MAINT_PARAMS=configure "$@" \
        >>"$folder/image.log" 2>&1 </dev/null || stop "\"$*\" failed; the reason is in $folder/image.log."
}
write() { # MODE FILE; contents from standard input
    install -D -m "$1" /dev/stdin "$system$2"
}

# New folders, such as build, belong to the user if possible: other programs of the user write to them.
[ -z "${SUDO_UID:-}" ] || sudo -u "#$SUDO_UID" mkdir -p "$folder" 2>/dev/null || true
mkdir -p "$folder"
end

# Hash that identifies the sources of the image. It is stored next to the image.
base=$folder/$suite-$(sha256sum <<<"$packages" | head -c 12).tar
commit=$(git -c safe.directory='*' rev-parse HEAD)
recipe() { cat hardware/pi/image.sh hardware/pi/partitions.sh "${KEY:-/dev/null}" - <<<"$1" | sha256sum; }
if [ -e "$folder/boomboard.img" ] && [ "$(recipe "$commit")" = "$(cat "$folder/boomboard.made" 2>/dev/null)" ]; then
    say "The image exists already, built from $(git -c safe.directory='*' describe --always): $folder/boomboard.img"
    exit
fi
rm -f "$folder/boomboard.made"
: >"$folder/image.log"

# Disk space for the build and for a copy that is booted.
needed=8
[ ! -e "$base" ] || needed=6
room=$(df --output=avail --block-size=1G "$folder" | tail -n 1)
((room >= needed)) || stop "$needed GB are needed in $folder, and ${room// /} GB are free."

# ---------------------------------------------------------------- the system

# This takes most of the time, so the result is kept until the package list changes.
if [ ! -e "$base" ]; then
    say "Installing a Debian ($suite) for 64-bit ARM ..."
    rm -f "$folder/$suite"-*.tar
    # Building the initrd takes minutes, so it is built once, at the end.
    INITRD=No TMPDIR=$folder mmdebstrap --quiet --architectures=arm64 --variant=minbase --components=main,non-free-firmware \
        --include="$packages" \
        "$suite" "$folder/new.tar" >>"$folder/image.log" 2>&1 ||
        stop "Debian could not be installed; the reason is in $folder/image.log."
    mv "$folder/new.tar" "$base"
fi
mkdir "$system"
tar -xf "$base" -C "$system"
mount -t proc proc "$system/proc"

say "Fetching the pinned Python packages for 64-bit ARM ..."
tags=()
for glibc in 17 24 26 27 28 31 34 38 39 40 41; do # all versions up to that of Debian 13
    tags+=(--platform "manylinux_2_${glibc}_aarch64")
done
# lgpio has no wheel for this version, so setup.sh builds it from source.
.venv/bin/python -m pip --disable-pip-version-check download --quiet --require-hashes --no-deps --only-binary :all: \
    --no-binary lgpio --no-build-isolation --implementation cp --python-version 3.13 --abi cp313 --abi abi3 --abi none \
    --platform manylinux2014_aarch64 "${tags[@]}" --dest "$wheels" -r requirements/pi.txt \
    -r requirements/build.txt >>"$folder/image.log" 2>&1 || stop "the packages could not be fetched; the reason is in $folder/image.log."
cp -r "$wheels" "$system/var/tmp/wheels"

# The clone may not belong to root. The program that reads it needs the option too.
git -c safe.directory='*' clone --quiet --depth 1 --upload-pack "git -c safe.directory='*' upload-pack" \
    "file://$PWD" "$system/root/boomboard" 2>>"$folder/image.log" ||
    stop "this clone could not be copied; the reason is in $folder/image.log."
origin=$(git -c safe.directory='*' remote get-url origin 2>/dev/null) || origin=
[ -z "$origin" ] || git -C "$system/root/boomboard" remote set-url origin "$origin"
commit=$(git -C "$system/root/boomboard" rev-parse HEAD) # the clone may change during the build
write 644 /etc/fstab <<'END'
LABEL=boomboard-root / ext4 noatime 0 1
# Mounted only for maintenance, so that a power cut cannot damage it.
LABEL=FIRMWARE /boot/firmware vfat noatime,noauto,x-systemd.automount 0 2
END
printf 'ROOTPART="LABEL=boomboard-root"\n' >>"$system/etc/default/raspi-firmware"

say "Making the initrd ..."
# Debian's own initrd contains a thousand drivers. These are enough for a root file system on a card or an
# emulated disk; the other drivers that a Pi needs to read its card are built into Debian's kernel.
write 644 /etc/initramfs-tools/conf.d/card <<<MODULES=list
write 755 /etc/initramfs-tools/hooks/card <<'END'
#!/bin/sh
[ "$1" != prereqs ] || exit 0
. /usr/share/initramfs-tools/hook-functions
copy_modules_dir kernel/drivers/mmc
copy_modules_dir kernel/drivers/regulator
copy_modules_dir kernel/drivers/reset
manual_add_modules ext4 virtio_blk virtio_pci
END
inside update-initramfs -c -k all

say "Installing the companion, $(git -c safe.directory='*' describe --always --dirty=" without uncommitted changes") ..."
inside /root/boomboard/hardware/pi/install.sh readonly
inside /etc/kernel/postinst.d/z50-raspi-firmware # regenerates the Pi's boot files
[ -n "$origin" ] || rm "$system/opt/boomboard/source"

# ---------------------------------------------------------------- settings for this card

write 644 /etc/hostname <<<boomboard
write 644 /etc/hosts <<<"127.0.0.1 localhost boomboard"
write 644 /etc/systemd/network/cable.network <<'END'
[Match]
Name=e*
[Network]
DHCP=yes
END
# Do not use or answer mDNS or LLMNR.
write 644 /etc/systemd/resolved.conf.d/quiet.conf <<'END'
[Resolve]
LLMNR=no
MulticastDNS=no
END
inside systemctl enable systemd-networkd systemd-resolved systemd-timesyncd
ln -sfn /run/systemd/resolve/stub-resolv.conf "$system/etc/resolv.conf"
# Do not wait for the network at boot: the cable may not be connected.
inside systemctl disable systemd-networkd-wait-online
[ -z "${KEY:-}" ] || write 600 /root/.ssh/authorized_keys <"$KEY"
# Each boot generates a new machine ID, because a read-only root cannot store it.
: >"$system/etc/machine-id"
rm -rf "$system"/root/boomboard "$system"/var/tmp/wheels "$system"/var/lib/apt/lists/* "$system"/var/cache/apt/*

say "Making the partitions ..."
umount "$system/proc"
mv "$system/boot/firmware" "$folder/boot"
mv "$system/opt/boomboard" "$folder/games"
mkdir "$system/boot/firmware" "$system/opt/boomboard"
hardware/pi/partitions.sh "$folder/boot" "$system" "$folder/games" "$folder/boomboard.img"
recipe "$commit" >"$folder/boomboard.made"
[ -z "${SUDO_UID:-}" ] || chown "$SUDO_UID" "$folder" "$folder"/boomboard.img "$folder"/image.log "$wheels" "$wheels"/*
say "Ready: $folder/boomboard.img"
