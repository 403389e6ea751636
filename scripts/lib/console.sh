# Shared by the scripts of this folder; sourced, not run.
# shellcheck shell=bash

# Says what a script is doing, on stderr, so that stdout stays for results.
step() {
  printf '\n== %s\n' "$*" >&2
}

die() {
  printf '%s: %s\n' "$(basename "$0")" "$*" >&2
  exit 1
}

# elapsed START: seconds since START (a value of $SECONDS), as "3m07s".
elapsed() {
  local seconds=$((SECONDS - $1))
  printf '%dm%02ds' $((seconds / 60)) $((seconds % 60))
}

# configure_once PRESET [OPTION...]: configures build/PRESET unless it has been;
# ninja configures again by itself when a build file changes.
configure_once() {
  local preset=$1
  shift
  [[ -f build/$preset/build.ninja ]] || cmake --preset "$preset" "$@" >&2
}
