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

# as_minutes SECONDS: "3m07s".
as_minutes() {
  printf '%dm%02ds' $(($1 / 60)) $(($1 % 60))
}

# elapsed START: seconds since START (a value of $SECONDS), as "3m07s".
elapsed() {
  as_minutes $((SECONDS - $1))
}

# processor_ticks: the processor time of this script and of all that it has waited
# for, in the kernel's ticks (proc(5): utime, stime, cutime, cstime).
processor_ticks() {
  local stat fields
  stat=$(<"/proc/$$/stat")
  read -r -a fields <<<"${stat##*) }"
  echo $((fields[11] + fields[12] + fields[13] + fields[14]))
}

# processor_since TICKS: the processor time since then, as "3m07s".
processor_since() {
  as_minutes $((($(processor_ticks) - $1) / $(getconf CLK_TCK)))
}

# What a script does one after the other, for a line that says what each took:
#
#   begin_phase build
#   ...
#   begin_phase tests
#   ...
#   step "took: $(phases)"
phase=
earlier_phases=

# begin_phase NAME: the phase before it, if there was one, ends.
begin_phase() {
  [[ -z $phase ]] || earlier_phases="$(phases), "
  phase=$1 phase_start=$SECONDS phase_ticks=$(processor_ticks)
}

# phases: "build 3m20s (5m10s of processor time), tests ...", up to now. No word of
# the processor where a phase waited for none of its programs, or did nothing.
phases() {
  local processor
  processor=$(processor_since "$phase_ticks")
  printf '%s%s %s' "$earlier_phases" "$phase" "$(elapsed "$phase_start")"
  [[ $processor == 0m00s ]] || printf ' (%s of processor time)' "$processor"
}

# configure_once PRESET [OPTION...]: configures build/PRESET unless it has been since
# the presets changed; ninja configures again by itself when a build file changes.
configure_once() {
  local preset=$1
  shift
  [[ build/$preset/build.ninja -nt CMakePresets.json ]] || cmake --preset "$preset" "$@" >&2
}

# build FOLDER [TARGET...]: builds, and shows how far it is: on a terminal by ninja's
# own line, elsewhere by a line every half minute.
build() {
  local folder=$1
  shift
  local command=(cmake --build "$folder")
  (($# == 0)) || command+=(--target "$@")
  if [[ -t 2 ]]; then
    "${command[@]}" >&2
  else
    "${command[@]}" 2>&1 | every_half_minute >&2
  fi
}

# Of the lines "[12/763] Building ..." of its input one every 30 seconds, the last
# one, and any other line.
every_half_minute() {
  local line start=$SECONDS said=$SECONDS last=
  while IFS= read -r line || [[ -n $line ]]; do
    if [[ ! $line =~ ^\[([0-9]+)/([0-9]+)\]\  ]]; then
      printf '%s\n' "$line"
      continue
    fi
    ((BASH_REMATCH[1] > 0)) || continue # "Re-checking globbed directories".
    last="${BASH_REMATCH[1]} of ${BASH_REMATCH[2]} steps"
    if ((SECONDS - said >= 30)); then
      printf '   %s after %s\n' "$last" "$(elapsed "$start")"
      said=$SECONDS last=
    fi
  done
  [[ -z $last ]] || printf '   %s after %s\n' "$last" "$(elapsed "$start")"
}
