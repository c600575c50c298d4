#!/usr/bin/env bash
# Creates an SD card image from three folders without mounting anything. The image is a regular, sparse file.
#
#   hardware/pi/partitions.sh BOOT ROOT GAMES IMAGE
#
#   1  BOOT   FAT, 512 MiB: the Pi's boot files, /boot/firmware
#   2  ROOT   ext4, 2.5 GiB: everything else; labelled "boomboard-root"
#   3  GAMES  ext4, 2 GiB: releases and games, /opt/boomboard; labelled "boomboard"
#
# Owners and modes are taken from the folders.
set -euo pipefail
export LC_ALL=C.UTF-8
PATH=$PATH:/usr/sbin:/sbin # where Debian installs the mkfs programs

stop() {
    printf 'No image was made: %s\n' "$*" >&2
    exit 1
}

[ $# = 4 ] || stop "usage: hardware/pi/partitions.sh BOOT ROOT GAMES IMAGE."
boot=$1
root=$2
games=$3
image=$4
for folder in "$boot" "$root" "$games"; do
    [ -d "$folder" ] || stop "there is no folder $folder."
done
for tool in sfdisk mkfs.vfat mcopy mkfs.ext4; do
    command -v "$tool" >/dev/null || stop "$tool is missing; tools/setup.sh appliance installs it."
done

# Start and size of each partition, in MiB. The first 4 MiB are left free for SD card alignment.
boot_at=4 boot_size=512
root_at=516 root_size=2560
games_at=3076 games_size=2048
end=$((games_at + games_size))

new=$image.new
trap 'rm -f "$new" "$new.boot"' EXIT
rm -f "$new" "$new.boot"
truncate --size="${end}M" "$new"
sfdisk --quiet "$new" <<END
label: dos
start=${boot_at}MiB, size=${boot_size}MiB, type=c, bootable
start=${root_at}MiB, size=${root_size}MiB, type=83
start=${games_at}MiB, size=${games_size}MiB, type=83
END

# mkfs.vfat and mcopy need a separate file.
truncate --size="${boot_size}M" "$new.boot"
mkfs.vfat -F 32 -n FIRMWARE "$new.boot" >/dev/null
shopt -s nullglob dotglob
started=("$boot"/*)
[ ${#started[@]} = 0 ] || mcopy -s -Q -i "$new.boot" "${started[@]}" ::/ ||
    stop "the contents of $boot do not fit into $boot_size MiB."
dd if="$new.boot" of="$new" bs=1M seek=$boot_at conv=notrunc,sparse status=none

make_ext4() { # LABEL AT SIZE FOLDER
    mkfs.ext4 -q -L "$1" -d "$4" -E "offset=$(($2 * 1024 * 1024)),root_owner=0:0" "$new" "${3}M" ||
        stop "the contents of $4 do not fit into $3 MiB."
}
make_ext4 boomboard-root $root_at $root_size "$root"
make_ext4 boomboard $games_at $games_size "$games"
mv "$new" "$image"
