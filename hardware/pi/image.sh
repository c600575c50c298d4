#!/usr/bin/env bash
# Makes the image of an SD card with which a Raspberry Pi is the referee: Debian for 64-bit ARM, installed by
# install.sh out of this clone, as it is committed. Nothing is mounted but /proc, and no network is used
# from inside.
#
#   sudo hardware/pi/image.sh [FOLDER]     makes FOLDER/boomboard.img (default: build/image)
#
# Run again it goes on where it stopped: what is fetched and installed is kept, and so is an image that
# was made of the same commit. Remove FOLDER to have Debian's latest.
#
# With KEY=/home/you/.ssh/id_ed25519.pub whoever has that key can log in as root over the network;
# without, nobody can.
set -euo pipefail
export LC_ALL=C.UTF-8
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
folder=$(realpath -m "${1:-build/image}")
system=$folder/system
wheels=$folder/wheels
suite=bookworm
# What starts a Pi, what install.sh and setup.sh ask for, and what finds a network on the cable.
packages=linux-image-arm64,raspi-firmware,initramfs-tools,zstd,busybox,overlayroot,systemd-sysv,udev,dbus,kmod,e2fsprogs
packages+=,polkitd,python3,python3-venv,git,make,ca-certificates,avrdude,espeak-ng,alsa-utils
packages+=,libgl1,libegl1,libgbm1,libgles2,libgl1-mesa-dri,libmtdev1,systemd-resolved,systemd-timesyncd,iproute2
[ -z "${KEY:-}" ] || packages+=,openssh-server

say() { printf '%5ds  %s\n' "$SECONDS" "$*"; }
stop() {
    printf 'No image was made: %s\n' "$*" >&2
    exit 1
}

[ "$(id -u)" = 0 ] || stop "run this with sudo."
for tool in mmdebstrap arch-test qemu-aarch64-static mcopy; do
    command -v "$tool" >/dev/null || stop "$tool is missing; tools/setup.sh image installs it."
done
[ -z "${KEY:-}" ] || [ -s "$KEY" ] || stop "there is no key in $KEY."
# pip goes by its own Python when it chooses packages for another.
.venv/bin/python -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' 2>/dev/null ||
    stop "the image has Python 3.11; make it where .venv has it, too, as on Debian 12."
# Without it the kernel does not know what to do with a program for ARM.
mountpoint -q /proc/sys/fs/binfmt_misc || mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc
[ -e /proc/sys/fs/binfmt_misc/qemu-aarch64 ] || update-binfmts --enable qemu-aarch64 ||
    stop "programs for ARM cannot be run here."

end() {
    local place
    # Whoever is stopped while installing Debian leaves more mounted than we do.
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
write() { # RIGHTS FILE, and what is in it from the input
    install -D -m "$1" /dev/stdin "$system$2"
}

mkdir -p "$folder"
end

# What the image is made of; it is named in the file beside it.
base=$folder/$suite-$(sha256sum <<<"$packages" | head -c 12).tar
commit=$(git -c safe.directory='*' rev-parse HEAD)
recipe() { cat hardware/pi/image.sh hardware/pi/partitions.sh "${KEY:-/dev/null}" - <<<"$1" | sha256sum; }
if [ -e "$folder/boomboard.img" ] && [ "$(recipe "$commit")" = "$(cat "$folder/boomboard.made" 2>/dev/null)" ]; then
    say "The image is there, made of $(git -c safe.directory='*' describe --always): $folder/boomboard.img"
    exit
fi
rm -f "$folder/boomboard.made"
: >"$folder/image.log"

# All of it while it is made, and a copy that is booted.
needed=8
[ ! -e "$base" ] || needed=6
room=$(df --output=avail --block-size=1G "$folder" | tail -n 1)
((room >= needed)) || stop "$needed GB are needed in $folder, and ${room// /} GB are free."

# ---------------------------------------------------------------- the system

# It takes most of the time, and is kept until other packages are asked for.
if [ ! -e "$base" ]; then
    say "Installing a Debian ($suite) for 64-bit ARM ..."
    rm -f "$folder/$suite"-*.tar
    # The initrd takes minutes: it is made once, when all that belongs into it is there.
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
for glibc in 17 24 26 27 28 31 34; do # all that Debian 12 can run
    tags+=(--platform "manylinux_2_${glibc}_aarch64")
done
.venv/bin/python -m pip --disable-pip-version-check download --quiet --require-hashes --no-deps --only-binary :all: \
    --implementation cp --python-version 3.11 --abi cp311 --abi abi3 --abi none \
    --platform manylinux2014_aarch64 "${tags[@]}" --dest "$wheels" -r requirements/pi.txt \
    -r requirements/build.txt >>"$folder/image.log" 2>&1 || stop "they could not be fetched; the reason is in $folder/image.log."
cp -r "$wheels" "$system/var/tmp/wheels"

git -c safe.directory='*' clone --quiet --depth 1 "file://$PWD" "$system/root/boomboard"
origin=$(git remote get-url origin 2>/dev/null) || origin=
[ -z "$origin" ] || git -C "$system/root/boomboard" remote set-url origin "$origin"
commit=$(git -C "$system/root/boomboard" rev-parse HEAD) # somebody may go on working here
write 644 /etc/fstab <<'END'
LABEL=boomboard-root / ext4 noatime 0 1
# Mounted for work on the system alone: a plug that is pulled cannot harm it.
LABEL=FIRMWARE /boot/firmware vfat noatime,noauto,x-systemd.automount 0 2
END
printf 'ROOTPART="LABEL=boomboard-root"\n' >>"$system/etc/default/raspi-firmware"

say "Making the initrd ..."
# Debian's own has a thousand drivers, for computers of all kinds. The root of this one is on a card, or on
# the disk of an emulator; what else a Pi needs to read its card is in Debian's kernel itself.
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

say "Installing the companion, $(git describe --always --dirty=" without what is not committed") ..."
inside /root/boomboard/hardware/pi/install.sh readonly
inside /etc/kernel/postinst.d/z50-raspi-firmware # writes what the Pi starts with anew
[ -n "$origin" ] || rm "$system/opt/boomboard/source"

# ---------------------------------------------------------------- what is this card's own

write 644 /etc/hostname <<<boomboard
write 644 /etc/hosts <<<"127.0.0.1 localhost boomboard"
write 644 /etc/systemd/network/cable.network <<'END'
[Match]
Name=e*
[Network]
DHCP=yes
END
# It finds names for itself alone, and answers nobody.
write 644 /etc/systemd/resolved.conf.d/quiet.conf <<'END'
[Resolve]
LLMNR=no
MulticastDNS=no
END
inside systemctl enable systemd-networkd systemd-resolved systemd-timesyncd
ln -sfn /run/systemd/resolve/stub-resolv.conf "$system/etc/resolv.conf"
# The cable is not waited for: there may be none.
inside systemctl disable systemd-networkd-wait-online
[ -z "${KEY:-}" ] || write 600 /root/.ssh/authorized_keys <"$KEY"
# Each start takes a number of its own for the computer; it cannot be kept on a root that is not written to.
: >"$system/etc/machine-id"
rm -rf "$system"/root/boomboard "$system"/var/tmp/wheels "$system"/var/lib/apt/lists/* "$system"/var/cache/apt/*

say "Making the partitions ..."
umount "$system/proc"
mv "$system/boot/firmware" "$folder/boot"
mv "$system/opt/boomboard" "$folder/games"
mkdir "$system/boot/firmware" "$system/opt/boomboard"
hardware/pi/partitions.sh "$folder/boot" "$system" "$folder/games" "$folder/boomboard.img"
recipe "$commit" >"$folder/boomboard.made"
[ -z "${SUDO_UID:-}" ] || chown "$SUDO_UID" "$folder" "$folder"/boomboard.img "$folder"/image.log
say "Ready: $folder/boomboard.img"
