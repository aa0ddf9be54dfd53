# Steps of a run, for scripts that source it: their names, how long each took, and steps that run side by side.
# STEPS is the file in which all scripts of a run note the times; the script that sources this sets and exports it.

current='' since=0

# ended notes how long the step took that step began.
ended() {
  [ -z "$current" ] || echo "$((SECONDS - since)) $current" >>"$STEPS"
  current=''
}

# step NAME ends the step before it and begins another.
step() {
  ended
  current=$* since=$SECONDS
  printf '\n== %s (at %s s)\n' "$*" "$SECONDS"
}

# beside NAME COMMAND... starts a step beside the others, SIDE (default 3) at most at once.
beside() {
  local name=$1; shift
  ended
  [ -n "${side-}" ] || side=$(mktemp -d) count=0
  while [ "$(jobs -rp | wc -l)" -ge "${SIDE:-3}" ]; do wait -n || true; done # together asks how each ended
  count=$((count + 1))
  echo "$name" >"$side/$count.name"
  (
    began=$SECONDS
    trap 'echo $? >"$side/$count.code"; echo "$((SECONDS - began)) $name" >>"$STEPS"' EXIT
    "$@"
  ) >"$side/$count.out" 2>&1 </dev/null &
}

# together waits for the steps that beside started, prints what each said, and fails if one failed.
together() {
  local n failed=0
  wait
  for ((n = 1; n <= count; n++)); do
    printf '\n== %s\n' "$(cat "$side/$n.name")"
    cat "$side/$n.out"
    if [ "$(cat "$side/$n.code")" != 0 ]; then
      echo "FAILED: $(cat "$side/$n.name")"
      failed=1
    fi
  done
  rm -r "$side"; side=''
  return "$failed"
}

# slowest prints the ten steps that took longest.
slowest() {
  ended
  printf '\n== done (at %s s); seconds of the slowest ten steps:\n' "$SECONDS"
  sort -rn "$STEPS" | head -10
}
