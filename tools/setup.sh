#!/usr/bin/env bash
# Prepares this clone: Python, system libraries, .venv with the pinned packages.
#
#   tools/setup.sh program    what the program needs
#   tools/setup.sh pi         program, and the packages for a Raspberry Pi with a board
#   tools/setup.sh hall       program, and a hall of boards: Mosquitto, PostgreSQL
#   tools/setup.sh camera     program, and the packages for a webcam instead of sensors (150 MB)
#   tools/setup.sh tests      program, and the packages for the checks
#   tools/setup.sh mutants    tests, and mutation testing
#   tools/setup.sh fuzz       tests, and fuzzing
#   tools/setup.sh browsers   tests, a hall, and real browsers (Chromium, 480 MB)
#   tools/setup.sh appliance  tests, and the checks of a Pi's scripts and service
#   tools/setup.sh image      appliance, and the tools that build and boot a Pi's SD card image (460 MB)
#   tools/setup.sh boards     tests, and KiCad (510 MB) for the circuit boards
#   tools/setup.sh mechanics  only .venv-mechanics (430 MB), for the printed parts
#   tools/setup.sh compilers  only .venv-compilers (270 MB), a second compiler for the board
#
# Safe to run repeatedly: it exits immediately if nothing is missing.
set -euo pipefail
export LC_ALL=C.UTF-8 # the output of other programs is parsed below
cd "$(dirname "${BASH_SOURCE[0]}")/.."
root=$PWD
want=${1:-program}
venv=.venv
log=$root/.setup.log

say() { printf '%s\n' "$*"; }
stop() {
    printf 'Set-up stopped: %s\n' "$*" >&2
    exit 1
}
# On Ctrl-C pip and apt-get exit with an error; the shell waits for them and then runs this trap.
interrupt() {
    printf '\nSet-up stopped by Ctrl-C. Run this again to continue.\n' >&2
    exit 130
}
trap interrupt INT

case $want in
    program | pi | hall | camera | tests | mutants | fuzz | browsers | appliance | image | boards) ;;
    # Open CASCADE is large, and the program must not depend on it.
    mechanics) venv=.venv-mechanics ;;
    compilers) venv=.venv-compilers ;;
    *) stop "\"$want\" is unknown; use \"program\", \"pi\", \"hall\", \"camera\", \"tests\", \"mutants\", \"fuzz\", \"browsers\", \"appliance\", \"image\", \"boards\", \"mechanics\" or \"compilers\"." ;;
esac
[ "$(uname -s)" = Linux ] || stop "Boomboard runs on Linux; this is $(uname -s)."

# One set-up at a time per clone. A second one waits here and then finds nothing left to do.
if command -v flock >/dev/null; then
    exec 9<"$root"
    flock 9
fi

# ---------------------------------------------------------------- system packages

apt_updated=

# Runs apt-get as root: directly, or through sudo, which may ask for the password at a terminal.
apt() {
    local become=()
    if [ "$(id -u)" != 0 ]; then
        become=(sudo)
        [ -t 0 ] || become=(sudo -n)
    fi
    "${become[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get -qq -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 "$@" >>"$log" 2>&1 9<&-
}

apt_update() {
    [ -z "$apt_updated" ] || return 0
    apt_updated=yes
    say "Reading the list of system packages ..."
    apt -o APT::Update::Error-Mode=any update || apt_updated=failed # only matters if the following installation fails
}

known_to_apt() { [[ $(apt-cache policy "$1" 2>/dev/null) == *"Candidate: "[^\(]* ]]; }

no_network() { stop "$1 could not be downloaded; is this machine on the network? Then run this again (details: .setup.log)."; }
may_become_root() { [ "$(id -u)" = 0 ] || { command -v sudo >/dev/null && { [ -t 0 ] || sudo -n true 2>/dev/null; }; }; }

install_packages() {
    local package
    command -v apt-get >/dev/null ||
        stop "$* missing and there is no apt-get here; install them with your system's own tool."
    # On such a system, packages installed now would be lost at the next boot.
    ! grep -qw overlayroot=tmpfs /proc/cmdline ||
        stop "$* missing and the root of this system is read-only; run \"sudo hardware/pi/install.sh writable\", restart, and try again."
    may_become_root ||
        stop "$* missing and installing them needs root's rights; run: sudo apt-get install $*"
    for package; do
        known_to_apt "$package" || apt_update
    done
    say "Installing system packages: $* ..."
    : >"$log"
    if apt install --no-install-recommends -y "$@"; then return; fi
    apt_update # the list may be old
    if apt install --no-install-recommends -y "$@"; then return; fi
    if grep -qiE 'not (allowed|in the sudoers)|password is required|incorrect password' "$log"; then
        stop "$* missing and you may not use sudo; ask for: sudo apt-get install $*"
    elif [ "$apt_updated" = failed ] || grep -q 'Failed to fetch' "$log"; then
        no_network "$*"
    fi
    stop "apt-get could not install $* (details: .setup.log)."
}

# ---------------------------------------------------------------- Python

# The versions that Kivy has wheels for.
fits='import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))'
has_venv='import ensurepip, venv'

# Prefer the system's Python if it is sufficient, because one built from source (by pyenv, for example) is a third
# slower.
find_python() {
    local name check
    for check in "$has_venv; $fits" "$fits"; do
        for name in /usr/bin/python3 python3 python3.13 python3.12 python3.11; do
            if "$name" -c "$check" 2>/dev/null; then
                command -v "$name"
                return
            fi
        done
    done
    return 1
}

install_python() {
    local name found
    if command -v apt-get >/dev/null; then
        for name in python3.13 python3.12 python3.11; do
            known_to_apt "$name" || continue
            install_packages "$name" "$name-venv"
            return
        done
        may_become_root ||
            stop "Python 3.11, 3.12 or 3.13 missing and installing it needs root's rights; run: sudo apt-get install python3 python3-venv"
        if [ -z "$apt_updated" ]; then
            apt_update
            install_python
            return
        fi
        [ "$apt_updated" != failed ] || no_network "Python"
    fi
    found=$(python3 --version 2>/dev/null) || found="no Python"
    stop "Boomboard needs Python 3.11, 3.12 or 3.13; found $found here and no suitable package to install."
}

check_machine() {
    local machine
    machine=$("$python" -c 'import platform, sys; print(platform.machine(), sys.maxsize.bit_length() + 1)')
    case $machine in
        "x86_64 64" | "aarch64 64") ;;
        *" 32") stop "this is a 32-bit system, for which Kivy offers no packages; install the 64-bit Raspberry Pi OS." ;;
        *) stop "Kivy offers no packages for a ${machine% *} machine; use x86-64 or 64-bit ARM (aarch64)." ;;
    esac
}

# ---------------------------------------------------------------- .venv

# pip's output goes to the log. A terminal shows a running count instead.
count_packages() {
    local total=$1 n=0 line
    while IFS= read -r line; do
        printf '%s\n' "$line" >>"$log"
        case $line in
            Collecting*) n=$((n + 1)) ;;
            Installing*) n=$total ;;
            *) continue ;;
        esac
        [ ! -t 1 ] || printf '\r  %d of %d' "$n" "$total"
    done
    [ ! -t 1 ] || printf '\r           \r'
}

pip() { PIP_USER=0 "$venv/bin/python" -m pip --disable-pip-version-check --no-input --retries 2 "$@" 9<&-; }

explain_pip() {
    if grep -qE 'No space left' "$log"; then
        stop "the disk is full (details: .setup.log)."
    elif grep -qE 'DO NOT MATCH THE HASHES' "$log"; then
        stop "a download differs from the pinned file; run this again, and if that fails too, report it (details: .setup.log)."
    elif grep -qE 'NewConnectionError|NameResolution|Temporary failure|timed out|ConnectionReset|ProxyError|SSLError|Connection(Error| broken)|Network is unreachable' "$log"; then
        [ "$want" != program ] || ! works_before || start_with_before
        no_network "The packages"
    fi
    stop "pip could not install the packages: $(grep -m1 '^ERROR' "$log" || tail -n 1 "$log") (details: .setup.log)."
}

# Backup of the environment while packages are changed. It is restored unless all packages could be
# installed: immediately, or by the next set-up if this one is killed. The backup is a copy, because
# programs in an environment contain its path.
before=$venv-before

keep_before() {
    rm -rf "$before.new" "$before"
    cp -a "$venv" "$before.new" || stop "no disk space for a copy of $venv."
    sync -f "$before.new"
    mv "$before.new" "$before"
    trap take_back EXIT
    trap 'exit 129' HUP
    trap 'exit 143' TERM
}
take_back() {
    rm -rf "$before.new"
    [ -d "$before" ] || return 0
    rm -rf "$venv"
    mv "$before" "$venv"
    say "${1:-The packages in $venv were restored.}"
}
# True if the backup has every package of the list, in any version. Packages for Windows are never installed here.
works_before() {
    [ -d "$before" ] && sed -nE "/sys_platform == 'win32'/d; s/^([A-Za-z0-9._-]+)==.*/\1/p" "requirements/$want.txt" |
        "$before/bin/python" -c 'import sys, importlib.metadata as m; [m.version(each.strip()) for each in sys.stdin]' 2>/dev/null
}
# An update has changed a pin and there is no network: the previous packages still work.
start_with_before() {
    trap - EXIT
    take_back "No network: starting with the packages from before the update."
    exit 0
}
drop_before() {
    # Rename first, so that a half-removed backup is never mistaken for a complete one.
    [ ! -d "$before" ] || mv "$before" "$before.new"
    rm -rf "$before.new"
    trap - EXIT HUP TERM
}

# The build tools are installed in a temporary folder, to keep them out of the program's packages.
install_project() {
    local builders=$root/$venv/builders # absolute, as pip builds the engine in its own folder
    pip install --quiet --require-hashes --no-deps --only-binary :all: --target "$builders" \
        -r requirements/build.txt >>"$log" 2>&1 || explain_pip
    PYTHONPATH=$builders pip install --quiet --no-deps --no-build-isolation --editable ./engine --editable . >>"$log" 2>&1 ||
        explain_pip
    rm -rf "$builders"
}

# lgpio, the library of a Pi's pins, has no wheels for Python 3.13, so it is built from its pinned source there
# (docs/decisions/pins-of-a-pi.md). PYPI=1 includes the C library, which Debian 13 does not have.
builds_lgpio() { [ "$want" = pi ] && "$1" -c 'import sys; sys.exit(sys.version_info < (3, 13))'; }
needs_tools_for_lgpio() {
    needs_command swig swig
    needs_command gcc gcc
    needs_file /usr/include/stdlib.h libc6-dev
    needs_file "$("$1" -c 'import sysconfig; print(sysconfig.get_path("include"))')/Python.h" python3-dev
}
pins_of() { sed -n "/^$1==/,/[^\\]\$/p" requirements/pi.txt; }
install_lgpio() {
    say "Building the library of the Pi's pins ..."
    pip install --quiet --require-hashes --no-deps --only-binary :all: -r <(pins_of setuptools) >>"$log" 2>&1 || explain_pip
    PYPI=1 pip install --quiet --require-hashes --no-deps --no-build-isolation --no-binary lgpio -r <(pins_of lgpio) \
        >>"$log" 2>&1 || explain_pip
}

install_into_venv() {
    local list=requirements/$want.txt total
    total=$(grep -cE '^[a-z]' "$list")
    if [ ! -x "$venv/bin/python" ]; then
        say "Creating $venv with $("$python" --version) ..."
        "$python" -m venv "$venv" >>"$log" 2>&1 || stop "Python could not create $venv: $(tail -n 1 "$log")"
    fi
    [ ! -f "$venv/home" ] || keep_before
    # Without this file the environment is half finished.
    rm -f "$venv/home"
    sync "$venv"
    say "Installing the pinned Python packages for the $want (the first time: a minute or two) ..."
    : >"$log"
    ! builds_lgpio "$venv/bin/python" || install_lgpio
    # The list is complete. If pip resolved dependencies, it would ask for hashes of newer versions.
    pip install --require-hashes --no-deps --only-binary :all: -r "$list" 2>&1 | count_packages "$total" ||
        explain_pip
    pip check >>"$log" 2>&1 || stop "$list lacks something: $(tail -n 1 "$log"). Run \"make pins\" (details: .setup.log)."
    case $want in mechanics | compilers) ;; *) install_project ;; esac
    sync -f "$venv"
    key >"$venv/ready-$want"
    identity >"$venv/home"
    drop_before
}

# ---------------------------------------------------------------- outdated or missing parts

# If only the folder of the clone has changed, adjust the paths in the environment: its programs and the links
# to this project contain them.
repair_moved() {
    local kept current old
    kept=$(<"$venv/home")
    current=$(identity)
    [ "$kept" != "$current" ] && [ "${kept: -5}" = "${current: -5}" ] || return 0
    old=${kept% * *}
    "$venv/bin/python" - "$venv" "$old" "$root" <<'END' || return 0
import pathlib, re, sys

venv, old, new = pathlib.Path(sys.argv[1]), *sys.argv[2:]
here = re.compile(re.escape(old.encode()) + rb"(?=[/\"'\s]|$)")
packages = [*venv.glob("lib/python*/site-packages")]
files = [venv / "pyvenv.cfg", *(venv / "bin").iterdir()]
for each in packages:
    files += [*each.glob("*.pth"), *each.glob("__editable__*.py"), *each.glob("*.dist-info/direct_url.json")]
for file in files:
    if file.is_file() and not file.is_symlink():
        text = file.read_bytes()
        changed = here.sub(lambda _: new.encode(), text)
        if changed != text:
            file.write_bytes(changed)
END
    sync -f "$venv"
    identity >"$venv/home"
    say "$venv was moved from $old; its paths were adjusted."
}

# An environment belongs to one folder and one Python. With another Python, or if incomplete, it is rebuilt.
identity() { printf '%s %s' "$root" "$("$venv/bin/python" -c 'import sys; print(*sys.version_info[:2])' 2>/dev/null)"; }
key() { cat requirements/*.txt pyproject.toml engine/pyproject.toml tools/setup.sh | sha256sum; }
up_to_date() {
    local stamps=("$venv/ready-$want") stamp
    # The other lists include the packages of the program, and some also those of the tests.
    [ "$want" != program ] || stamps+=("$venv/ready-pi" "$venv/ready-hall" "$venv/ready-camera" "$venv/ready-tests" "$venv/ready-mutants" "$venv/ready-fuzz" "$venv/ready-browsers")
    [ "$want" != camera ] || stamps+=("$venv/ready-tests" "$venv/ready-mutants" "$venv/ready-fuzz" "$venv/ready-browsers")
    [ "$want" != hall ] || stamps+=("$venv/ready-tests" "$venv/ready-mutants" "$venv/ready-fuzz" "$venv/ready-browsers")
    [ "$want" != tests ] || stamps+=("$venv/ready-mutants" "$venv/ready-fuzz" "$venv/ready-browsers")
    for stamp in "${stamps[@]}"; do
        [ ! -f "$stamp" ] || [ "$(<"$stamp")" != "$(key)" ] || return 0
    done
    return 1
}

missing=()
# A required library and the package that contains it (package names change, sonames do not).
libraries=$(/sbin/ldconfig -p 2>/dev/null || true)
needs_library() { [[ $libraries == *"$1 "* ]] || missing+=("$2"); }
needs_file() { [ -e "$1" ] || missing+=("$2"); }
needs_command() { command -v "$1" >/dev/null || missing+=("$2"); }
# The server's programs are in a folder named after the version.
needs_postgresql() { compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null || missing+=(postgresql); }

if [ "$want" = mechanics ]; then
    needs_library libGL.so.1 libgl1
    needs_library libexpat.so.1 libexpat1
elif [ "$want" != compilers ]; then
    needs_library libGL.so.1 libgl1
    needs_library libEGL.so.1 libegl1
    needs_library libmtdev.so.1 libmtdev1
    # Speech is optional for users who cannot install packages.
    if [ "$want" != program ] || may_become_root; then
        needs_command espeak-ng espeak-ng
    fi
fi
if [ "$want" = pi ]; then
    needs_command avrdude avrdude
fi
if [ "$want" = hall ] || [ "$want" = browsers ]; then
    needs_file /usr/sbin/mosquitto mosquitto
    needs_postgresql
fi
if [ "$want" = browsers ]; then
    needs_command chromium chromium
    needs_command npm npm
fi
if [ "$want" = image ]; then
    needs_command mmdebstrap mmdebstrap
    needs_command arch-test arch-test
    # Debian 13 has the first name only as a transitional package, and needs no binfmt-support.
    if ! command -v qemu-aarch64-static >/dev/null && ! command -v qemu-aarch64 >/dev/null; then
        missing+=(qemu-user-static)
    fi
    [ -e /usr/lib/binfmt.d/qemu-aarch64.conf ] || needs_command update-binfmts binfmt-support
    needs_command qemu-system-aarch64 qemu-system-arm
    want=appliance
fi
if [ "$want" = appliance ]; then
    needs_command shellcheck shellcheck
    needs_command systemd-analyze systemd
    # Tools that write partitions into an image file. Debian installs most of them outside a user's PATH.
    needs_command mcopy mtools
    needs_file /usr/sbin/mkfs.vfat dosfstools
    needs_file /usr/sbin/mkfs.ext4 e2fsprogs
    needs_file /usr/sbin/sfdisk fdisk
    want=tests # the Python packages are the same
fi
if [ "$want" = boards ]; then
    needs_file /usr/lib/python3/dist-packages/pcbnew.py kicad
    want=tests # the Python packages are the same
fi
if [ "$want" = tests ] || [ "$want" = mutants ] || [ "$want" = fuzz ] || [ "$want" = browsers ]; then
    needs_command Xvfb xvfb
    needs_command openbox openbox
    needs_command xdotool xdotool
    # The firmware is compiled for the board, checked, and run in an emulator.
    needs_command gcc gcc
    needs_file /usr/include/stdlib.h libc6-dev
    needs_command avr-gcc gcc-avr
    needs_file /usr/lib/avr/include/avr/io.h avr-libc
    needs_file /usr/include/simavr/sim_avr.h libsimavr-dev
    needs_file /usr/include/libelf.h libelf-dev
    needs_command cppcheck cppcheck
    # Writes to emulated boot loaders in the tests.
    needs_command avrdude avrdude
    # Used by the Pi's installer to create users and units below a folder.
    needs_command systemd-sysusers systemd
    needs_command git git
fi

# An earlier set-up may have been killed midway, or just after it finished.
if [ -f "$venv/home" ]; then
    drop_before
else
    take_back
fi

[ ! -f "$venv/home" ] || repair_moved
if [ -e "$venv" ] || [ -L "$venv" ]; then
    if [ ! -f "$venv/home" ] || [ "$(<"$venv/home")" != "$(identity)" ]; then
        say "Removing $venv: it is incomplete, or its Python has changed."
        rm -rf "$venv"
    elif [ ${#missing[@]} = 0 ] && up_to_date; then
        exit 0
    fi
fi

: >"$log"
if [ ! -e "$venv" ]; then
    python=$(find_python) || {
        install_python
        python=$(find_python) || stop "Python was installed but cannot be found."
    }
    check_machine
    if ! "$python" -c "$has_venv" 2>/dev/null; then
        case $python in
            */python3) missing+=(python3-venv) ;;
            *) missing+=("${python##*/}-venv") ;;
        esac
    fi
fi
if builds_lgpio "${python:-$venv/bin/python}"; then
    needs_tools_for_lgpio "${python:-$venv/bin/python}"
fi
[ ${#missing[@]} = 0 ] || install_packages "${missing[@]}"
up_to_date || install_into_venv
rm -f "$log"
say "Ready."
