#!/usr/bin/env bash
# Keeps a new release if the companion sends watchdog pings for half a minute, and returns to the previous release
# if that has not happened within two minutes. Run by boomboard-trial.service; update.sh records which release is
# on trial.
set -euo pipefail
opt=${DESTDIR:-}/opt/boomboard
limit=${1:-120} # duration of the trial, in seconds
steady=${2:-30} # required duration of watchdog pings without a crash, in seconds

say() { printf '%s\n' "$*"; }

# Prints the seconds between the last start of the service and its last watchdog ping, or 0 if it is not running.
lived() {
    local key value state=none began=0 latest=0
    while IFS='=' read -r key value; do
        case $key in
            ActiveState) state=$value ;;
            ActiveEnterTimestampMonotonic) began=$value ;;
            WatchdogTimestampMonotonic) latest=$value ;;
        esac
    done < <(systemctl show boomboard --property=ActiveState,ActiveEnterTimestampMonotonic,WatchdogTimestampMonotonic)
    if [ "$state" = active ] && ((latest > began)); then
        echo $(((latest - began) / 1000000))
    else
        echo 0
    fi
}

[ -e "$opt/trial" ] || exit 0
new=$(<"$opt/trial")
say "The release $new is on trial."
until (($(lived) >= steady)); do
    if ((SECONDS >= limit)); then
        before=$(readlink "$opt/previous") || {
            say "The release $new does not work, and there is no previous release."
            exit 1
        }
        ln -sfn "$before" "$opt/.current"
        mv -T "$opt/.current" "$opt/current"
        rm "$opt/trial"
        sync -f "$opt"
        say "The release $new does not work; returning to ${before##*/}."
        systemctl reset-failed boomboard || true # it may have hung rather than failed
        systemctl restart boomboard
        rm -rf "$opt/releases/${new:?}"
        exit 0
    fi
    sleep 1
done
rm "$opt/trial"
sync -f "$opt"
say "The release $new works and is kept."
